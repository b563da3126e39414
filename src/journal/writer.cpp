#include "journal/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/bytes.h"
#include "journal/codec.h"
#include "journal/journal.h"

namespace pimsweep::journal {

namespace {

constexpr std::size_t flush_bytes = 65536;
constexpr auto flush_period = std::chrono::milliseconds(10);

/// A text in one line: backslashes and line feeds are escaped.
std::string escaped(std::string_view text) {
  std::string line;
  for (const char character : text) {
    if (character == '\\' || character == '\n') line += '\\';
    line += character == '\n' ? 'n' : character;
  }
  return line;
}

std::string header_text(const Header& header) {
  std::string text =
      fmt::format("experiment {}\nfile {}\n", escaped(header.experiment), escaped(header.experiment_file));
  for (const std::string& study : header.studies) text += fmt::format("study {}\n", escaped(study));
  for (const std::string& override : header.overrides) text += fmt::format("set {}\n", escaped(override));
  if (!header.where.empty()) text += fmt::format("where {}\n", escaped(header.where));
  if (!header.shard.empty()) text += fmt::format("shard {}\n", escaped(header.shard));
  if (header.draws > 0) text += fmt::format("draws {} {}\n", header.draws, header.draw_method);
  for (const std::string& constant : header.draw_constants)
    text += fmt::format("draw_constant {}\n", escaped(constant));
  for (const auto& [id, points] : header.plan_studies) text += fmt::format("points {} {}\n", points, escaped(id));
  return text + fmt::format("plan {:016x} {:016x}\nhost {}\nrank {}\npid {}\nstarted {}\n", header.plan.high,
                            header.plan.low, escaped(header.host), header.rank, header.pid, header.started);
}

/// Writes length and checksum of the payload, which follows `head`.
void put_frame_head(char* head, std::size_t payload_size) noexcept {
  const auto length = static_cast<std::uint32_t>(payload_size);
  const std::uint32_t checksum = checksum32({head + frame_head, payload_size});
  std::memcpy(head, &length, sizeof length);
  std::memcpy(head + sizeof length, &checksum, sizeof checksum);
}

}  // namespace

Writer::Writer(const std::string& path, const Header& header)
    : file_(PosixFile::create(path)), last_flush_(Clock::now()) {
  // Space for a full buffer and the entry that fills it: last_words() must not allocate, and append() should rarely.
  buffer_.reserve(2 * flush_bytes);
  buffer_ = magic;
  begin_frame(FrameKind::header);
  buffer_ += header_text(header);
  flush();
}

Writer::~Writer() {
  try {
    close();
  } catch (const std::exception&) {
    // The exception that unwinds the stack is the one to report.
  }
}

void Writer::begin_frame(FrameKind kind) {
  frame_ = buffer_.size();
  buffer_.append(frame_head, '\0');
  buffer_.push_back(static_cast<char>(kind));
}

void Writer::seal() noexcept {
  if (frame_ == no_frame) return;
  char* head = buffer_.data() + frame_;
  if (head[frame_head] == static_cast<char>(FrameKind::results)) {
    std::memcpy(head + frame_head + 1, &first_, sizeof first_);
    std::memcpy(head + frame_head + 1 + sizeof first_, &count_, sizeof count_);
  }
  put_frame_head(head, buffer_.size() - frame_ - frame_head);
  frame_ = no_frame;
}

void Writer::append(const Entry& entry, Clock::time_point now) {
  if (frame_ == no_frame || entry.index != first_ + count_) {
    seal();
    begin_frame(FrameKind::results);
    buffer_.append(results_head - 1, '\0');
    first_ = entry.index;
    count_ = 0;
  }
  std::array<char, 2 * sizeof(std::uint64_t) + sizeof entry.seconds> front;
  std::memcpy(front.data(), &entry.identity.high, sizeof entry.identity.high);
  std::memcpy(front.data() + sizeof(std::uint64_t), &entry.identity.low, sizeof entry.identity.low);
  std::memcpy(front.data() + 2 * sizeof(std::uint64_t), &entry.seconds, sizeof entry.seconds);
  buffer_.append(front.data(), front.size());
  encode(entry.record, buffer_);
  ++count_;
  if (buffer_.size() >= flush_bytes || now - last_flush_ >= flush_period) {
    flush();
    last_flush_ = now;
  }
}

void Writer::flush() {
  if (buffer_.empty()) return;
  seal();
  file_.write(buffer_);
  written_ += buffer_.size();
  buffer_.clear();
  unsynced_.store(true, std::memory_order_relaxed);
}

void Writer::sync() {
  if (unsynced_.exchange(false, std::memory_order_relaxed)) file_.sync();
}

void Writer::close() {
  flush();
  sync();
}

void Writer::last_words(std::uint64_t index, std::string_view cause) noexcept {
  seal();
  file_.try_write(buffer_);
  buffer_.clear();
  std::array<char, 256> death{};
  char* end = death.data() + frame_head;
  *end++ = static_cast<char>(FrameKind::death);
  std::memcpy(end, &index, sizeof index);
  end += sizeof index;
  const std::size_t room = std::min(cause.size(), static_cast<std::size_t>(death.data() + death.size() - end));
  end = std::copy_n(cause.data(), room, end);
  put_frame_head(death.data(), static_cast<std::size_t>(end - death.data()) - frame_head);
  file_.try_write({death.data(), static_cast<std::size_t>(end - death.data())});
}

}  // namespace pimsweep::journal
