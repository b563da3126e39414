#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/schedule/run_cost.h"

namespace pimsweep::systems::rtconc::schedule {

/// A number of threads and where they are.
struct Case {
  double threads = 1;
  hardware::manycore::Affinity affinity = hardware::manycore::Affinity::spread;
};

/// The cases that are predicted (Sec. III-B): 1 to as many threads as tiles, each on a tile of its own, and even
/// numbers up to all cores, neighbours on a tile. By number of threads, without sharing first.
std::vector<Case> cases_of(const hardware::manycore::Device& device);

/// An operation of one type and size: what all its instances in a step share.
struct OperationClass {
  hardware::manycore::Work work;
  /// Index of its type: a type's instances have one number of threads by Strategy 2.
  std::uint32_t kind = 0;
  Start start = Start::spinning;
  /// The library uses no more threads than this for so little work.
  double max_threads = 1e9;
  std::uint32_t instances = 0;
  /// Whether the runtime may choose its number of threads; if not it has those of all cores.
  bool resizable = true;
};

/// The same with OpenMP's threads awake.
std::vector<OperationClass> spinning(std::span<const OperationClass> classes);

/// Cost of one case; beyond the library's limit nothing changes: the other cores stay free.
RunCost cost_of(const hardware::manycore::Device& device, const OperationClass& one, const Case& which);

/// Times of operation classes over the cases: `cases` entries for each class.
class CostTable {
 public:
  CostTable(const hardware::manycore::Device& device, std::span<const OperationClass> classes,
            std::span<const Case> cases);

  const RunCost& at(std::size_t operation_class, std::size_t which) const {
    return costs_[operation_class * cases_ + which];
  }
  std::span<const RunCost> of(std::size_t operation_class) const { return {&costs_[operation_class * cases_], cases_}; }
  std::size_t classes() const { return costs_.size() / cases_; }
  std::size_t cases() const { return cases_; }

 private:
  std::size_t cases_;
  std::vector<RunCost> costs_;
};

}  // namespace pimsweep::systems::rtconc::schedule
