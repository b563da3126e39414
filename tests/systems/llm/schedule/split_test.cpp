#include "systems/llm/schedule/split.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "base/error.h"
#include "systems/allspark/scheduler/cbc_program.h"

namespace pimsweep::systems::llm::schedule {
namespace {

using allspark::scheduler::CbcProgram;

std::vector<double> random_times(std::mt19937& random, std::size_t n, bool rising) {
  std::vector<double> times;
  for (std::size_t r = 0; r <= n; ++r) times.push_back(static_cast<double>(random() % 50));
  if (rising) std::ranges::sort(times);
  return times;
}

/// One row count of each side chosen by a binary; the makespan is at least either time.
double by_cbc(const std::vector<double>& gpu, const std::vector<double>& pim, const std::vector<double>& link) {
  const std::size_t n = gpu.size() - 1;
  CbcProgram program;
  const int seconds = program.add_column(0, CbcProgram::infinity, 1, false);
  std::vector<CbcProgram::Term> one;
  std::vector<CbcProgram::Term> on_gpu{{seconds, 1}};
  std::vector<CbcProgram::Term> on_pim{{seconds, 1}};
  for (std::size_t r = 0; r <= n; ++r) {
    const int chosen = program.add_binary(link[n - r]);
    one.push_back({chosen, 1});
    on_gpu.push_back({chosen, -gpu[r]});
    on_pim.push_back({chosen, -pim[n - r]});
  }
  program.add_row(1, 1, one);
  program.add_row(0, CbcProgram::infinity, on_gpu);
  program.add_row(0, CbcProgram::infinity, on_pim);
  const CbcProgram::Result result = program.solve(10);
  REQUIRE(result.outcome == CbcProgram::Outcome::optimal);
  double sum = result.values[0];
  for (std::size_t r = 0; r <= n; ++r) sum += link[n - r] * result.values[1 + r];
  return sum;
}

}  // namespace

TEST_CASE("no number of rows splits an operator better") {
  std::mt19937 random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t n = random() % 12;
    const std::vector<double> gpu = random_times(random, n, false);
    const std::vector<double> pim = random_times(random, n, false);
    const std::vector<double> link = random_times(random, n, true);
    const Split split = best_split(gpu, pim, link);
    double least = 1e9;
    for (std::size_t r = 0; r <= n; ++r) least = std::min(least, std::max(gpu[r], pim[n - r]) + link[n - r]);
    REQUIRE(split.seconds == least);
    const std::size_t r = split.gpu_rows;
    REQUIRE(std::max(gpu[r], pim[n - r]) + link[n - r] == least);
    REQUIRE(split.lower_bound <= least);
    if (i < 30) REQUIRE(by_cbc(gpu, pim, link) == Approx(least));
  }
}

TEST_CASE("bisection finds the best split of times that rise") {
  std::mt19937 random(2);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t n = random() % 40;
    const std::vector<double> gpu = random_times(random, n, true);
    const std::vector<double> pim = random_times(random, n, true);
    std::size_t calls = 0;
    const auto counted = [&calls](const std::vector<double>& times) {
      return [&calls, &times](std::size_t r) {
        ++calls;
        return times.at(r);
      };
    };
    const Split split = best_monotone_split(n, counted(gpu), counted(pim));
    REQUIRE(split.seconds == best_split(gpu, pim).seconds);
    REQUIRE(split.seconds == std::max(gpu[split.gpu_rows], pim[n - split.gpu_rows]));
    REQUIRE(split.lower_bound <= split.seconds);
    REQUIRE(calls <= 18);
  }
}

TEST_CASE("of equally fast splits the one with the fewest rows on PIM") {
  const std::vector<double> equal(5, 3.0);
  CHECK(best_split(equal, equal).gpu_rows == 4);
  CHECK_THROWS_AS(best_split(equal, std::vector<double>(4, 1.0)), PointError);
  CHECK_THROWS_AS(best_split({}, {}), PointError);
}

}  // namespace pimsweep::systems::llm::schedule
