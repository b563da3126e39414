#include "driver/manager_link.h"

#include <unistd.h>

#include <algorithm>
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

void send_pulse(Communicator& communicator) {
  std::string bytes;
  append_text(bytes, Communicator::host());
  append_number(bytes, static_cast<std::int64_t>(::getpid()));
  for (int rank = 1; rank < communicator.size(); ++rank) communicator.offer(rank, Tag::alive, bytes);
}

}  // namespace

ManagerPulse::ManagerPulse(Communicator& communicator) {
  // The first tells the workers which process to look at.
  send_pulse(communicator);
  thread_.emplace(pulse_period, [&communicator] { send_pulse(communicator); });
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
    ByteReader reader(message->bytes);
    const bool is_here = reader.text() == Communicator::host();
    const auto process = reader.number<std::int64_t>();
    // In another container of the same name its number says nothing.
    if (!process_ && is_here && !has_exited(process)) process_ = process;
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
