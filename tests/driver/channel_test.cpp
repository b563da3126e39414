#include "driver/channel.h"

#include <sys/socket.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/splitmix64.h"

using pimsweep::SplitMix64;
using pimsweep::driver::Channel;

namespace {

using Messages = std::vector<std::pair<int, std::string>>;

struct Ends {
  Ends() {
    std::array<int, 2> sockets{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()) == 0);
    near = std::make_unique<Channel>(sockets[0]);
    far = std::make_unique<Channel>(sockets[1]);
  }
  std::unique_ptr<Channel> near;
  std::unique_ptr<Channel> far;
};

void receive(Channel& channel, Messages& messages) {
  channel.receive([&](int tag, std::string bytes) { messages.emplace_back(tag, std::move(bytes)); });
}

/// Sizes from nothing to many times what a socket holds.
Messages random_messages(std::uint64_t seed) {
  SplitMix64 random(seed);
  Messages messages;
  for (int tag = 0; tag < 40; ++tag) {
    std::string bytes(random() % (std::size_t{1} << (random() % 22)), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    messages.emplace_back(tag, std::move(bytes));
  }
  return messages;
}

}  // namespace

TEST_CASE("Messages of any size arrive whole and in order, in both directions at once") {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Ends ends;
    const Messages there = random_messages(seed);
    const Messages back = random_messages(seed + 100);
    // Nobody reads yet: nothing may block.
    for (const auto& [tag, bytes] : there) ends.near->send(tag, bytes);
    for (const auto& [tag, bytes] : back) ends.far->send(tag, bytes);
    Messages at_far;
    Messages at_near;
    while (at_far.size() < there.size() || at_near.size() < back.size()) {
      ends.near->flush();
      ends.far->flush();
      receive(*ends.far, at_far);
      receive(*ends.near, at_near);
    }
    CHECK(at_far == there);
    CHECK(at_near == back);
    CHECK_FALSE(ends.near->has_unsent());
    CHECK_FALSE(ends.near->has_unread());
  }
}

TEST_CASE("A channel knows whether the other end has read everything") {
  const Ends ends;
  CHECK_FALSE(ends.near->has_unread());
  ends.near->send(1, "one");
  CHECK(ends.near->has_unread());
  Messages messages;
  receive(*ends.far, messages);
  CHECK(messages == Messages{{1, "one"}});
  CHECK_FALSE(ends.near->has_unread());
}

TEST_CASE("What was sent before the other end has gone still arrives, what is sent later is lost") {
  for (const bool has_unread : {false, true}) {
    const Ends ends;
    ends.far->send(7, "last words");
    // A process that ends with unread messages resets the connection.
    if (has_unread) ends.near->send(8, "never read");
    ends.far->close();
    ends.near->send(9, "too late");
    CHECK(ends.near->is_open());
    Messages messages;
    while (ends.near->is_open()) receive(*ends.near, messages);
    CHECK(messages == Messages{{7, "last words"}});
    ends.near->send(9, std::string(1 << 20, 'x'));
    ends.near->drain();
    CHECK_FALSE(ends.near->has_unsent());
  }
}
