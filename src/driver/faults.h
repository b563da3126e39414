#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pimsweep::driver {

/// Fault injection for tests: makes this process die or hang when it begins a point.
class Fault {
 public:
  /// No fault.
  Fault() = default;
  /// Parses "KIND@rank=K,nth=N" (rank K, at the start of its N-th point, counted from 1) or "KIND@point=P" (any rank,
  /// whenever it begins point P of the plan). KIND is kill, segv, exit, hang (in the point) or stop (the whole
  /// process). Throws InputError.
  Fault(const std::string& text, int rank);

  /// Must be called before each point.
  void before(std::uint64_t point) {
    if (kind_ != Kind::none) trigger_if_due(point);
  }

 private:
  enum class Kind : std::uint8_t { none, kill, segv, exit, hang, stop };
  void trigger_if_due(std::uint64_t point);

  Kind kind_ = Kind::none;
  std::optional<std::uint64_t> point_;
  std::uint64_t countdown_ = 0;
};

}  // namespace pimsweep::driver
