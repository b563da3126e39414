#include "hardware/dram/trace.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace pimsweep::hardware::dram {

namespace {

constexpr std::size_t part_bytes = 1 << 16;
constexpr std::size_t max_line = 4096;

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blanks = " \t\r";
  std::vector<std::string_view> words;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (line.empty()) return words;
    words.push_back(line.substr(0, line.find_first_of(blanks)));
    line.remove_prefix(words.back().size());
  }
}

}  // namespace

struct TraceReader::File {
  explicit File(gzFile opened) : handle(opened) {}
  ~File() { gzclose(handle); }
  gzFile handle;
};

TraceReader::TraceReader(std::string path) : path_(std::move(path)) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path_, error)) throw InputError({path_, 0, 0}, "the trace is not a file");
  const gzFile opened = gzopen(path_.c_str(), "rb");
  if (opened == nullptr) throw InputError({path_, 0, 0}, "the trace cannot be opened");
  file_ = std::make_unique<File>(opened);
}

TraceReader::~TraceReader() = default;

void TraceReader::fill() {
  std::array<char, part_bytes> part{};
  const int read = gzread(file_->handle, part.data(), part_bytes);
  int error = Z_OK;
  const char* const reason = gzerror(file_->handle, &error);
  if (read < 0 || (error != Z_OK && error != Z_STREAM_END))
    throw InputError({path_, line_number_, 0}, fmt::format("the trace cannot be read: {}", reason));
  ended_ = read == 0;
  text_.erase(0, begin_);
  begin_ = 0;
  text_.append(part.data(), static_cast<std::size_t>(read));
  if (!ended_) content_ = hash128(content_.text() + std::string(part.data(), static_cast<std::size_t>(read)));
}

bool TraceReader::next_line() {
  while (true) {
    const std::size_t end = text_.find('\n', begin_);
    if (end == std::string::npos && !ended_) {
      if (text_.size() - begin_ > max_line)
        throw InputError({path_, line_number_ + 1, 1}, fmt::format("the line is longer than {} characters", max_line));
      fill();
      continue;
    }
    if (begin_ == text_.size()) return false;
    const std::size_t stop = std::min(end, text_.size());
    line_ = std::string_view(text_).substr(begin_, stop - begin_);
    begin_ = std::min(stop + 1, text_.size());
    ++line_number_;
    return true;
  }
}

void TraceReader::refuse(std::string_view place, const std::string& message) const {
  const auto column = static_cast<std::uint32_t>(place.data() - line_.data() + 1);
  throw InputError({path_, line_number_, column}, message);
}

bool TraceReader::next(TraceRequest& request) {
  while (next_line()) {
    const std::size_t first = line_.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line_[first] == '#') continue;
    parse(request);
    return true;
  }
  if (format_ == Format::unknown) throw InputError({path_, 0, 0}, "the trace does not contain a request");
  return false;
}

TraceReader::Format TraceReader::format_of(const std::vector<std::string_view>& words) const {
  if (words.size() == 2 && (words[0] == "LD" || words[0] == "ST")) return Format::load_store;
  if (words.size() == 2 && (words[0] == "R" || words[0] == "W")) return Format::read_write;
  if (words.size() == 3 && (words[1] == "READ" || words[1] == "WRITE")) return Format::dramsim3;
  refuse(words[0], fmt::format("expected 'LD ADDRESS', 'ST ADDRESS', 'R PLACE', 'W PLACE', 'ADDRESS READ CYCLE' or "
                               "'ADDRESS WRITE CYCLE', got '{}'",
                               line_.substr(0, 80)));
}

std::int64_t TraceReader::number(std::string_view text, int base) const {
  std::string_view digits = text;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  }
  std::int64_t value = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size() || value < 0)
    refuse(text, fmt::format("expected a number from 0 to 2^63 - 1, got '{}'", text));
  return value;
}

void TraceReader::parse(TraceRequest& request) {
  constexpr int decimal = 10;
  constexpr int hexadecimal = 16;
  const std::vector<std::string_view> words = words_of(line_);
  const Format format = format_of(words);
  if (format_ == Format::unknown) format_ = format;
  if (format != format_) refuse(words[0], "the format differs from that of the requests before");
  request.place.clear();
  if (format == Format::dramsim3) {
    request.write = words[1] == "WRITE";
    request.address = number(words[0], hexadecimal);
    request.cycle = number(words[2], decimal);
    if (request.cycle < last_cycle_)
      refuse(words[2], fmt::format("cycle {} is before that of the request before, {}", request.cycle, last_cycle_));
    last_cycle_ = request.cycle;
    return;
  }
  request.write = words[0] == "ST" || words[0] == "W";
  if (format == Format::load_store) {
    request.address = number(words[1], decimal);
    return;
  }
  for (std::string_view left = words[1];;) {
    const std::size_t end = std::min(left.find(','), left.size());
    request.place.push_back(number(left.substr(0, end), decimal));
    if (end == left.size()) break;
    left.remove_prefix(end + 1);
  }
  if (request.place.size() != 5 && request.place.size() != 6)
    refuse(words[1], fmt::format("expected 5 or 6 numbers (channel, [rank or pseudo-channel,] bank group, bank, row, "
                                 "column), got {}",
                                 request.place.size()));
}

Request TraceSource::placed(const TraceRequest& line) const {
  const Organization& o = organization_;
  const bool has_domain = line.place.size() == 6;
  const std::array names{"channel", "rank or pseudo-channel", "bank group", "bank", "row", "column"};
  const std::array sizes{replay_.channels, o.domains, o.groups, o.banks, o.rows, o.columns};
  std::array<std::int64_t, 6> at{};
  for (std::size_t i = 0, next = 0; i < sizes.size(); ++i) {
    if (i == 1 && !has_domain) continue;
    at[i] = line.place[next++];
    if (at[i] >= sizes[i])
      throw InputError({replay_.path, reader_.line(), 0},
                       fmt::format("{} {}: the channel has {}", names[i], at[i], sizes[i]));
  }
  return {o.bank(at[1], at[2], at[3]), at[4], at[5], line.write};
}

void TraceSource::add(const TraceRequest& line) {
  TimedRequest timed{{}, replay_.at_given_cycles ? line.cycle : -1};
  std::int64_t channel = 0;
  if (line.place.empty()) {
    const std::int64_t access = line.address / organization_.access_bytes;
    const std::int64_t block = channel_block(organization_, replay_.mapping);
    channel = access / block % replay_.channels;
    timed.request = map_((access / block / replay_.channels * block + access % block) % organization_.accesses());
    timed.request.write = line.write;
  } else {
    timed.request = placed(line);
    channel = line.place.front();
  }
  if (channel == channel_) part_.push_back(timed);
}

const std::vector<TimedRequest>& TraceSource::next_part() {
  constexpr std::size_t requests = 4096;
  part_.clear();
  for (TraceRequest line; part_.size() < requests && reader_.next(line);) add(line);
  return part_;
}

void TraceLog::end_read(std::int64_t read, std::int64_t cycle) {
  const auto found = waiting_.find(read);
  if (found == waiting_.end()) return;
  const auto latency = static_cast<std::size_t>(cycle - found->second);
  waiting_.erase(found);
  // Far longer than any wait that a queue allows.
  constexpr std::size_t longest = 1 << 24;
  const std::size_t counted = std::min(latency, longest);
  if (counted >= counts_.size()) counts_.resize(counted + 1);
  ++counts_[counted];
  ++reads_;
  ++interval_of(cycle - 1).reads;
}

std::int64_t TraceLog::quantile(double share) const {
  const auto needed = static_cast<std::int64_t>(std::ceil(share * static_cast<double>(reads_)));
  std::int64_t sum = 0;
  for (std::size_t latency = 0; latency < counts_.size(); ++latency) {
    sum += counts_[latency];
    if (sum >= needed) return static_cast<std::int64_t>(latency);
  }
  return 0;
}

std::vector<TraceLog::LatencyRange> TraceLog::histogram() const {
  std::vector<LatencyRange> ranges;
  const std::int64_t end = std::ssize(counts_);
  for (std::int64_t from = 0; from < end;) {
    const std::int64_t next = std::min(end, from + std::max<std::int64_t>(1, from / 4));
    const std::int64_t reads = std::accumulate(counts_.begin() + from, counts_.begin() + next, std::int64_t{0});
    if (reads > 0) ranges.push_back({from, next - 1, reads});
    from = next;
  }
  return ranges;
}

TraceLog::Accesses& TraceLog::interval_of(std::int64_t cycle) {
  while (cycle / width_ >= std::ssize(accesses_)) {
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
      const Accesses moved = std::exchange(accesses_[i], {});
      accesses_[i / 2].reads += moved.reads;
      accesses_[i / 2].writes += moved.writes;
    }
    width_ *= 2;
  }
  return accesses_[static_cast<std::size_t>(cycle / width_)];
}

std::vector<TraceLog::Interval> TraceLog::intervals() const {
  std::vector<Interval> all;
  std::size_t used = 0;
  for (std::size_t i = 0; i < accesses_.size(); ++i) {
    const auto& [reads, writes] = accesses_[i];
    const std::int64_t from = static_cast<std::int64_t>(i) * width_;
    all.push_back({from, from + width_ - 1, reads, writes});
    if (reads + writes > 0) used = all.size();
  }
  all.resize(used);
  return all;
}

}  // namespace pimsweep::hardware::dram
