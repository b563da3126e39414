#include "hardware/gpu/network/queue.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using pimsweep::hardware::gpu::KernelCost;
using namespace pimsweep::hardware::gpu::network;

namespace {

KernelCost kernel(double launches, double work) { return {.work_seconds = work, .launches = launches}; }

double seconds(const std::vector<Alternatives>& pieces, const std::vector<std::size_t>& chosen, double launch) {
  double launches = 0;
  double work = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    launches += pieces[i][chosen[i]].launches;
    work += pieces[i][chosen[i]].work_seconds;
  }
  return std::max(launches * launch, work);
}

/// Every choice, one after another.
double shortest(const std::vector<Alternatives>& pieces, std::vector<std::size_t> chosen, double launch) {
  if (chosen.size() == pieces.size()) return seconds(pieces, chosen, launch);
  double best = INFINITY;
  for (std::size_t i = 0; i < pieces[chosen.size()].size(); ++i) {
    chosen.push_back(i);
    best = std::min(best, shortest(pieces, chosen, launch));
    chosen.pop_back();
  }
  return best;
}

std::vector<Alternatives> random_pieces(std::mt19937_64& random) {
  std::vector<Alternatives> pieces(1 + random() % 8);
  for (Alternatives& piece : pieces) {
    double work = 1 + static_cast<double>(random() % 20);
    double launches = 1 + static_cast<double>(random() % 3);
    piece.push_back(kernel(launches, work));
    for (std::size_t more = random() % 4; more > 0; --more) {
      work = 0.9 * work;
      launches += 1 + static_cast<double>(random() % 2);
      piece.insert(piece.begin(), kernel(launches, work));
    }
  }
  return pieces;
}

}  // namespace

TEST_CASE("a queue of launches takes kernels with few, a queue of work takes kernels with little", "[gpu]") {
  const std::vector<Alternatives> pieces{{kernel(2, 3), kernel(1, 5)}, {kernel(4, 2), kernel(1, 4)}, {kernel(1, 1)}};
  CHECK(shortest_queue(pieces, 0.5) == std::vector<std::size_t>{0, 0, 0});
  CHECK(shortest_queue(pieces, 5) == std::vector<std::size_t>{1, 1, 0});
  // Four launches of 2 and work of 8 are equally long; with the four launches of the second kernel it would be 14.
  CHECK(shortest_queue(pieces, 2) == std::vector<std::size_t>{0, 1, 0});
  CHECK(shortest_queue({}, 1).empty());
  CHECK(shortest_queue(pieces, 0) == std::vector<std::size_t>{0, 0, 0});
}

TEST_CASE("the shortest of all queues is found", "[gpu][property]") {
  std::mt19937_64 random(11);
  int between = 0;
  for (int round = 0; round < 1000; ++round) {
    const std::vector<Alternatives> pieces = random_pieces(random);
    const double launch = std::exp(std::uniform_real_distribution<double>(-1, 3)(random));
    const std::vector<std::size_t> chosen = shortest_queue(pieces, launch);
    REQUIRE(chosen.size() == pieces.size());
    REQUIRE(seconds(pieces, chosen, launch) == Approx(shortest(pieces, {}, launch)).epsilon(1e-12));
    if (std::ranges::any_of(chosen, [](std::size_t index) { return index > 0; }) &&
        std::ranges::any_of(chosen, [](std::size_t index) { return index == 0; })) {
      ++between;
    }
  }
  CHECK(between > 100);
}
