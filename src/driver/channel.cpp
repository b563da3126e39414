#include "driver/channel.h"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace pimsweep::driver {

namespace {

/// Bytes of one read.
constexpr std::size_t chunk = 64 << 10;

}  // namespace

Channel::Channel(int socket) : socket_(socket) {}

Channel::~Channel() { close(); }

void Channel::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
  unsent_.clear();
  sent_ = 0;
}

std::size_t Channel::write(const char* header, std::size_t header_size, std::string_view bytes) {
  // sendmsg() does not write to either.
  std::array<iovec, 2> parts{iovec{const_cast<char*>(header), header_size},
                             iovec{const_cast<char*>(bytes.data()), bytes.size()}};
  msghdr message{};
  message.msg_iov = parts.data();
  message.msg_iovlen = parts.size();
  while (true) {
    const ssize_t written = ::sendmsg(socket_, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written >= 0) return static_cast<std::size_t>(written);
    if (errno == EINTR) continue;
    // What the other process sent before it ended can still be read: receive() closes the channel.
    if (errno != EAGAIN && errno != ENOBUFS) return header_size + bytes.size();
    return 0;
  }
}

void Channel::send(std::int32_t tag, std::string_view bytes) {
  if (!is_open()) return;
  const Header header{static_cast<std::int64_t>(bytes.size()), tag};
  std::array<char, sizeof header> head{};
  std::memcpy(head.data(), &header, sizeof header);
  std::size_t written = 0;
  if (!has_unsent()) written = write(head.data(), head.size(), bytes);
  if (written < head.size()) unsent_.append(head.data() + written, head.size() - written);
  const std::size_t of_bytes = written < head.size() ? 0 : written - head.size();
  unsent_.append(bytes.substr(of_bytes));
}

void Channel::flush() {
  if (!has_unsent() || !is_open()) return;
  sent_ += write(nullptr, 0, std::string_view(unsent_).substr(sent_));
  if (has_unsent()) return;
  unsent_.clear();
  sent_ = 0;
}

void Channel::drain() {
  while (has_unsent() && is_open()) {
    pollfd ready{socket_, POLLOUT, 0};
    ::poll(&ready, 1, -1);
    flush();
  }
}

bool Channel::has_unread() const {
  int bytes = 0;
  return has_unsent() || (is_open() && ::ioctl(socket_, SIOCOUTQ, &bytes) == 0 && bytes > 0);
}

void Channel::receive(const Receiver& receiver) {
  buffer_.resize(chunk);
  while (is_open()) {
    const ssize_t count = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      // At its end, or reset: the other process left without reading everything.
      close();
      return;
    }
    received_.append(buffer_.data(), static_cast<std::size_t>(count));
    take_messages(receiver);
    if (static_cast<std::size_t>(count) < buffer_.size()) return;
  }
}

void Channel::take_messages(const Receiver& receiver) {
  std::size_t begin = 0;
  while (received_.size() - begin >= sizeof(Header)) {
    Header header{};
    std::memcpy(&header, received_.data() + begin, sizeof header);
    const auto bytes = static_cast<std::size_t>(header.bytes);
    if (received_.size() - begin - sizeof header < bytes) break;
    receiver(static_cast<std::int32_t>(header.tag), received_.substr(begin + sizeof header, bytes));
    begin += sizeof header + bytes;
  }
  received_.erase(0, begin);
}

}  // namespace pimsweep::driver
