#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::driver {

/// One end of a stream socket between two processes, over which messages of any length go in order. Never blocks but in
/// drain().
class Channel {
 public:
  /// Called with each message that has arrived whole.
  using Receiver = std::function<void(std::int32_t tag, std::string bytes)>;

  /// Takes over the socket.
  explicit Channel(int socket);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  int socket() const { return socket_; }
  /// False once the other process has ended, or has closed its end.
  bool is_open() const { return socket_ >= 0; }
  void close();

  /// Sends as much of the message as the socket takes and keeps the rest for flush(). Lost if the channel is not open.
  void send(std::int32_t tag, std::string_view bytes);
  /// Sends what was kept, as far as the socket takes it.
  void flush();
  /// Waits until everything is sent or the other end is gone.
  void drain();
  bool has_unsent() const { return sent_ < unsent_.size(); }
  /// True if the other process has still to read something.
  bool has_unread() const;
  /// Reads what has arrived.
  void receive(const Receiver& receiver);

 private:
  struct Header {
    std::int64_t bytes;
    std::int64_t tag;
  };
  /// The number of bytes written; 0 if the socket is full. Closes the channel if the other end is gone.
  std::size_t write(const char* header, std::size_t header_size, std::string_view bytes);
  void take_messages(const Receiver& receiver);

  int socket_;
  std::string unsent_;
  /// Bytes of it that are sent.
  std::size_t sent_ = 0;
  /// Received part of an incomplete message.
  std::string received_;
  std::vector<char> buffer_;
};

}  // namespace pimsweep::driver
