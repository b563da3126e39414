#include "systems/llm/schedule/two_jobs.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "systems/allspark/scheduler/cbc_program.h"
#include "systems/llm/schedule/random_problem.h"
#include "systems/llm/schedule/two_job_orders.h"

namespace pimsweep::systems::llm::schedule {
namespace {

using allspark::scheduler::CbcProgram;

Job random_job(std::mt19937& random, std::size_t max_intervals) {
  Job job(random() % (max_intervals + 1));
  for (Interval& interval : job) {
    interval.uses = static_cast<Resources>(random() % 3 != 0 ? 1U << (random() % 3) : 1 + random() % everything);
    interval.seconds = static_cast<double>(1 + random() % 6);
  }
  return job;
}

Conflicts random_conflicts(std::mt19937& random) {
  Conflicts conflicts;
  if (random() % 3 == 0) conflicts.set(Resource::gpu, Resource::pim, true);
  if (random() % 3 == 0) conflicts.set(Resource::link, Resource::link, false);
  if (random() % 4 == 0) conflicts.set(Resource::link, Resource::pim, true);
  return conflicts;
}

/// The disjunctive program: a start of each interval, and a binary for the order of each pair that excludes one
/// another.
double by_cbc(const Conflicts& conflicts, const Job& first, const Job& second) {
  const double all = length(first) + length(second);
  CbcProgram program;
  const int last = program.add_column(0, CbcProgram::infinity, 1, false);
  std::array<std::vector<int>, 2> starts;
  for (const auto& [job, start] : {std::pair(&first, &starts[0]), std::pair(&second, &starts[1])}) {
    for (std::size_t i = 0; i < job->size(); ++i) {
      start->push_back(program.add_column(0, CbcProgram::infinity, 0, false));
      const CbcProgram::Term before{start->at(i), -1};
      if (i > 0) {
        program.add_row(job->at(i - 1).seconds, CbcProgram::infinity,
                        std::array{CbcProgram::Term{start->at(i), 1}, CbcProgram::Term{start->at(i - 1), -1}});
      }
      program.add_row(job->at(i).seconds, CbcProgram::infinity, std::array{CbcProgram::Term{last, 1}, before});
    }
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = 0; j < second.size(); ++j) {
      if (!conflicts.between(first[i].uses, second[j].uses)) continue;
      const int order = program.add_binary(0);
      const CbcProgram::Term a{starts[0][i], 1};
      const CbcProgram::Term b{starts[1][j], 1};
      program.add_row(first[i].seconds - all, CbcProgram::infinity,
                      std::array{b, CbcProgram::Term{a.column, -1}, CbcProgram::Term{order, -all}});
      program.add_row(second[j].seconds, CbcProgram::infinity,
                      std::array{a, CbcProgram::Term{b.column, -1}, CbcProgram::Term{order, all}});
    }
  }
  const CbcProgram::Result result = program.solve(10);
  REQUIRE(result.outcome == CbcProgram::Outcome::optimal);
  return result.values[0];
}

}  // namespace

TEST_CASE("no order of two jobs ends earlier than the shortest path") {
  std::mt19937 random(10);
  int above_bound = 0;
  for (int i = 0; i < 4000; ++i) {
    const Conflicts conflicts = random_conflicts(random);
    const Job first = random_job(random, 5);
    const Job second = random_job(random, 5);
    TwoJobSolver solver(conflicts);
    const double bound = remaining_bound(JobSums(first, solver.cliques()), 0, JobSums(second, solver.cliques()), 0);
    const std::optional<double> makespan = solver.solve(first, second);
    const double least = best_order(conflicts, first, second);
    REQUIRE(makespan == least);
    REQUIRE(bound <= least);
    above_bound += bound < least ? 1 : 0;
    REQUIRE(end_of(conflicts, first, second, solver.starts()) == least);
    REQUIRE_FALSE(solver.solve(first, second, least).has_value());
    REQUIRE(solver.solve(first, second, least + 1) == least);
  }
  CHECK(above_bound > 100);
}

TEST_CASE("the bound of repeated blocks changes no makespan and is never above it") {
  std::mt19937 random(14);
  int tight = 0;
  PeriodicBound repeated;
  for (int i = 0; i < 2000; ++i) {
    const Conflicts conflicts = random_conflicts(random);
    TwoJobSolver solver(conflicts);
    const std::size_t blocks = 1 + random() % 12;
    std::array<Job, 2> jobs;
    std::array<Job, 2> block;
    std::array<JobSums, 2> sums;
    for (std::size_t s = 0; s < 2; ++s) {
      block[s] = random_job(random, 5);
      if (block[s].empty()) block[s].push_back({gpu_only, 2});
      const bool has_first_move = random() % 3 == 0;
      if (has_first_move) jobs[s].push_back({link_only, 1});
      for (std::size_t b = 0; b < blocks; ++b) jobs[s].insert(jobs[s].end(), block[s].begin(), block[s].end());
      if (has_first_move) jobs[s].push_back({link_only, 1});
      sums[s] = JobSums(jobs[s], solver.cliques());
      sums[s].first = has_first_move ? 1 : 0;
      sums[s].period = block[s].size();
      sums[s].last = sums[s].first + blocks * sums[s].period;
    }
    const double makespan = solver.solve(jobs[0], jobs[1]).value();
    // Whatever worth is said to be enough.
    const double enough = static_cast<double>(random() % 3) * makespan / static_cast<double>(blocks) / 2;
    repeated.fill(conflicts, block[0], block[1], enough);
    const double times = static_cast<double>(blocks);
    for (const bool is_tilted : {false, true}) {
      if (is_tilted) repeated.add_tilted();
      const double bound = repeated.remaining(0, times * length(block[0]), 0, times * length(block[1]));
      REQUIRE(bound <= makespan * (1 + 1e-9));
      tight += bound >= makespan * (1 - 1e-9) ? 1 : 0;
      REQUIRE(solver.solve(sums[0], sums[1], infinite, &repeated) == makespan);
    }
    REQUIRE(end_of(conflicts, jobs[0], jobs[1], solver.starts()) == makespan);
  }
  CHECK(tight > 100);
}

TEST_CASE("CBC finds no earlier end of two jobs") {
  std::mt19937 random(11);
  for (int i = 0; i < 12; ++i) {
    const Conflicts conflicts = random_conflicts(random);
    const Job first = random_job(random, 5);
    const Job second = random_job(random, 5);
    REQUIRE(by_cbc(conflicts, first, second) == Approx(TwoJobSolver(conflicts).solve(first, second).value()));
  }
}

TEST_CASE("resources that exclude one another form cliques") {
  Conflicts conflicts;
  CHECK(conflicts.cliques() == std::vector<Resources>{link_only, pim_only, gpu_only});
  CHECK(conflicts.between(both_sides, pim_only));
  CHECK_FALSE(conflicts.between(gpu_only, pim_only));
  conflicts.set(Resource::gpu, Resource::pim, true);
  conflicts.set(Resource::link, Resource::link, false);
  CHECK(conflicts.cliques() == std::vector<Resources>{both_sides});
  CHECK(conflicts.between(everything, link_only) == false);
}

TEST_CASE("two sub-batches that take turns hide the shorter side") {
  Job job;
  for (int block = 0; block < 80; ++block) {
    job.push_back({gpu_only, 3});
    job.push_back({pim_only, 2});
  }
  TwoJobSolver solver{Conflicts()};
  // The GPU is never idle; PIM ends the last block.
  CHECK(solver.solve(job, job) == 2 * 80 * 3 + 2);
  CHECK(solver.solve(job, Job{}) == 80 * 5);
  CHECK(solver.solve(Job{}, Job{}) == 0);
}

}  // namespace pimsweep::systems::llm::schedule
