#include "driver/local_communicator.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "driver/process.h"
#include "driver/stop_signal.h"

namespace pimsweep::driver {

namespace {

/// A worker's request to end the run at once; its content is the exit status. None of the protocol's own messages.
constexpr std::int32_t abort_tag = -1;

InputError no_process(int rank, int ranks) {
  return InputError(fmt::format("cannot start process {} of {}: {}; --ranks sets another number", rank + 1, ranks,
                                std::strerror(errno)));
}

}  // namespace

LocalCommunicator::LocalCommunicator(int ranks) : Communicator(0, ranks) {
  // What is in the buffers would be printed by each rank.
  std::fflush(nullptr);
  for (int rank = 1; rank < ranks && rank_ == 0; ++rank) fork_rank(rank);
}

void LocalCommunicator::fork_rank(int rank) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    const InputError error = no_process(rank, size_);
    kill_all();
    throw error;
  }
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) {
    const InputError error = no_process(rank, size_);
    ::close(ends[0]);
    ::close(ends[1]);
    kill_all();
    throw error;
  }
  if (child == 0) {
    exit_with_parent(parent);
    ::close(ends[0]);
    peers_.clear();
    rank_ = rank;
    peers_.push_back({0, 0, std::make_unique<Channel>(ends[1])});
    return;
  }
  ::close(ends[1]);
  peers_.push_back({rank, child, std::make_unique<Channel>(ends[0])});
}

LocalCommunicator::~LocalCommunicator() {
  if (rank_ == 0) kill_all();
}

void LocalCommunicator::kill_all() {
  for (Peer& peer : peers_) {
    if (!has_exited(peer.process)) ::kill(peer.process, SIGKILL);
  }
  for (Peer& peer : peers_) {
    while (::waitpid(peer.process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  peers_.clear();
}

void LocalCommunicator::send(int to, Tag tag, std::string_view bytes) {
  const std::scoped_lock lock(mutex_);
  Channel& channel = *peer(to).channel;
  channel.send(static_cast<std::int32_t>(tag), bytes);
  // Rank 0 waits for nobody, since a rank may be stopped. A worker may wait for rank 0, without which it can do
  // nothing: so it keeps no more than one message in memory.
  if (rank_ != 0) channel.drain();
}

void LocalCommunicator::offer(int to, Tag tag, const std::string& bytes) {
  const std::scoped_lock lock(mutex_);
  Channel& channel = *peer(to).channel;
  if (!channel.has_unread()) channel.send(static_cast<std::int32_t>(tag), bytes);
}

std::optional<Message> LocalCommunicator::poll() {
  if (size_ == 1) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  if (inbox_.empty()) exchange();
  if (inbox_.empty()) return std::nullopt;
  Message message = std::move(inbox_.front());
  inbox_.pop_front();
  if (static_cast<std::int32_t>(message.tag) == abort_tag) abort(ByteReader(message.bytes).number<std::int32_t>());
  return message;
}

void LocalCommunicator::exchange() {
  if (rank_ == 0) pass_on_signal();
  std::vector<pollfd> sockets;
  for (const Peer& peer : peers_) {
    const int events = POLLIN | (peer.channel->has_unsent() ? POLLOUT : 0);
    sockets.push_back({peer.channel->socket(), static_cast<short>(events), 0});
  }
  if (::poll(sockets.data(), sockets.size(), 0) <= 0) return;
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    if ((sockets[i].revents & POLLOUT) != 0) peers_[i].channel->flush();
    if ((sockets[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
    peers_[i].channel->receive([&](std::int32_t tag, std::string bytes) {
      inbox_.push_back({peers_[i].rank, static_cast<Tag>(tag), std::move(bytes)});
    });
  }
}

void LocalCommunicator::pass_on_signal() {
  const int signal = StopSignal::received();
  if (signal == 0 || std::exchange(passed_on_, true)) return;
  for (const Peer& peer : peers_) {
    // A terminal sends an interrupt to all processes itself, and a second one would end them at once.
    if (peer.channel->is_open()) ::kill(peer.process, signal == SIGINT ? SIGTERM : signal);
  }
}

void LocalCommunicator::finalize(std::chrono::duration<double> patience, int /*status*/) {
  const std::scoped_lock lock(mutex_);
  if (rank_ != 0) return;
  const auto until = std::chrono::steady_clock::now() + patience;
  BackOff back_off;
  const auto is_alive = [](const Peer& peer) { return !has_exited(peer.process); };
  while (std::ranges::any_of(peers_, is_alive) && std::chrono::steady_clock::now() < until) {
    for (Peer& peer : peers_) peer.channel->flush();
    back_off.sleep();
  }
  kill_all();
}

void LocalCommunicator::abort(int status) {
  if (rank_ == 0) {
    kill_all();
  } else {
    const std::scoped_lock lock(mutex_);
    std::string bytes;
    append_number(bytes, std::int32_t{status});
    Channel& manager = *peers_.front().channel;
    manager.send(abort_tag, bytes);
    manager.drain();
  }
  exit_without_finalize(status);
}

std::int64_t LocalCommunicator::process_of(int rank) const { return peer(rank).process; }

std::string LocalCommunicator::library() const { return "no MPI"; }

}  // namespace pimsweep::driver
