#include "base/splitmix64.h"

#include <catch2/catch.hpp>

using namespace pimsweep;

TEST_CASE("SplitMix64 gives its published numbers, one by one and in any order") {
  // The reference implementation's first numbers for the seed 1234567.
  const std::uint64_t expected[] = {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                    4593380528125082431U, 16408922859458223821U};
  SplitMix64 sequence(1234567);
  for (const std::uint64_t number : expected) CHECK(sequence() == number);
  for (const std::size_t n : {4U, 0U, 2U, 1U, 3U}) CHECK(SplitMix64::nth(1234567, n) == expected[n]);
}
