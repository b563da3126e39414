#pragma once

#include <cstdint>

namespace pimsweep::hardware::dram {

/// Commands issued by a channel.
struct Commands {
  std::int64_t act = 0;
  std::int64_t pre = 0;    ///< of one bank
  std::int64_t preab = 0;  ///< of all banks of a domain
  std::int64_t rd = 0;
  std::int64_t wr = 0;
  std::int64_t ref = 0;    ///< of all banks of a domain
  std::int64_t refpb = 0;  ///< of a bank, or of the same bank of several groups

  friend bool operator==(const Commands&, const Commands&) = default;
};

/// Cost of a series of requests on a channel.
struct Result {
  /// Clocks until all reads have their data and all writes have been issued.
  std::int64_t cycles = 0;
  /// Clocks until the last request entered a queue.
  std::int64_t cycles_last_accept = 0;
  /// Requests by the state that their first command met: row open, bank closed, another row open.
  std::int64_t row_hits = 0;
  std::int64_t row_misses = 0;
  std::int64_t row_conflicts = 0;
  /// Reads answered from the write queue, and writes replaced by later ones; not counted as hits, misses or conflicts.
  std::int64_t reads_forwarded = 0;
  std::int64_t writes_coalesced = 0;
  /// Clocks from entering a queue to the data, summed over reads served by DRAM.
  std::int64_t read_latency = 0;
  /// Clocks with an open bank, summed over domains.
  std::int64_t open_clocks = 0;
  Commands commands;

  double mean_read_latency() const {
    return commands.rd == 0 ? 0.0 : static_cast<double>(read_latency) / static_cast<double>(commands.rd);
  }
  friend bool operator==(const Result&, const Result&) = default;
};

/// Calls `visit` for each pair of counts of two results that grow with the requests, except open_clocks.
template <typename R, typename S, typename Visit>
void for_each_count(R& r, S& s, Visit visit) {
  visit(r.row_hits, s.row_hits);
  visit(r.row_misses, s.row_misses);
  visit(r.row_conflicts, s.row_conflicts);
  visit(r.reads_forwarded, s.reads_forwarded);
  visit(r.writes_coalesced, s.writes_coalesced);
  visit(r.read_latency, s.read_latency);
  visit(r.commands.act, s.commands.act);
  visit(r.commands.pre, s.commands.pre);
  visit(r.commands.preab, s.commands.preab);
  visit(r.commands.rd, s.commands.rd);
  visit(r.commands.wr, s.commands.wr);
  visit(r.commands.ref, s.commands.ref);
  visit(r.commands.refpb, s.commands.refpb);
}

}  // namespace pimsweep::hardware::dram
