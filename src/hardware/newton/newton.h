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

/// Whose rules the memory controller and the command generator follow: those of the PIMFlow artifact as it is, or those
/// that its paper describes.
enum class Controller : std::uint8_t { artifact, paper };
inline constexpr std::array controller_words{Word{"artifact", Controller::artifact}, Word{"paper", Controller::paper}};

/// Command by command, or by arithmetic from refresh to refresh: the same numbers.
enum class Fidelity : std::uint8_t { cycle, closed_form };
inline constexpr std::array fidelity_words{Word{"closed-form", Fidelity::closed_form}, Word{"cycle", Fidelity::cycle}};

struct Options {
  Controller controller = Controller::artifact;
  Fidelity fidelity = Fidelity::closed_form;
  std::int64_t channels = 1;
  /// Artifact: most groups of channels that work on different GWRITEs. Paper: global buffers of a channel.
  std::int64_t n_gwrite = 1;
  bool gwrite_hiding = true;
};

/// What a layer costs on PIM.
struct Result {
  /// The busiest channel: of the artifact the first, of the paper the one that ends last.
  Run busiest;
  /// Commands of all channels. Those of the artifact's PREA and REF are the first channel's, times the channels at
  /// work.
  Counts all_channels;
  /// Of the first segment (all filters up to a row, or their whole rows) and of the second (the rest), 0 without one.
  std::int64_t first_grouping = 0;
  std::int64_t second_grouping = 0;
  Granularity granularity = Granularity::g_act;
  /// Empty, or why the artifact's tools end without a result.
  std::string failure;
};

/// Evaluates layers; keeps its buffers, so that evaluating many does not allocate.
class Newton {
 public:
  /// `layer` has pixels, at least one channel and one buffer. Throws nothing.
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
