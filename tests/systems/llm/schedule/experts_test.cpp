#include "systems/llm/schedule/experts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"
#include "systems/allspark/scheduler/cbc_program.h"

namespace pimsweep::systems::llm::schedule {
namespace {

using allspark::scheduler::CbcProgram;

std::vector<ExpertClass> random_classes(std::mt19937& random, std::size_t classes, std::size_t max_count) {
  std::vector<ExpertClass> all;
  for (std::size_t c = 0; c < classes; ++c) {
    all.push_back({static_cast<double>(random() % 30), static_cast<double>(random() % 30), random() % (max_count + 1)});
  }
  return all;
}

double try_everything(std::span<const ExpertClass> classes, double gpu, double pim) {
  if (classes.empty()) return std::max(gpu, pim);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t on_gpu = 0; on_gpu <= classes[0].count; ++on_gpu) {
    const double more_gpu = on_gpu == 0 ? 0 : static_cast<double>(on_gpu) * classes[0].gpu_seconds;
    const std::size_t on_pim = classes[0].count - on_gpu;
    const double more_pim = on_pim == 0 ? 0 : static_cast<double>(on_pim) * classes[0].pim_seconds;
    least = std::min(least, try_everything(classes.subspan(1), gpu + more_gpu, pim + more_pim));
  }
  return least;
}

double seconds_of(std::span<const ExpertClass> classes, const ExpertSplit& split, double gpu, double pim) {
  REQUIRE(split.on_gpu.size() == classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    REQUIRE(split.on_gpu[c] <= classes[c].count);
    const std::size_t on_pim = classes[c].count - split.on_gpu[c];
    if (split.on_gpu[c] > 0) gpu += static_cast<double>(split.on_gpu[c]) * classes[c].gpu_seconds;
    if (on_pim > 0) pim += static_cast<double>(on_pim) * classes[c].pim_seconds;
  }
  return std::max(gpu, pim);
}

double by_cbc(std::span<const ExpertClass> classes) {
  CbcProgram program;
  const int seconds = program.add_column(0, CbcProgram::infinity, 1, false);
  std::vector<CbcProgram::Term> gpu{{seconds, 1}};
  std::vector<CbcProgram::Term> pim{{seconds, 1}};
  double all_on_pim = 0;
  for (const ExpertClass& expert : classes) {
    const int on_gpu = program.add_column(0, static_cast<double>(expert.count), 0, true);
    gpu.push_back({on_gpu, -expert.gpu_seconds});
    pim.push_back({on_gpu, expert.pim_seconds});
    all_on_pim += static_cast<double>(expert.count) * expert.pim_seconds;
  }
  program.add_row(0, CbcProgram::infinity, gpu);
  program.add_row(all_on_pim, CbcProgram::infinity, pim);
  const CbcProgram::Result result = program.solve(10);
  REQUIRE(result.outcome == CbcProgram::Outcome::optimal);
  return result.values[0];
}

}  // namespace

TEST_CASE("no other split of experts ends earlier") {
  std::mt19937 random(4);
  for (int i = 0; i < 3000; ++i) {
    std::vector<ExpertClass> classes = random_classes(random, random() % 6, 3);
    for (ExpertClass& expert : classes) {
      if (random() % 12 == 0) expert.gpu_seconds = std::numeric_limits<double>::infinity();
      if (random() % 12 == 0) expert.pim_seconds = std::numeric_limits<double>::infinity();
    }
    const double gpu = static_cast<double>(random() % 20);
    const double pim = static_cast<double>(random() % 20);
    const ExpertSplit split = split_experts(classes, gpu, pim);
    const double least = try_everything(classes, gpu, pim);
    REQUIRE(split.proven);
    REQUIRE(split.seconds == least);
    REQUIRE(seconds_of(classes, split, gpu, pim) == least);
    REQUIRE(split.lower_bound <= least * (1 + 1e-12));
  }
}

TEST_CASE("CBC finds no better split of many experts") {
  std::mt19937 random(5);
  for (int i = 0; i < 30; ++i) {
    std::vector<ExpertClass> classes = random_classes(random, 12, 8);
    for (ExpertClass& expert : classes) {
      expert.gpu_seconds += 1;
      expert.pim_seconds += 1;
    }
    const ExpertSplit split = split_experts(classes);
    REQUIRE(split.proven);
    REQUIRE(by_cbc(classes) == Approx(split.seconds).epsilon(1e-6));
  }
}

TEST_CASE("128 experts with lengths of their own: what a table over all loads of the GPU finds") {
  std::mt19937 random(6);
  std::lognormal_distribution<double> length(3, 1);
  for (int i = 0; i < 10; ++i) {
    std::vector<ExpertClass> classes;
    std::vector<double> pim_of_gpu{0};
    for (int e = 0; e < 128; ++e) {
      const ExpertClass& expert =
          classes.emplace_back(ExpertClass{1 + std::floor(length(random)), 1 + std::floor(length(random))});
      const auto gpu = static_cast<std::size_t>(expert.gpu_seconds);
      std::vector<double> next(pim_of_gpu.size() + gpu, std::numeric_limits<double>::infinity());
      for (std::size_t load = 0; load < pim_of_gpu.size(); ++load) {
        next[load] = std::min(next[load], pim_of_gpu[load] + expert.pim_seconds);
        next[load + gpu] = std::min(next[load + gpu], pim_of_gpu[load]);
      }
      pim_of_gpu = std::move(next);
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t load = 0; load < pim_of_gpu.size(); ++load) {
      least = std::min(least, std::max(static_cast<double>(load), pim_of_gpu[load]));
    }
    const ExpertSplit split = split_experts(classes);
    CHECK(split.proven);
    CHECK(split.seconds == least);
    CHECK(seconds_of(classes, split, 0, 0) == least);
    CHECK(split.lower_bound <= least);
  }
}

TEST_CASE("a search that may keep nothing says that it proves nothing") {
  const std::vector<ExpertClass> classes{{3, 5, 3}, {4, 4, 3}, {5, 3, 3}};
  const ExpertSplit split = split_experts(classes, 0, 0, 0);
  CHECK_FALSE(split.proven);
  CHECK(seconds_of(classes, split, 0, 0) == split.seconds);
  CHECK_THROWS_AS(split_experts(std::vector<ExpertClass>{{-1, 2, 1}}), PointError);
  CHECK(split_experts({}, 2, 3).seconds == 3);
}

}  // namespace pimsweep::systems::llm::schedule
