#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pimsweep::systems::rtconc::schedule {

/// One training step as a scheduling problem: operations with a class each, and dependencies in compressed rows.
struct Step {
  /// Class of an operation that takes no time: a variable, a constant, a view.
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  std::vector<std::uint32_t> operation_class;
  /// Number of operations that each operation waits for.
  std::vector<std::uint32_t> predecessors;
  /// The successors of operation i are those from begin[i] to begin[i + 1].
  std::vector<std::uint32_t> successor_begin;
  std::vector<std::uint32_t> successors;
  /// Number of operation types.
  std::uint32_t kinds = 0;

  std::size_t size() const { return operation_class.size(); }
  std::span<const std::uint32_t> waiting_for(std::uint32_t operation) const {
    return {successors.data() + successor_begin[operation],
            successor_begin[operation + 1] - successor_begin[operation]};
  }
};

}  // namespace pimsweep::systems::rtconc::schedule
