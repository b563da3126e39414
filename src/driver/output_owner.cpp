#include "driver/output_owner.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "base/posix_file.h"
#include "base/regular_file.h"
#include "driver/communicator.h"
#include "driver/stop_signal.h"

namespace pimsweep::driver {

namespace {

/// Between two changes of the record.
constexpr auto beat_period = std::chrono::seconds(1);

/// Identifies the running kernel: the containers of a host share it, and their locks.
std::string boot_id() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  return file >> id ? id : "unknown";
}

struct OwnerRecord {
  std::string host;
  std::string boot;
  std::string process;
  std::string beats;
  bool is_of(const OwnerRecord& other) const {
    return boot == other.boot && process == other.process && host == other.host;
  }
};

/// Opens the file again each time: a shared file system need not show changes by other hosts before.
OwnerRecord read_owner(const std::string& lock) {
  constexpr std::size_t max_bytes = 4096;
  OwnerRecord record;
  try {
    std::string text(max_bytes, '\0');
    text.resize(PosixFile::read_from(lock).read_at(0, text.data(), text.size()));
    std::istringstream words(text);
    words >> record.host >> record.boot >> record.process >> record.beats;
  } catch (const std::exception&) {
    return {};
  }
  return record.beats.empty() ? OwnerRecord{} : record;
}

OwnerRecord this_process() { return {Communicator::host(), boot_id(), std::to_string(::getpid()), {}}; }

std::string name_of_owner(const OwnerRecord& record) {
  return record.host.empty() ? std::string() : fmt::format("process {} on {}", record.process, record.host);
}

/// True if the record of another host changes.
bool is_alive(const std::string& lock, const OwnerRecord& before) {
  constexpr auto patience = 3 * beat_period;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(beat_period / 4);
    const OwnerRecord now = read_owner(lock);
    if (!now.host.empty() && (!now.is_of(before) || now.beats != before.beats)) return true;
  }
  return false;
}

}  // namespace

std::string OutputOwner::described(const std::string& lock) { return name_of_owner(read_owner(lock)); }

OutputOwner::OutputOwner(std::string lock, const std::string& results, bool has_lock)
    : lock_(std::move(lock)), results_(results) {
  const OwnerRecord before = read_owner(lock_);
  if (!before.host.empty() && (!has_lock || before.boot != boot_id()) && is_alive(lock_, before)) {
    throw InputError(fmt::format("another run is writing '{}': {}", results, name_of_owner(before)));
  }
  write();
}

OutputOwner::~OutputOwner() {
  thread_.reset();
  std::error_code ignored;
  if (is_own_ && read_owner(lock_).is_of(this_process())) std::filesystem::resize_file(lock_, 0, ignored);
}

void OutputOwner::keep_alive() {
  thread_ = std::make_unique<PeriodicThread>(beat_period, [this] { beat(); });
}

void OutputOwner::beat() {
  const OwnerRecord record = read_owner(lock_);
  // A folder that is gone is not another run's.
  if (record.host.empty() || !is_own_) return;
  if (record.is_of(this_process())) {
    write();
    return;
  }
  print_error("{} writes '{}' too: this run stops", name_of_owner(record), results_);
  is_own_ = false;
  StopSignal::request();
}

void OutputOwner::write() {
  const OwnerRecord own = this_process();
  try {
    const int descriptor = open_regular_file(lock_, O_WRONLY | O_NOFOLLOW);
    // Of a fixed length, so that a reader meanwhile sees the old or the new record.
    const std::string text = fmt::format("{} {} {} {:010}\n", own.host, own.boot, own.process, beats_++);
    [[maybe_unused]] const ssize_t written = ::pwrite(descriptor, text.data(), text.size(), 0);
    [[maybe_unused]] const int cut = ::ftruncate(descriptor, static_cast<off_t>(text.size()));
    // What another host may see.
    ::fdatasync(descriptor);
    ::close(descriptor);
  } catch (const std::exception&) {
    // Without it, another host is not warned: no reason to end the run.
  }
}

}  // namespace pimsweep::driver
