#include "hardware/links/link.h"

#include <catch2/catch.hpp>
#include <random>

namespace pimsweep::hardware::links {

TEST_CASE("an all-reduce in a ring sends nearly twice the data, however many devices there are") {
  const Link link{.bandwidth = 300e9, .latency = 5e-6, .reduce_latency = 30e-6};
  CHECK(all_reduce_time(link, 1e6, 1) == 0);
  // Two devices: each sends a half, then the other half of the sum.
  CHECK(all_reduce_time(link, 1e6, 2) == Approx(30e-6 + 2 * 0.5e6 / 300e9));
  CHECK(all_reduce_bytes(1e6, 1024) == Approx(2e6).epsilon(1e-3));
}

TEST_CASE("links: never slower with more bandwidth or less latency, never faster with more bytes or devices") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> draw(0, 1);
  for (int i = 0; i < 1000; ++i) {
    const Link link{
        .bandwidth = 1e9 + 1e12 * draw(random), .latency = 1e-5 * draw(random), .reduce_latency = 1e-4 * draw(random)};
    Link wider = link;
    wider.bandwidth *= 2;
    Link quicker = link;
    quicker.reduce_latency /= 2;
    const double bytes = 1e8 * draw(random);
    const double devices = 1 + static_cast<double>(i % 16);
    const double time = all_reduce_time(link, bytes, devices);
    CHECK(all_reduce_time(wider, bytes, devices) <= time);
    CHECK(all_reduce_time(quicker, bytes, devices) <= time);
    CHECK(all_reduce_time(link, bytes + 1, devices) >= time);
    CHECK(all_reduce_time(link, bytes, devices + 1) >= time);
    CHECK(transfer_time(link, bytes) >= bytes / link.bandwidth);
  }
}

}  // namespace pimsweep::hardware::links
