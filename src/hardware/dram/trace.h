#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "hardware/dram/address_mapping.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// A request of a trace file.
struct TraceRequest {
  bool write = false;
  std::int64_t address = 0;  ///< in bytes, if `place` is empty
  /// Channel, [domain,] bank group, bank, row and column, the last in accesses.
  std::vector<std::int64_t> place;
  std::int64_t cycle = 0;  ///< in which it is offered, in formats that give it
};

/// Reads the requests of a trace file in bounded memory, one a line, compressed by gzip or not. Formats, distinguished
/// by the first request:
///
///     LD 4096               Ramulator, load/store: address in bytes, decimal or 0x
///     R 0,0,1,2,300,4       Ramulator, read/write: channel, [rank or pseudo-channel,] bank group, bank, row, column
///     0x12340 READ 100      DRAMSim3: address, READ or WRITE, cycle
///
/// Empty lines and those that begin with `#` are skipped.
class TraceReader {
 public:
  /// Throws InputError if the file cannot be read.
  explicit TraceReader(std::string path);
  ~TraceReader();
  TraceReader(const TraceReader&) = delete;
  TraceReader& operator=(const TraceReader&) = delete;

  /// Reads the next request; false at the end. Throws InputError with line and column.
  bool next(TraceRequest& request);
  std::uint32_t line() const { return line_number_; }
  /// Hash of the text so far, whether it is compressed or not; of all text after the last request.
  const Hash128& content() const { return content_; }

 private:
  struct File;
  enum class Format : std::uint8_t { unknown, load_store, read_write, dramsim3 };

  bool next_line();
  void fill();
  void parse(TraceRequest& request);
  Format format_of(const std::vector<std::string_view>& words) const;
  std::int64_t number(std::string_view text, int base) const;
  [[noreturn]] void refuse(std::string_view place, const std::string& message) const;

  std::string path_;
  std::unique_ptr<File> file_;
  /// Text that has been read; the part from begin_ on is not used yet.
  std::string text_;
  std::size_t begin_ = 0;
  bool ended_ = false;
  std::string_view line_;
  std::uint32_t line_number_ = 0;
  Format format_ = Format::unknown;
  std::int64_t last_cycle_ = 0;
  Hash128 content_;
};

/// Replay of a trace.
struct TraceReplay {
  std::string path;
  Mapping mapping = Mapping::ro_ba_ra_co_ch;
  std::int64_t channels = 1;
  /// A request is offered no earlier than in its cycle; otherwise as soon as a queue takes it.
  bool at_given_cycles = false;
};

/// A request and the first cycle in which it is offered; -1: as soon as a queue takes it.
struct TimedRequest {
  Request request;
  std::int64_t due = -1;
};

/// The requests of a trace to one channel, in parts.
class TraceSource {
 public:
  TraceSource(const Organization& organization, const TraceReplay& replay, std::int64_t channel)
      : organization_(organization),
        replay_(replay),
        channel_(channel),
        map_(organization, replay.mapping),
        reader_(replay.path) {}

  /// The next requests; none at the end. Addresses beyond the capacity wrap around. Throws InputError, also where a
  /// place is outside the channel.
  const std::vector<TimedRequest>& next_part();

 private:
  /// Adds a request to the part if it goes to this channel.
  void add(const TraceRequest& line);
  Request placed(const TraceRequest& line) const;

  const Organization organization_;
  const TraceReplay replay_;
  const std::int64_t channel_;
  AddressMapping map_;
  TraceReader reader_;
  std::vector<TimedRequest> part_;
};

/// Latencies and throughput of a replay: the cycles that reads waited for their data, from the cycle in which they were
/// due, and the accesses over time. Memory does not depend on the number of requests.
class TraceLog {
 public:
  /// Reads with a latency of `from` to `to` cycles.
  struct LatencyRange {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t reads = 0;
  };
  /// Reads whose data arrived by the end of one of the cycles from `from` to `to`, and writes issued in them.
  struct Interval {
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t reads = 0;
    std::int64_t writes = 0;
  };

  void begin_read(std::int64_t read, std::int64_t cycle) { waiting_.emplace(read, cycle); }
  void end_read(std::int64_t read, std::int64_t cycle);
  void write(std::int64_t cycle) { ++interval_of(cycle - 1).writes; }

  /// The minimum latency that this share of all reads does not exceed; 0 without reads.
  std::int64_t quantile(double share) const;
  /// Ranges with reads, each about a quarter longer than the one before.
  std::vector<LatencyRange> histogram() const;
  /// Equal intervals from the first cycle to the last access, at most max_intervals.
  std::vector<Interval> intervals() const;

 private:
  struct Accesses {
    std::int64_t reads = 0;
    std::int64_t writes = 0;
  };
  static constexpr std::size_t max_intervals = 128;

  /// Doubles the width of the intervals until they include the cycle.
  Accesses& interval_of(std::int64_t cycle);

  std::unordered_map<std::int64_t, std::int64_t> waiting_;
  /// Number of reads by latency.
  std::vector<std::int64_t> counts_;
  std::int64_t reads_ = 0;
  std::array<Accesses, max_intervals> accesses_{};
  std::int64_t width_ = 1;
};

}  // namespace pimsweep::hardware::dram
