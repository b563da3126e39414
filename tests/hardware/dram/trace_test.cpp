#include "hardware/dram/trace.h"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "channels.h"
#include "hardware/dram/machine.h"
#include "hardware/dram/simulation.h"
#include "literal.h"
#include "random_channels.h"

using namespace pimsweep::hardware::dram;
using namespace pimsweep;
using pimsweep::test::Dice;

namespace {

/// A file that is removed.
class Scratch {
 public:
  explicit Scratch(const std::string& text, bool compressed = false) {
    path_ = std::filesystem::temp_directory_path() / ("pimsweep-trace-" + std::to_string(getpid()) + ".txt");
    if (compressed) {
      const gzFile file = gzopen(path_.c_str(), "wb");
      gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
      gzclose(file);
    } else {
      std::ofstream(path_) << text;
    }
  }
  ~Scratch() { std::filesystem::remove(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string error_of(const std::string& text) {
  const Scratch file(text);
  try {
    TraceReader reader(file.path());
    for (TraceRequest request; reader.next(request);) continue;
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find(file.path()) + file.path().size());
  }
  return "";
}

Result replay(const Dram& dram, const std::string& text, bool compressed = false, std::int64_t channels = 1) {
  const Scratch file(text, compressed);
  TraceLog log;
  return simulate_trace(dram, {}, {file.path(), Mapping::ro_ba_ra_co_ch, channels, false}, log);
}

}  // namespace

TEST_CASE("formats of traces of the same requests give the same, compressed or not") {
  const Dram dram = test::ddr4_2400();
  Dice dice(1);
  const AddressMapping map(dram.organization, Mapping::ro_ba_ra_co_ch);
  std::string load_store = "# a comment\n\n";
  std::string read_write;
  std::string timed;
  std::vector<Request> requests;
  // More than a part of the reader.
  for (int i = 0; i < 6000; ++i) {
    const std::int64_t access = dice(0, dram.organization.accesses() - 1);
    Request request = map(access);
    request.write = dice(0, 2) == 0;
    requests.push_back(request);
    const std::string address = std::to_string(access * 64 + dice(0, 63));
    load_store += (request.write ? "ST " : "LD ") + address + "\n";
    const std::int64_t group = request.bank / 4;
    read_write += std::string(request.write ? "W" : "R") + " 0,0," + std::to_string(group) + "," +
                  std::to_string(request.bank % 4) + "," + std::to_string(request.row) + "," +
                  std::to_string(request.column) + "\r\n";
    char hex[32];
    std::snprintf(hex, sizeof hex, "0x%lX", static_cast<long>(access * 64));
    timed += std::string(hex) + (request.write ? " WRITE " : " READ ") + std::to_string(i / 2) + "\n";
  }
  timed.pop_back();  // the last line need not end
  const Result expected = simulate(dram, {}, requests);
  CHECK(replay(dram, load_store) == expected);
  CHECK(replay(dram, load_store, true) == expected);
  CHECK(replay(dram, read_write) == expected);
  CHECK(replay(dram, timed) == expected);
  // Two channels share the addresses.
  const Result two = replay(dram, load_store, false, 2);
  CHECK(two.commands.rd + two.reads_forwarded == expected.commands.rd + expected.reads_forwarded);
  CHECK(two.cycles < expected.cycles);

  const auto content = [](const Scratch& file) {
    TraceReader reader(file.path());
    for (TraceRequest request; reader.next(request);) continue;
    return reader.content();
  };
  const Hash128 plain = content(Scratch(load_store));
  CHECK(plain == content(Scratch(load_store, true)));
  CHECK(plain != content(Scratch(load_store + "LD 0\n")));
}

TEST_CASE("lines that are not requests are refused with line, column and what is allowed") {
  CHECK(error_of("LD 0\nLOAD 4\n").starts_with(":2:1: expected 'LD ADDRESS'"));
  CHECK(error_of("LD 0\nLD 12x\n") == ":2:4: expected a number from 0 to 2^63 - 1, got '12x'");
  CHECK(error_of("LD -1\n") == ":1:4: expected a number from 0 to 2^63 - 1, got '-1'");
  CHECK(error_of("LD 9223372036854775808\n").starts_with(":1:4: expected a number"));
  CHECK(error_of("LD 0\n  R 0,0,0,0,0\n") == ":2:3: the format differs from that of the requests before");
  CHECK(error_of("R 0,1,2\n").starts_with(":1:3: expected 5 or 6 numbers"));
  CHECK(error_of("0x0 READ 5\n0x0 READ 4\n") == ":2:10: cycle 4 is before that of the request before, 5");
  CHECK(error_of("# nothing\n") == ": the trace does not contain a request");
  CHECK(error_of("LD " + std::string(100000, '0')).find("longer than 4096 characters") != std::string::npos);
  CHECK_THROWS_WITH(TraceReader("nowhere/no.trace"), Catch::Contains("nowhere/no.trace: the trace is not a file"));
  const Dram dram = test::ddr4_2400();
  CHECK_THROWS_WITH(replay(dram, "R 0,0,0,0,0,0\nR 0,0,4,0,0,0\n"), Catch::Contains("bank group 4: the channel has 4"));
}

TEST_CASE("requests are offered in their cycles, clock by clock") {
  Dice dice(2);
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    const Dram dram = test::random_dram(dice);
    const ControllerOptions options = test::random_options(dice);
    std::vector<TimedRequest> timed;
    std::vector<Request> requests;
    std::vector<std::int64_t> due;
    std::int64_t cycle = 0;
    while (timed.size() < 100) {
      const Organization& o = dram.organization;
      cycle += dice(0, 3) == 0 ? dice(0, 200) : dice(0, 3);
      timed.push_back(
          {{dice(0, o.all_banks() - 1), dice(0, o.rows - 1), dice(0, o.columns - 1), dice(0, 2) == 0}, cycle});
      requests.push_back(timed.back().request);
      due.push_back(cycle);
    }
    REQUIRE(simulate(dram, options, timed) == test::run_literally(dram, options, requests, due));
  }
}

TEST_CASE("latencies of reads count from the cycles in which they are due") {
  const Dram dram = test::ddr4_2400();
  // The second pair finds its row open; its second read waits for tCCD_L.
  const Scratch file("0x0 READ 0\n0x40 READ 1000\n0x80 READ 1000\n");
  TraceLog log;
  const TraceReplay replay{file.path(), Mapping::ro_ba_ra_co_ch, 1, true};
  const Result result = simulate_trace(dram, {}, replay, log);
  CHECK(log.quantile(1.0 / 3) == 1 + 16 + 4);
  CHECK(log.quantile(0.5) == 1 + 16 + 4 + 6);
  CHECK(log.quantile(1) == 1 + 16 + 16 + 4);
  const auto total = [](const auto& rows, auto member) {
    return std::accumulate(rows.begin(), rows.end(), std::int64_t{0},
                           [&](std::int64_t sum, const auto& row) { return sum + row.*member; });
  };
  const auto ranges = log.histogram();
  CHECK(ranges.size() == 3);
  CHECK(total(ranges, &TraceLog::LatencyRange::reads) == 3);
  for (const auto& range : ranges) CHECK(range.from <= range.to);
  CHECK(ranges.front().from <= 21);
  CHECK(ranges.back().to >= 37);
  const auto intervals = log.intervals();
  CHECK(total(intervals, &TraceLog::Interval::reads) == 3);
  CHECK(intervals.front().from == 0);
  CHECK(intervals.front().reads == 0);
  CHECK(intervals.back().reads > 0);
  CHECK(intervals.back().to >= 1001 + 16 + 4 + 6);
  for (std::size_t i = 1; i < intervals.size(); ++i) CHECK(intervals[i].from == intervals[i - 1].to + 1);
  // The third is offered a cycle after the second.
  CHECK(result.cycles == 1001 + 16 + 4 + 6);
  CHECK(result.cycles_last_accept == 1001);
}
