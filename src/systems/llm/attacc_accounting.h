#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/config_folders.h"
#include "base/hash.h"
#include "base/words.h"
#include "hardware/attention_pim/published_clocks.h"
#include "systems/axis_table.h"
#include "systems/llm/attacc/machine.h"
#include "systems/llm/evaluation.h"

namespace pimsweep::systems::llm {

/// The clocks that AttAcc's artifact ships (configs/hardware/attacc-clocks.csv), read when a point first asks for them.
class ClockTable {
 public:
  explicit ClockTable(const ConfigFolders& configs) : folders_(configs.hardware) {}
  /// Throws PointError if no folder has the file.
  const hardware::attention_pim::PublishedClocks& clocks();
  /// Hash of the file.
  Hash128 content();

 private:
  void read();

  std::vector<ConfigFolder> folders_;
  std::unique_ptr<hardware::attention_pim::PublishedClocks> clocks_;
  Hash128 content_;
};

/// The constants that only the artifact's card and PIM have, as axes "hardware.attacc.*".
void add_attacc_axes(AxisList& axes, AttaccArtifact& artifact);

/// A query as AttAcc's artifact accounts for it: the time of the prompts, and the mean over all steps of generating.
/// Energies are those of the steps alone. Throws PointError in other phases.
void evaluate_attacc(const Settings& settings, const workload::decoder::Decoder& decoder, ClockTable& table,
                     Evaluation& evaluation);

}  // namespace pimsweep::systems::llm
