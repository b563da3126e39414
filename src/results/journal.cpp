#include "results/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "base/error.h"
#include "results/record_codec.h"

namespace pimsweep {

namespace {

constexpr std::string_view magic = "pimsweep journal 1\n";
constexpr std::size_t frame_head = 8;   // length and CRC-32C of the payload
constexpr std::size_t entry_head = 24;  // identity and seconds
constexpr std::size_t flush_bytes = 65536;
constexpr auto flush_period = std::chrono::milliseconds(10);
constexpr auto sync_period = std::chrono::seconds(1);

template <typename Number>
Number number_at(const char* bytes) {
  Number number;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

std::string header_text(const JournalHeader& header) {
  std::string text = fmt::format("experiment {}\nfile {}\n", header.experiment, header.experiment_file);
  for (const std::string& study : header.studies) text += fmt::format("study {}\n", study);
  for (const std::string& override : header.overrides) text += fmt::format("set {}\n", override);
  return text + fmt::format("plan {:016x} {:016x}\nhost {}\nrank {}\npid {}\nstarted {}\n", header.plan.high,
                            header.plan.low, header.host, header.rank, header.pid, header.started);
}

JournalHeader parse_header(std::string_view text) {
  JournalHeader header;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.find(' ');
    const std::string key = line.substr(0, blank);
    const std::string rest = blank == std::string::npos ? "" : line.substr(blank + 1);
    std::istringstream numbers{rest};
    if (key == "experiment") header.experiment = rest;
    if (key == "file") header.experiment_file = rest;
    if (key == "study") header.studies.push_back(rest);
    if (key == "set") header.overrides.push_back(rest);
    if (key == "plan") numbers >> std::hex >> header.plan.high >> header.plan.low;
    if (key == "host") header.host = rest;
    if (key == "rank") numbers >> header.rank;
    if (key == "pid") numbers >> header.pid;
    if (key == "started") numbers >> header.started;
  }
  return header;
}

}  // namespace

JournalWriter::JournalWriter(const std::string& path, const JournalHeader& header)
    : file_(PosixFile::append_to(path)), last_flush_(std::chrono::steady_clock::now()), last_sync_(last_flush_) {
  buffer_ = magic;
  append_frame(header_text(header));
  flush();
}

JournalWriter::~JournalWriter() {
  try {
    close();
  } catch (const std::exception&) {
    // A destructor on the way out of another failure: that one is reported.
  }
}

void JournalWriter::append_frame(std::string_view payload) {
  const auto length = static_cast<std::uint32_t>(payload.size());
  const std::uint32_t checksum = crc32c(payload);
  char head[frame_head];
  std::memcpy(head, &length, sizeof length);
  std::memcpy(head + sizeof length, &checksum, sizeof checksum);
  buffer_.append(head, frame_head);
  buffer_ += payload;
}

void JournalWriter::append(const Hash128& identity, double seconds, const Record& record) {
  char head[entry_head];
  std::memcpy(head, &identity.high, 8);
  std::memcpy(head + 8, &identity.low, 8);
  std::memcpy(head + 16, &seconds, 8);
  payload_.assign(head, entry_head);
  encode(record, payload_);
  append_frame(payload_);
  if (buffer_.size() >= flush_bytes || std::chrono::steady_clock::now() - last_flush_ >= flush_period) flush();
}

void JournalWriter::flush() {
  if (buffer_.empty()) return;
  file_.write(buffer_);
  buffer_.clear();
  last_flush_ = std::chrono::steady_clock::now();
  if (last_flush_ - last_sync_ >= sync_period) {
    file_.sync();
    last_sync_ = last_flush_;
  }
}

void JournalWriter::close() {
  flush();
  file_.sync();
}

JournalReader::JournalReader(const std::string& path) {
  map(path);
  const std::string_view bytes(data_, size_);
  if (!bytes.starts_with(magic) && !magic.starts_with(bytes))
    throw InputError(fmt::format("'{}' is no journal of pimsweep", path));
  std::uint64_t offset = magic.size();
  if (const auto head = frame_at(offset)) {
    header_ = parse_header(*head);
    offset += frame_head + head->size();
  }
  while (const auto payload = frame_at(offset)) {
    if (payload->size() > entry_head) {
      const char* entry = payload->data();
      entries_.push_back({{number_at<std::uint64_t>(entry), number_at<std::uint64_t>(entry + 8)},
                          static_cast<Status>(entry[entry_head]),
                          offset});
    }
    offset += frame_head + payload->size();
  }
  damaged_bytes_ = size_ > offset ? size_ - offset : 0;
}

JournalReader::~JournalReader() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

void JournalReader::map(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw InputError(fmt::format("cannot read the journal '{}': {}", path, std::strerror(errno)));
  struct stat status {};
  if (::fstat(descriptor, &status) == 0 && status.st_size > 0) {
    size_ = static_cast<std::uint64_t>(status.st_size);
    void* mapped = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (mapped != MAP_FAILED) data_ = static_cast<const char*>(mapped);
  }
  ::close(descriptor);
  if (size_ > 0 && data_ == nullptr)
    throw InputError(fmt::format("cannot map the journal '{}': {}", path, std::strerror(errno)));
}

std::optional<std::string_view> JournalReader::frame_at(std::uint64_t offset) const {
  if (offset + frame_head > size_) return std::nullopt;
  const auto length = number_at<std::uint32_t>(data_ + offset);
  if (length > size_ - offset - frame_head) return std::nullopt;
  const std::string_view payload(data_ + offset + frame_head, length);
  if (crc32c(payload) != number_at<std::uint32_t>(data_ + offset + 4)) return std::nullopt;
  return payload;
}

bool JournalReader::read(std::uint64_t offset, JournalEntry& entry) const {
  const auto payload = frame_at(offset);
  if (!payload || payload->size() <= entry_head) return false;
  entry.identity = {number_at<std::uint64_t>(payload->data()), number_at<std::uint64_t>(payload->data() + 8)};
  entry.seconds = number_at<double>(payload->data() + 16);
  return decode(payload->substr(entry_head), entry.record);
}

std::string journal_folder(const std::string& output) { return output + ".journal"; }

std::vector<std::string> journal_files(const std::string& folder_or_file) {
  namespace fs = std::filesystem;
  if (fs::is_regular_file(folder_or_file)) return {folder_or_file};
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_or_file, error)) {
    if (entry.is_regular_file() && entry.path().extension() == ".journal") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace pimsweep
