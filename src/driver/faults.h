#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pimsweep::driver {

/// Fault injection for tests: makes this process die or hang when it begins a point or a block of the results file.
class Fault {
 public:
  /// No fault.
  Fault() = default;
  /// Parses "KIND@rank=K,nth=N" (rank K, at the start of its N-th point, counted from 1), "KIND@point=P" (any rank,
  /// whenever it begins point P of the plan) or "KIND@rank=K,blocks=N" (rank K, before the N-th time that it encodes
  /// blocks of the results file, or, rank 0, that it takes such). KIND is kill, segv, exit, hang (in the point) or stop
  /// (the whole process). Throws InputError.
  Fault(const std::string& text, int rank);

  /// Must be called before each point.
  void before(std::uint64_t point) {
    if (kind_ != Kind::none && !is_of_blocks_ && is_due(point)) trigger();
  }
  /// Must be called before blocks are encoded or taken.
  void before_blocks() {
    if (kind_ != Kind::none && is_of_blocks_ && --countdown_ == 0) trigger();
  }

 private:
  enum class Kind : std::uint8_t { none, kill, segv, exit, hang, stop };
  bool is_due(std::uint64_t point) { return point_ ? *point_ == point : --countdown_ == 0; }
  void trigger() const;

  Kind kind_ = Kind::none;
  std::optional<std::uint64_t> point_;
  bool is_of_blocks_ = false;
  std::uint64_t countdown_ = 0;
};

}  // namespace pimsweep::driver
