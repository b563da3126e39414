#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "systems/hypar/search/parallelism.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// Which tensor the partial sums of a layer in model parallelism have the size of: what the product gives, or what is
/// left after pooling. The totals of Figure 8 need the latter.
enum class FeatureMaps : std::uint8_t { pooled, product };

/// What a tensor in transition has shrunk by below level H1: batch by the dp levels of its source and channels by the
/// mp levels of its target, or both by the target's levels, as the target holds it. The paper does not say.
enum class ConversionShape : std::uint8_t { source, target };

/// What the array does with a batch: a training step, or the forward products alone.
enum class Task : std::uint8_t { training, inference };

/// How tensors are counted where the paper can be read in several ways. Sec. 3.4 counts what a pair exchanges twice,
/// once for each of the two; Tables 1 and 2 give amounts for one accelerator.
struct Accounting {
  FeatureMaps feature_maps = FeatureMaps::pooled;
  double partial_sum_count = 2;  ///< of F_{l+1}, Table 1; dW always counts twice
  double conversion_count = 2;   ///< Table 2
  ConversionShape conversion_shape = ConversionShape::source;
  Task task = Task::training;
};

/// Who holds what on the two sides of a transition decides what is exchanged (Table 2). A layer in mp ends with the
/// whole F and needs the whole E; a junction holds F and E alike, split by batch (dp) or by channel (mp).
enum class Source : std::uint8_t { layer, junction };

/// Parts of a tensor that an accelerator fetches from its counterpart when `from` hands it to `to` at one level.
struct Conversion {
  double forward = 0;   ///< of F_{l+1}
  double backward = 0;  ///< of E_{l+1}
  double both() const { return forward + backward; }
};

/// Table 2 for layers; for junctions the same overlap of holdings: between batch and channel halves a quarter of F and
/// of E, between equal halves nothing.
constexpr Conversion conversion(Source source, bool from_model, bool to_model) {
  if (source == Source::layer) {
    if (from_model) return {0, 0.5};
  } else if (from_model) {
    return to_model ? Conversion{} : Conversion{0.25, 0.25};
  }
  return to_model ? Conversion{0.25, 0.25} : Conversion{};
}

/// Sizes of the tensors of a training step, in bytes that a pair of groups at level H1 would exchange for a whole
/// tensor: each of the two fetches it, so 2 x elements x word (Sec. 3.4) if counted twice.
struct TensorBytes {
  TensorBytes(const workload::TrainingNetwork& network, std::int64_t batch, double word_bytes,
              const Accounting& accounting);

  std::vector<double> gradient;    ///< A(dW) of each node; nothing in inference
  std::vector<double> features;    ///< A(F_{l+1}) of each node: its partial sums
  std::vector<double> transition;  ///< A(F_{l+1}) = A(E_{l+1}) of each transition
  ConversionShape conversion_shape;
  Task task;
};

/// What one byte of a tensor costs under each state, summed over levels. A level h costs `weight[h - 1]` for each byte
/// that a pair exchanges there: 2^(h-1) pairs for total bytes, seconds per byte for time. Below level H1 tensors have
/// shrunk: dW is halved by each mp level above, F by each dp level, and a tensor in transition as ConversionShape says.
struct CostTables {
  CostTables(int levels, const std::vector<double>& weight, ConversionShape shape, Task task = Task::training);

  const double* conversion(Source source) const { return conversions[static_cast<std::size_t>(source)].data(); }

  int levels;
  std::vector<double> gradient;  ///< by state
  std::vector<double> features;  ///< by state
  /// By source's and target's state, row by row.
  std::array<std::vector<double>, 2> conversions;
};

/// Weights of the objective "total bytes": the pairs of each level (Algorithm 2: com = com_h + 2 com_n).
std::vector<double> pairs_of_levels(int levels);

Source source_of(const workload::TrainingNode& node);

/// What a node and a transition exchange at one level, in bytes of a pair.
double gradient_bytes(double whole, search::State state, int level);
double feature_bytes(double whole, search::State state, int level);
Conversion transition_bytes(double whole, Source source, ConversionShape shape, Task task, search::State from,
                            search::State to, int level);

}  // namespace pimsweep::systems::hypar
