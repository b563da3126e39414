#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/schedule/run_cost.h"

namespace pimsweep::systems::rtconc::schedule {

/// A number of threads and their affinity.
struct Case {
  double threads = 1;
  hardware::manycore::Affinity affinity = hardware::manycore::Affinity::spread;

  friend bool operator==(const Case&, const Case&) = default;
};

/// The cases that are predicted (Sec. III-B): 1 to as many threads as tiles, each on a tile alone, and even numbers up
/// to all cores with neighbors on a tile. Sorted by number of threads; of equal numbers the one without sharing is
/// first.
std::vector<Case> cases_of(const hardware::manycore::Device& device);

/// Operations of one type and size.
struct OperationClass {
  hardware::manycore::Work work;
  /// Index of the type. Strategy 2 assigns one number of threads to all operations of a type.
  std::uint32_t kind = 0;
  Waking waking = {};
  /// Seconds on one thread, in addition to the part that the threads share.
  double serial = 0;
  /// Maximum number of threads that the library uses for the work.
  double max_threads = 1e9;
  std::uint32_t instances = 0;
  /// True if the runtime may choose the number of threads; otherwise there is one on each core.
  bool resizable = true;
};

/// The classes with OpenMP's threads awake.
std::vector<OperationClass> spinning(std::span<const OperationClass> classes);

/// The cost of a class in a case. Threads beyond the limit of the library stay unused, and their cores free.
RunCost cost_of(const hardware::manycore::Device& device, const OperationClass& one, const Case& which);

/// Times of operation classes over the cases with all threads awake, which machines share that differ only in the
/// wake-up of threads.
class RunTimes {
 public:
  RunTimes(const hardware::manycore::Device& device, std::span<const OperationClass> classes,
           std::span<const Case> cases);

  const hardware::manycore::RunTime& at(std::size_t operation_class, std::size_t which) const {
    return times_[operation_class * cases_ + which];
  }

 private:
  std::size_t cases_;
  std::vector<hardware::manycore::RunTime> times_;
};

/// The cost of a class in a case, and its seconds alone, if this is the time with all threads awake.
RunCost cost_of(const hardware::manycore::Device& device, const OperationClass& one, const Case& which,
                const hardware::manycore::RunTime& time);
double seconds_of(const OperationClass& one, const Case& which, const hardware::manycore::RunTime& time);

/// Times of operation classes over the cases: `cases` entries for each class.
class CostTable {
 public:
  CostTable(const hardware::manycore::Device& device, std::span<const OperationClass> classes,
            std::span<const Case> cases);
  CostTable(const hardware::manycore::Device& device, std::span<const OperationClass> classes,
            std::span<const Case> cases, const RunTimes& times);
  /// One case of another table.
  CostTable(const CostTable& whole, std::size_t which);

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

/// Predicted seconds of every class for every case, class by class.
struct Prediction {
  std::size_t cases = 0;
  std::vector<double> seconds;

  std::span<const double> of(std::size_t operation_class) const { return {&seconds[operation_class * cases], cases}; }
};

}  // namespace pimsweep::systems::rtconc::schedule
