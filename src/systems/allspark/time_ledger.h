#pragma once

#include <cstdint>
#include <string_view>

#include "systems/allspark/gemm_cache.h"
#include "systems/allspark/machine.h"
#include "systems/system.h"

namespace pimsweep::allspark {

/// The four shares of a temporal layer's time, in cycles (Eq. 12: N_bt (T^c + T^t) + T^ws).
struct TimeShares {
  std::int64_t compute = 0;
  std::int64_t nonlinear = 0;
  std::int64_t transfer = 0;
  std::int64_t weight_sharing = 0;

  std::int64_t total() const { return compute + nonlinear + transfer + weight_sharing; }
  TimeShares& operator+=(const TimeShares& other);
  friend TimeShares operator*(std::int64_t times, const TimeShares& shares);
  friend bool operator==(const TimeShares&, const TimeShares&) = default;
};

/// Adds up what one node does for one branch, phase by phase, each rounded up to whole cycles. With a section to write
/// to, it notes every phase there.
class TimeLedger {
 public:
  TimeLedger(const Machine& machine, GemmCache& gemms, Explanation::Section* notes)
      : machine_(machine), gemms_(gemms), notes_(notes) {}

  /// `repeats` matrix products on the PE array.
  void gemm(std::string_view phase, const hardware::Gemm& gemm, std::int64_t repeats = 1);
  /// Multiply-accumulates outside of matrix products, spread over all PEs.
  void macs(std::string_view phase, double count);
  void nonlinear(std::string_view phase, std::int64_t elements, std::int64_t passes);
  /// Words that the node receives over its ring.
  void transfer(std::string_view phase, std::int64_t words);
  void share_weights(std::string_view phase, std::int64_t words);

  const TimeShares& shares() const { return shares_; }

 private:
  std::int64_t transfer_cycles(std::int64_t words) const;
  void note(std::string_view phase, std::string_view value, std::int64_t cycles);

  const Machine& machine_;
  GemmCache& gemms_;
  Explanation::Section* notes_;
  TimeShares shares_;
};

}  // namespace pimsweep::allspark
