#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "systems/hypar/search/parallelism.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// Size of the partial sums of a layer in model parallelism: the pooled output, the output before pooling, or the
/// pooled output of a convolution whose output is as large as its input, but for its stride (`input_size`) or whatever
/// its stride (`unstrided`: Algorithm 1 lists the type, kernel and pooling of a layer as inputs, no stride and no
/// padding). The totals of Figure 8 need pooling.
enum class FeatureMaps : std::uint8_t { pooled, product, input_size, unstrided };

/// Size of the maps that change their layout (Table 2): as that of partial sums, or the pooled output.
enum class ConvertedMaps : std::uint8_t { as_features, pooled };

/// Count of partial sums (Table 1): for each of the two accelerators of a pair, once, twice for fully
/// connected layers and once for convolutions, or the reverse of that.
enum class PartialSumCount : std::uint8_t { twice, once, by_kind, by_kind_reversed };

/// Levels that halve a tensor in transition below level H1: the dp levels of its source (batch) and the mp levels of
/// its target (channels), or all levels of its target. The paper is silent on this.
enum class ConversionShape : std::uint8_t { source, target };

/// Work on a batch: a training step, or the forward GEMMs alone.
enum class Task : std::uint8_t { training, inference };

/// Accounting of exchanged tensors, where the paper allows several readings: Sec. 3.4 counts an exchange twice, once
/// for each accelerator of a pair; Tables 1 and 2 list amounts for one accelerator.
struct Accounting {
  FeatureMaps feature_maps = FeatureMaps::pooled;
  PartialSumCount partial_sum_count = PartialSumCount::twice;  ///< of F_{l+1}, Table 1; dW always counts twice
  ConvertedMaps converted_maps = ConvertedMaps::as_features;
  double conversion_count = 2;  ///< Table 2
  /// Counts of single lines of Table 2 where they differ from `conversion_count`; negative where not.
  double mp_dp_count = -1;
  double mp_mp_convolution_count = -1;  ///< after a convolution
  double mp_mp_connected_count = -1;    ///< after a fully connected layer
  ConversionShape conversion_shape = ConversionShape::source;
  Task task = Task::training;
};

/// Exchanges on a transition depend on the data that each side holds (Table 2). A layer in mp ends with the whole F and
/// needs the whole E; a junction holds equal parts of F and E, split by batch (dp) or by channel (mp).
enum class Source : std::uint8_t { convolution, fully_connected, junction };

/// Parts of a tensor that an accelerator fetches from its counterpart when `from` hands it to `to` at one level.
struct Conversion {
  double forward = 0;   ///< of F_{l+1}
  double backward = 0;  ///< of E_{l+1}
  double both() const { return forward + backward; }
};

/// Table 2 for layers, each amount once. For junctions the parts missing follow in the same way: a quarter of F and of
/// E between a batch half and a channel half, nothing between equal halves.
constexpr Conversion conversion(Source source, bool from_model, bool to_model) {
  if (source != Source::junction) {
    if (from_model) return {0, 0.5};
  } else if (from_model) {
    return to_model ? Conversion{} : Conversion{0.25, 0.25};
  }
  return to_model ? Conversion{0.25, 0.25} : Conversion{};
}

/// Count of an amount of Table 2.
constexpr double conversion_count(const Accounting& accounting, Source source, bool from_model, bool to_model) {
  double count = accounting.conversion_count;
  if (from_model && !to_model) count = accounting.mp_dp_count;
  if (from_model && to_model) {
    count = source == Source::fully_connected ? accounting.mp_mp_connected_count : accounting.mp_mp_convolution_count;
  }
  return count < 0 ? accounting.conversion_count : count;
}

/// Sizes of the tensors of a training step, in bytes that a pair of groups at level H1 exchanges for a whole tensor:
/// 2 x elements x word (Sec. 3.4) where both directions count.
struct TensorBytes {
  TensorBytes(const workload::TrainingNetwork& network, std::int64_t batch, double word_bytes,
              const Accounting& accounting);

  std::vector<double> gradient;    ///< A(dW) of each node; nothing in inference
  std::vector<double> features;    ///< A(F_{l+1}) of each node: its partial sums
  std::vector<double> transition;  ///< A(F_{l+1}) = A(E_{l+1}) of each transition, once
  Accounting accounting;
};

/// Cost of one byte of a tensor under each state, summed over levels. Each byte that a pair exchanges at level h costs
/// `weight[h - 1]`: the number of pairs 2^(h-1) for total bytes, or seconds per byte for time. Below level H1 tensors
/// are smaller: each mp level above halves dW, each dp level above halves F, and ConversionShape selects the levels
/// that halve a tensor in transition.
struct CostTables {
  CostTables(int levels, const std::vector<double>& weight, const Accounting& accounting);

  const double* conversion(Source source) const { return conversions[static_cast<std::size_t>(source)].data(); }

  int levels;
  std::vector<double> gradient;  ///< by state
  std::vector<double> features;  ///< by state
  /// By Source; states of the source x states of the target, row by row.
  std::array<std::vector<double>, 3> conversions;
};

/// Weights for total bytes: the number of pairs at each level (Algorithm 2: com = com_h + 2 com_n).
std::vector<double> pairs_of_levels(int levels);

Source source_of(const workload::TrainingNode& node);

/// Bytes that a pair exchanges at one level for a node or a transition.
double gradient_bytes(double whole, search::State state, int level);
double feature_bytes(double whole, search::State state, int level);
Conversion transition_bytes(double whole, Source source, const Accounting& accounting, search::State from,
                            search::State to, int level);

}  // namespace pimsweep::systems::hypar
