#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pimsweep::driver {

/// Fault injection for tests: makes this process die or hang when it begins a point or the results file is written.
class Fault {
 public:
  /// No fault.
  Fault() = default;
  /// Parses "KIND@rank=K,nth=N" (rank K, at the start of its N-th point, counted from 1), "KIND@point=P" (any rank,
  /// whenever it begins point P of the plan) or "KIND@rank=0,rows=N" (rank 0, before it reads the N-th point for the
  /// results file). KIND is kill, segv, exit, hang (in the point) or stop (the whole process). Throws InputError.
  Fault(const std::string& text, int rank);

  /// Must be called before each point.
  void before(std::uint64_t point) {
    if (kind_ != Kind::none && !is_of_rows_ && is_due(point)) trigger();
  }
  /// Must be called before each point is read for the results file.
  void before_row() {
    if (kind_ != Kind::none && is_of_rows_ && --countdown_ == 0) trigger();
  }

 private:
  enum class Kind : std::uint8_t { none, kill, segv, exit, hang, stop };
  bool is_due(std::uint64_t point) { return point_ ? *point_ == point : --countdown_ == 0; }
  void trigger() const;

  Kind kind_ = Kind::none;
  std::optional<std::uint64_t> point_;
  bool is_of_rows_ = false;
  std::uint64_t countdown_ = 0;
};

}  // namespace pimsweep::driver
