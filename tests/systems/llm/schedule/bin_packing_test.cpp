#include "systems/llm/schedule/bin_packing.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <random>

namespace pimsweep::systems::llm::schedule {
namespace {

bool fits(std::span<const std::int64_t> lengths, std::vector<std::int64_t>& room) {
  if (lengths.empty()) return true;
  for (std::size_t b = 0; b < room.size(); ++b) {
    if (room[b] < lengths[0]) continue;
    // Bins with the same room are alike.
    if (std::find(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(b), room[b]) !=
        room.begin() + static_cast<std::ptrdiff_t>(b)) {
      continue;
    }
    room[b] -= lengths[0];
    const bool fit = fits(lengths.subspan(1), room);
    room[b] += lengths[0];
    if (fit) return true;
  }
  return false;
}

std::vector<std::int64_t> random_lengths(std::mt19937& random, std::size_t max_count, std::int64_t longest) {
  std::vector<std::int64_t> lengths(1 + random() % max_count);
  for (std::int64_t& length : lengths) length = 1 + static_cast<std::int64_t>(random()) % longest;
  std::ranges::sort(lengths, std::greater<>());
  return lengths;
}

}  // namespace

TEST_CASE("bins: what is refuted does not fit, and the search says what all packings say") {
  std::mt19937 random(31);
  int refuted = 0;
  int not_refuted = 0;
  int packed = 0;
  for (int i = 0; i < 6000; ++i) {
    const std::vector<std::int64_t> lengths = random_lengths(random, 9, i % 3 == 0 ? 6 : 40);
    const std::size_t bins = 1 + random() % 4;
    BinPacker packer(lengths, bins);
    std::int64_t sum = 0;
    for (const std::int64_t length : lengths) sum += length;
    const auto count = static_cast<std::int64_t>(bins);
    const std::int64_t capacity = (sum + count - 1) / count + static_cast<std::int64_t>(random() % 8);
    std::vector<std::int64_t> room(bins, capacity);
    const bool do_fit = fits(lengths, room);
    const bool is_refuted = packer.is_refuted(capacity);
    CAPTURE(i, lengths, bins, capacity);
    REQUIRE_FALSE((do_fit && is_refuted));
    std::size_t steps = 1'000'000;
    const BinPacker::Outcome outcome = packer.pack(capacity, steps);
    REQUIRE(outcome == (do_fit ? BinPacker::Outcome::fits : BinPacker::Outcome::does_not_fit));
    refuted += is_refuted ? 1 : 0;
    not_refuted += !do_fit && !is_refuted ? 1 : 0;
    if (!do_fit) continue;
    ++packed;
    for (std::size_t r = 0; r < lengths.size(); ++r) room.at(packer.bins_of()[r]) -= lengths[r];
    REQUIRE(*std::ranges::min_element(room) >= 0);
  }
  // Bounds do not decide everything, nor nothing.
  CHECK(refuted > 1000);
  CHECK(not_refuted > 20);
  CHECK(packed > 1000);
}

TEST_CASE("bins: a search without steps says that it does not know") {
  std::vector<std::int64_t> lengths(40, 7);
  for (std::size_t k = 0; k < 20; ++k) lengths[k] = 11;
  BinPacker packer(lengths, 14);
  std::size_t steps = 0;
  CHECK(packer.pack(27, steps) == BinPacker::Outcome::unknown);
}

}  // namespace pimsweep::systems::llm::schedule
