#include "driver/manager_link.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "driver/process.h"

namespace pimsweep::driver {

namespace {

constexpr auto pulse_period = std::chrono::seconds(1);
constexpr auto process_check_period = std::chrono::milliseconds(200);
/// Between two calls of listen() that lie further apart, the excess does not count as silence: this worker was stopped
/// or starved itself.
constexpr auto max_listening_gap = std::chrono::seconds(2);

}  // namespace

std::string to_bytes(const Place& place) {
  std::string bytes;
  append_text(bytes, place.host);
  append_number(bytes, place.pid);
  return bytes;
}

Place place_from(std::string_view bytes) {
  ByteReader reader(bytes);
  Place place;
  place.host = reader.text();
  place.pid = reader.number<std::int64_t>();
  return place;
}

Place own_place() { return {Communicator::host(), ::getpid()}; }

int workers_of_a_pulse(int ranks, std::chrono::duration<double> silence) {
  constexpr int usual = 4096;
  constexpr double pulses_in_silence = 4;
  const int workers = std::max(1, ranks - 1);
  const double needed = std::ceil(workers * pulses_in_silence * std::chrono::duration<double>(pulse_period) / silence);
  return needed >= workers ? workers : std::min(workers, std::max(usual, static_cast<int>(needed)));
}

ManagerPulse::ManagerPulse(Communicator& communicator)
    : communicator_(communicator), bytes_(to_bytes(own_place())), at_once_(std::max(1, communicator.size() - 1)) {
  // The first tells the workers which process to look at.
  send_to(communicator_.size() - 1);
  thread_.emplace(pulse_period, [this] { send_to(at_once_); });
}

void ManagerPulse::set_silence(std::chrono::duration<double> silence) {
  at_once_ = workers_of_a_pulse(communicator_.size(), silence);
}

void ManagerPulse::send_to(int workers) {
  for (int i = 0; i < workers && communicator_.size() > 1; ++i) {
    communicator_.offer(next_, Tag::alive, bytes_);
    next_ = next_ + 1 < communicator_.size() ? next_ + 1 : 1;
  }
}

void ManagerLink::set_silence(std::chrono::duration<double> silence) {
  const std::scoped_lock lock(mutex_);
  silence_limit_ = silence;
}

std::optional<Message> ManagerLink::take() {
  const std::scoped_lock lock(mutex_);
  if (inbox_.empty()) return std::nullopt;
  Message message = std::move(inbox_.front());
  inbox_.pop_front();
  return message;
}

Message ManagerLink::wait() {
  BackOff back_off;
  while (true) {
    listen();
    if (auto message = take()) return *std::move(message);
    if (lost_for()) throw ManagerLost();
    back_off.sleep();
  }
}

void ManagerLink::listen() {
  const std::scoped_lock lock(mutex_);
  const auto now = Clock::now();
  silence_ += std::min<Clock::duration>(now - last_listened_, max_listening_gap);
  last_listened_ = now;
  const bool is_gone = process_ && now - last_check_ >= process_check_period && has_exited(*process_);
  if (now - last_check_ >= process_check_period) last_check_ = now;
  // What it sent before it died comes first.
  while (auto message = communicator_.poll()) {
    silence_ = {};
    if (message->tag != Tag::alive) {
      inbox_.push_back(*std::move(message));
      continue;
    }
    const Place place = place_from(message->bytes);
    // In another container of the same name its number says nothing.
    if (!process_ && place.host == Communicator::host() && !has_exited(place.pid)) process_ = place.pid;
  }
  // A manager on this host that is only stopped will continue.
  if (!lost_at_ && (is_gone || (!process_ && silence_ > silence_limit_))) lost_at_ = now;
}

std::optional<std::chrono::duration<double>> ManagerLink::lost_for() const {
  const std::scoped_lock lock(mutex_);
  if (!lost_at_) return std::nullopt;
  return Clock::now() - *lost_at_;
}

}  // namespace pimsweep::driver
