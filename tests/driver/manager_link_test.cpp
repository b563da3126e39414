#include "driver/manager_link.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace pimsweep::driver;

TEST_CASE("every worker hears of the manager several times before it would take it to be lost") {
  for (const int ranks : {1, 2, 3, 64, 4097, 20000, 65536, 1000000}) {
    for (const double silence : {0.5, 1.0, 3.9, 4.0, 30.0, 1e4}) {
      const int at_once = workers_of_a_pulse(ranks, std::chrono::duration<double>(silence));
      CHECK(at_once >= 1);
      CHECK(at_once <= std::max(1, ranks - 1));
      // Pulses, a second apart, until it is a worker's turn again.
      const double turn = std::ceil((ranks - 1.0) / at_once);
      CHECK((turn <= 1 || turn <= silence / 4 + 1));
    }
  }
}

TEST_CASE("a second's pulse does not grow with the ranks where the silence allows it") {
  const std::chrono::duration<double> silence(120);
  CHECK(workers_of_a_pulse(4097, silence) == 4096);
  CHECK(workers_of_a_pulse(65536, silence) == 4096);
}
