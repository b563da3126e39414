#include "systems/allspark/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/checked.h"
#include "base/error.h"
#include "hardware/dram/constraints.h"
#include "hardware/dram/rules.h"

namespace pimsweep::systems::allspark {

namespace {

/// Timing constraints of a bank with its own controller. The paper's timing has no others.
constexpr std::string_view bank_rules = R"(
domain | RD        | RD        | nBL
domain | WR        | WR        | nBL
domain | RD        | WR        | nCL + nBL + 2 - nCWL
domain | WR        | RD        | nCWL + nBL + nWTRS
domain | RD        | PREab     | nRTP
domain | WR        | PREab     | nCWL + nBL + nWR
domain | ACT       | PREab     | nRAS
domain | ACT       | REFab     | nRC
domain | PREab     | ACT       | nRP
domain | PRE PREab | REFab     | nRP
domain | REFab     | ACT PREab | nRFC
bank   | ACT       | ACT       | nRC
bank   | ACT       | RD        | nRCDRD
bank   | ACT       | WR        | nRCDWR
bank   | ACT       | PRE       | nRAS
bank   | PRE       | ACT       | nRP
bank   | RD        | PRE       | nRTP
bank   | WR        | PRE       | nCWL + nBL + nWR
)";

}  // namespace

std::shared_ptr<const hardware::dram::Constraints> bank_constraints() {
  return hardware::dram::parse_constraints(bank_rules);
}

std::int64_t Machine::node_bytes() const {
  return Count::of(std::floor(static_cast<double>(dram.banks) * dram.capacity));
}

hardware::pe_array::PeArray Machine::pe_array() const {
  hardware::pe_array::PeArray array;
  array.rows = pe_rows;
  array.cols = pe_cols;
  array.buffer_words = Count::of(std::floor(buffer_bytes / word_bytes));
  array.dram_words_per_cycle = static_cast<double>(dram.banks) * dram.bandwidth / clock / word_bytes;
  return array;
}

void Machine::require_buffer() const {
  const hardware::pe_array::PeArray array = pe_array();
  if (array.buffer_words >= array.min_buffer_words()) return;
  throw PointError(fmt::format("hardware.sram.buffer holds {} words; a {} x {} PE array needs at least {}",
                               array.buffer_words, array.rows, array.cols, array.min_buffer_words()));
}

double Machine::transfer_cycles_per_byte() const {
  // A chunk is read from the sender's DRAM, crosses a link and is written to the receiver's DRAM.
  const double on_link = 1 / flit_bytes();
  const double in_dram = 2 / (static_cast<double>(dram.banks) * dram.bandwidth / clock);
  return mesh.transfer == Transfer::pipelined ? std::max(on_link, in_dram) : on_link + in_dram;
}

hardware::dram::Dram Machine::bank() const {
  // Seconds in whole clock cycles; the tolerance keeps 20 ns of a file at 8 cycles of 2.5 ns.
  constexpr double rounding = 1e-9;
  const auto cycles = [&](double seconds) -> std::int64_t { return Count::of(std::ceil(seconds * clock - rounding)); };
  const BankTiming& seconds = dram.timing;
  hardware::dram::Dram bank;
  bank.constraints = bank_constraints();
  bank.tCK = 1 / clock;
  hardware::dram::Timing& timing = bank.timing;
  timing.nBL = 1;
  timing.nRCDRD = timing.nRCDWR = cycles(seconds.tRCD);
  timing.nRP = cycles(seconds.tRP);
  timing.nRAS = cycles(seconds.tRAS);
  timing.nRC = timing.nRAS + timing.nRP;
  timing.nRFC = cycles(seconds.tRFC);
  timing.nREFI = Count::of(std::floor(seconds.tREFI * clock + rounding));
  timing.nCL = cycles(seconds.tCL);
  timing.nCWL = cycles(seconds.tCWL);
  timing.nWR = cycles(seconds.tWR);
  timing.nRTP = cycles(seconds.tRTP);
  timing.nWTRS = cycles(seconds.tWTR);
  if (const std::int64_t blocked = hardware::dram::Rules(bank).refresh_blocks(); timing.nREFI <= blocked) {
    throw PointError(
        fmt::format("hardware.dram.tREFI is {} clocks, a refresh blocks the bank for {} "
                    "(rates = \"peak\" with fidelity = \"analytic\" has no refresh)",
                    timing.nREFI, blocked));
  }
  return bank;
}

hardware::noc::router::RouterSettings Machine::router() const {
  hardware::noc::router::RouterSettings router;
  router.virtual_channels = mesh.virtual_channels;
  router.buffer_size = mesh.buffer;
  return router;
}

hardware::noc::router::PacketFormat Machine::packets() const {
  // The network of routers is square (docs/noc.md).
  constexpr std::int64_t max_side = 128;
  static_assert(max_side * max_side == hardware::noc::router::max_nodes);
  if (const std::int64_t side = std::max(node_rows, node_cols); side > max_side) {
    throw PointError(
        fmt::format("the node array has {} rows or columns; on the routers at most {} are allowed", side, max_side));
  }
  const double flit = flit_bytes();
  if (flit < 1 || flit > 65536) {
    throw PointError(fmt::format("a link carries {} bytes in a cycle; on the routers 1 to 65536 are allowed", flit));
  }
  hardware::noc::router::PacketFormat format;
  format.flit_bytes = static_cast<std::uint32_t>(flit);
  format.max_flits = mesh.packet_flits;
  return format;
}

hardware::silicon::Parts Machine::parts() const {
  const auto count = static_cast<double>(node_rows) * static_cast<double>(node_cols);
  hardware::silicon::Parts parts;
  parts.units = count * static_cast<double>(pe_rows) * static_cast<double>(pe_cols);
  parts.lanes = count * static_cast<double>(acu.lanes);
  parts.sram_bytes = count * buffer_bytes;
  parts.link_bytes = count * mesh.link_bandwidth / clock;
  parts.dram_bytes = count * static_cast<double>(dram.banks) * dram.capacity;
  return parts;
}

}  // namespace pimsweep::systems::allspark
