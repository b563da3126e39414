#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hardware/dram/request.h"
#include "systems/allspark/machine.h"

namespace pimsweep::systems::allspark::cycle {

/// A bank as it is simulated. Throws PointError unless an access is a whole number of bytes and a row a power of two of
/// accesses.
hardware::dram::Dram simulated_bank(const Machine& machine);

/// The DRAM banks of a node, cycle by cycle at the clock of the logic die. Each bank is a separate channel and data is
/// spread evenly over them, so only one is simulated. Refresh is spread evenly over time, so its share is measured
/// once. Series of more than `max_requests` requests are extrapolated at the rate of the first ones.
class NodeDram {
 public:
  static constexpr std::int64_t max_requests = 4096;

  /// `bank`: one bank; `banks` of them work in parallel. Throws PointError where refreshes are too rare to be
  /// simulated.
  NodeDram(const hardware::dram::Dram& bank, std::int64_t banks, double word_bytes);

  /// Cycles to read or to write adjacent words.
  double stream_cycles(std::int64_t words, bool write);
  /// Cycles of all reads and writes of a GEMM, tile by tile in the order of its mapping; each tile is contiguous. Loads
  /// run ahead of the computation as far as the controller's queues allow.
  double gemm_cycles(const hardware::pe_array::Gemm& gemm, const hardware::pe_array::GemmMapping& mapping);

 private:
  double simulated_gemm(const hardware::pe_array::Gemm& gemm, const hardware::pe_array::GemmMapping& mapping);
  /// Cycles of a series whose first part, the fraction `share`, is `requests`.
  double cycles_of(const std::vector<hardware::dram::Request>& requests, double share) const;

  hardware::dram::Dram bank_;
  double words_per_access_;
  double refresh_factor_ = 1;
  std::map<std::pair<std::int64_t, bool>, double> streams_;
  std::map<std::array<std::int64_t, 7>, double> gemms_;
  std::vector<hardware::dram::Request> requests_;
};

}  // namespace pimsweep::systems::allspark::cycle
