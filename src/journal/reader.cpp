#include "journal/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <system_error>

#include "base/error.h"
#include "journal/codec.h"

namespace pimsweep::journal {

namespace {

constexpr std::size_t window_bytes = 262144;
/// Where heads alone are read. Of frames that are shorter, several are read at once.
constexpr std::size_t window_of_heads = 4096;

template <typename Number>
Number number_at(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

/// Takes back what the writer has escaped.
std::string unescaped(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size())
      text += line[i];
    else
      text += line[++i] == 'n' ? '\n' : line[i];
  }
  return text;
}

Header parse_header(std::string_view text) {
  Header header;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string rest = blank == std::string::npos ? "" : unescaped(std::string_view(line).substr(blank + 1));
    std::istringstream numbers{rest};
    if (key == "experiment") header.experiment = rest;
    if (key == "file") header.experiment_file = rest;
    if (key == "study") header.studies.push_back(rest);
    if (key == "set") header.overrides.push_back(rest);
    if (key == "where") header.where = rest;
    if (key == "shard") header.shard = rest;
    if (key == "draws") numbers >> header.draws >> header.draw_method;
    if (key == "draw_constant") header.draw_constants.push_back(rest);
    if (key == "points") {
      Header::PlannedStudy& study = header.plan_studies.emplace_back();
      numbers >> study.points;
      // An escaped id may have line feeds.
      if (const std::size_t end = rest.find(' '); end != std::string::npos) study.id = rest.substr(end + 1);
    }
    if (key == "plan") numbers >> std::hex >> header.plan.high >> header.plan.low;
    if (key == "host") header.host = rest;
    if (key == "rank") numbers >> header.rank;
    if (key == "pid") numbers >> header.pid;
    if (key == "started") numbers >> header.started;
  }
  return header;
}

/// The payload of the frame at the start of `bytes`; empty if the frame is not intact.
std::string_view whole_payload(std::string_view bytes) {
  if (bytes.size() <= frame_head) return {};
  const auto length = number_at<std::uint32_t>(bytes.data());
  if (length == 0 || length > bytes.size() - frame_head) return {};
  const std::string_view payload = bytes.substr(frame_head, length);
  return checksum32(payload) == number_at<std::uint32_t>(bytes.data() + 4) ? payload : std::string_view{};
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

PosixFile open_journal(const std::string& path) {
  try {
    return PosixFile::read_from(path);
  } catch (const std::system_error& error) {
    throw InputError(fmt::format("cannot read the journal '{}': {}", path, error.code().message()));
  }
}

EntryReader::EntryReader(std::string_view payload) : entries_(payload) {
  entries_.number<char>();
  first_ = entries_.number<std::uint64_t>();
  count_ = entries_.number<std::uint32_t>();
}

bool EntryReader::next(Entry& entry) {
  if (taken_ >= count_) return false;
  entry.index = first_ + taken_++;
  entry.identity.high = entries_.number<std::uint64_t>();
  entry.identity.low = entries_.number<std::uint64_t>();
  entry.seconds = entries_.number<double>();
  const std::string_view before = entries_.rest();
  if (!decode(entries_, entry.record)) return false;
  record_bytes_ = before.substr(0, before.size() - entries_.rest().size());
  return true;
}

Reader::Reader(const std::string& path) : path_(path), file_(open_journal(path)), size_(file_.size()) {
  const std::string_view start = window(0, magic.size(), window_bytes);
  if (start != magic && !magic.starts_with(start)) {
    throw InputError(start.starts_with(magic.substr(0, magic.rfind(' ') + 1))
                         ? fmt::format("'{}' is a '{}', and this program reads '{}': end the run with the pimsweep "
                                       "that began it, or begin again with --force",
                                       path, first_line(start), first_line(magic))
                         : fmt::format("'{}' is not a journal of pimsweep", path));
  }
  offset_ = std::min<std::uint64_t>(magic.size(), size_);
  Frame frame;
  if (next(frame) && frame.kind == FrameKind::header) header_ = parse_header(frame.payload.substr(1));
}

std::string_view Reader::window(std::uint64_t offset, std::size_t bytes, std::size_t at_once) {
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, size_ - std::min(offset, size_)));
  const bool inside = offset >= buffer_offset_ && offset + wanted <= buffer_offset_ + buffer_.size();
  if (!inside) {
    buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(std::max(wanted, at_once), size_ - offset)));
    buffer_.resize(file_.read_at(offset, buffer_.data(), buffer_.size()));
    buffer_offset_ = offset;
  }
  return std::string_view(buffer_).substr(static_cast<std::size_t>(offset - buffer_offset_), wanted);
}

bool Reader::next(Frame& frame) {
  const std::string_view head = window(offset_, frame_head, window_bytes);
  std::string_view payload;
  if (head.size() == frame_head)
    payload = whole_payload(window(offset_, frame_head + number_at<std::uint32_t>(head.data()), window_bytes));
  if (payload.empty()) {
    damaged_bytes_ = size_ - offset_;
    return false;
  }
  frame = {static_cast<FrameKind>(payload.front()), offset_, payload};
  offset_ += frame_head + payload.size();
  return true;
}

bool Reader::next_head(Frame& frame) {
  constexpr std::size_t needed = frame_head + results_head;
  const std::string_view front = window(offset_, needed, window_of_heads);
  if (front.size() < needed) return false;
  const auto length = number_at<std::uint32_t>(front.data());
  if (length < results_head || length > size_ - offset_ - frame_head) return false;
  const std::string_view payload = front.substr(frame_head);
  frame = {static_cast<FrameKind>(payload.front()), offset_, payload};
  if (frame.kind != FrameKind::results) return false;
  offset_ += frame_head + length;
  return true;
}

bool Reader::leads_to_end() {
  const std::uint64_t begin = offset_;
  Frame frame;
  while (next_head(frame)) {
  }
  const bool leads = offset_ == size_;
  offset_ = begin;
  return leads;
}

bool read_frame(const PosixFile& journal, std::uint64_t offset, std::string& buffer) {
  char head[frame_head];
  if (journal.read_at(offset, head, frame_head) < frame_head) return false;
  const auto length = number_at<std::uint32_t>(head);
  if (length > journal.size()) return false;
  buffer.resize(length);
  return journal.read_at(offset + frame_head, buffer.data(), length) == length &&
         checksum32(buffer) == number_at<std::uint32_t>(head + 4);
}

Death death_from(std::string_view payload) {
  ByteReader reader(payload.substr(1));
  Death death;
  death.index = reader.number<std::uint64_t>();
  death.cause = reader.rest();
  return death;
}

}  // namespace pimsweep::journal
