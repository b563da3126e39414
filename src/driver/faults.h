#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace pimsweep::driver {

/// A fault that tests order on purpose: this process dies, or hangs, as it begins a point.
class Fault {
 public:
  /// No fault.
  Fault() = default;
  /// Reads "KIND@rank=K,nth=N" (rank K as it begins its N-th point, from 1) or "KIND@point=P" (any rank, whenever it
  /// begins point P of the plan). KIND is kill, segv, exit, hang (in the point) or stop (the whole process). Throws
  /// InputError.
  Fault(const std::string& text, int rank);

  /// To be called before each point.
  void before(std::uint64_t point) {
    if (kind_ != Kind::none) strike_if_due(point);
  }

 private:
  enum class Kind : std::uint8_t { none, kill, segv, exit, hang, stop };
  void strike_if_due(std::uint64_t point);

  Kind kind_ = Kind::none;
  std::optional<std::uint64_t> point_;
  std::uint64_t countdown_ = 0;
};

}  // namespace pimsweep::driver
