#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/words.h"
#include "hardware/newton/artifact_schedule.h"
#include "hardware/newton/counts.h"
#include "hardware/newton/dram.h"
#include "hardware/newton/layer.h"
#include "hardware/newton/paper_schedule.h"

namespace pimsweep::hardware::newton {

/// Source of the rules for the memory controller and the command generator: the PIMFlow artifact as published, or its
/// paper.
enum class Controller : std::uint8_t { artifact, paper };
inline constexpr std::array controller_words{Word{"artifact", Controller::artifact}, Word{"paper", Controller::paper}};

/// Simulation command by command, or arithmetic from refresh to refresh; both give the same numbers.
enum class Fidelity : std::uint8_t { cycle, closed_form };
inline constexpr std::array fidelity_words{Word{"closed-form", Fidelity::closed_form}, Word{"cycle", Fidelity::cycle}};

struct Options {
  Controller controller = Controller::artifact;
  Fidelity fidelity = Fidelity::closed_form;
  std::int64_t channels = 1;
  /// Artifact: maximum number of groups of channels that work on different GWRITEs. Paper: global buffers per channel.
  std::int64_t n_gwrite = 1;
  bool gwrite_hiding = true;

  friend bool operator==(const Options&, const Options&) = default;
};

/// Cost of a layer on PIM.
struct Result {
  /// The busiest channel: the first one under the artifact's rules, the last one to finish under the paper's.
  Run busiest;
  /// Commands of all channels. The artifact's PREAs and REFs are those of the first channel times the number of active
  /// channels.
  Counts all_channels;
  /// Groups in the first segment (all filters up to a row, or their whole rows) and in the second (the rest); 0 for a
  /// missing segment.
  std::int64_t first_grouping = 0;
  std::int64_t second_grouping = 0;
  Granularity granularity = Granularity::g_act;
  /// Reason why the artifact's tools end without a result; empty otherwise.
  std::string failure;
};

/// Evaluates layers; keeps its buffers, so that evaluating many layers does not allocate.
class Newton {
 public:
  /// Requires a layer with pixels, at least one channel and one buffer. Does not throw.
  const Result& operator()(const Layer& layer, const Dram& dram, const Options& options);

 private:
  void run_artifact(const Layer& layer, const Dram& dram, const Options& options);
  void run_paper(const Layer& layer, const Dram& dram, const Options& options);

  Result result_;
  std::vector<PaperWork> works_;
  std::vector<Burst> bursts_;
  std::vector<Burst> last_bursts_;
};

}  // namespace pimsweep::hardware::newton
