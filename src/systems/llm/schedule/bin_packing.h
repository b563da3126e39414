#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pimsweep::systems::llm::schedule {

/// Decides whether integer lengths fit into equal bins, for a series of capacities. Reuses its memory between calls.
class BinPacker {
 public:
  enum class Outcome : std::uint8_t { fits, does_not_fit, unknown };

  /// `lengths` are positive, from the longest to the shortest, and live as long as the packer. Their sum times the
  /// number of bins is below 2^62.
  BinPacker(std::span<const std::int64_t> lengths, std::size_t bins);

  /// True if a lower bound on the number of bins shows that the capacity is too small: the sum; lengths above half the
  /// capacity with the space that they leave, for all thresholds below which lengths are ignored (Martello and Toth,
  /// Lower bounds and reduction procedures for the bin packing problem, Discrete Applied Mathematics 1990; by number:
  /// Dell'Amico and Martello, ORSA Journal on Computing 1995); dual feasible functions (Fekete and Schepers,
  /// Mathematical Programming 2001).
  bool is_refuted(std::int64_t capacity);

  /// Packs, or shows that there is no packing, by bin completion (Korf, An improved algorithm for optimal bin packing,
  /// IJCAI 2003): the longest length that is left gets a bin, with each set of others that none dominates. Takes what
  /// it needs from `steps_left`; unknown if these are not enough.
  Outcome pack(std::int64_t capacity, std::size_t& steps_left);

  /// Bin of each length, of the last packing that was found.
  std::span<const std::uint32_t> bins_of() const { return bin_; }

 private:
  /// Indices of the lengths that share a bin with the longest one.
  struct Completion {
    std::int64_t sum = 0;
    std::vector<std::uint32_t> members;
  };
  /// Node of the search: the remaining lengths, falling, and the completions of the bin of the longest.
  struct Level {
    std::vector<std::uint32_t> left;
    std::vector<Completion> completions;
    std::size_t count = 0;
  };

  Outcome descend(std::size_t bin);
  bool fills_halves(std::span<const std::int64_t> lengths, std::size_t bins);
  bool fills_by_number(std::int64_t threshold) const;
  bool fills_by_function() const;
  bool list_completions(Level& level, std::int64_t least);
  void choose(Level& level, std::size_t next, std::int64_t least);
  bool is_dominated(const Level& level) const;
  bool spend(std::size_t steps);

  std::span<const std::int64_t> lengths_;
  std::size_t bins_;
  std::int64_t capacity_ = 0;
  std::size_t steps_left_ = 0;
  bool stopped_ = false;
  std::vector<std::uint32_t> bin_;
  std::vector<Level> levels_;
  /// Running sums, lengths that are left, and the members of a completion that is being made.
  std::vector<std::int64_t> sums_;
  std::vector<std::int64_t> rest_;
  std::vector<std::uint32_t> members_;
  std::int64_t room_ = 0;
};

}  // namespace pimsweep::systems::llm::schedule
