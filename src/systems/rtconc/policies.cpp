#include "systems/rtconc/policies.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"

namespace pimsweep::systems::rtconc {

namespace {

using schedule::StrategySet;

// TensorFlow leaves OpenMP's threads spinning.
Scheduled tensorflow_default(Scheduling& scheduling, const PolicyInput& input) {
  const hardware::manycore::Device& cpu = input.settings.machine.cpu();
  const auto all = static_cast<std::int64_t>(cpu.cores * cpu.smt);
  return scheduling.uniform({all, all}, true);
}

Scheduled recommended(Scheduling& scheduling, const PolicyInput&) {
  return scheduling.uniform(scheduling.recommended());
}

Scheduled uniform(Scheduling& scheduling, const PolicyInput& input) {
  const hardware::manycore::Device& cpu = input.settings.machine.cpu();
  const std::int64_t threads = input.settings.intra;
  const double max_threads = cpu.cores * cpu.smt;
  if (static_cast<double>(threads) > max_threads) {
    throw PointError(fmt::format("intra is {}, but the processor has {} hardware threads", threads, max_threads));
  }
  return scheduling.uniform({input.settings.inter, threads == 0 ? scheduling.recommended().intra : threads});
}

/// Numbers of threads that the policy "manual" tries: powers of two below the cores, half of the cores, and one or more
/// on each core.
std::set<std::int64_t> manual_threads(const hardware::manycore::Device& cpu) {
  const auto cores = static_cast<std::int64_t>(cpu.cores);
  std::set<std::int64_t> threads{cores, std::max<std::int64_t>(1, cores / 2)};
  for (std::int64_t power = 1; power < cores; power *= 2) threads.insert(power);
  for (std::int64_t each = 2; each <= static_cast<std::int64_t>(cpu.smt); each *= 2) threads.insert(each * cores);
  return threads;
}

Scheduled manual(Scheduling& scheduling, const PolicyInput& input) {
  Scheduled best;
  std::vector<Trial> trials;
  for (const std::int64_t intra : manual_threads(input.settings.machine.cpu())) {
    for (const std::int64_t inter : {1, 2, 4, 8}) {
      Scheduled tried = scheduling.uniform({inter, intra});
      trials.push_back({{inter, intra}, tried.outcome.seconds});
      if (!best.setting || tried.outcome.seconds < best.outcome.seconds) best = std::move(tried);
    }
  }
  best.trials = std::move(trials);
  return best;
}

template <StrategySet set>
Scheduled strategies(Scheduling& scheduling, const PolicyInput& input) {
  StrategySet used = set;
  used.longest_waits = input.settings.longest_waits;
  return scheduling.strategies(used, input.model, input.classes, input.settings.avoided_slowdown);
}

Scheduled moldable(Scheduling& scheduling, const PolicyInput&) { return scheduling.moldable(); }

}  // namespace

const std::array<Policy, 9> policies{{
    {"tensorflow-default", "as many operations at a time, and threads for each, as there are hardware threads",
     tensorflow_default},
    {"recommended", "one operation at a time, a thread for each core: the baseline of all speedups", recommended},
    {"uniform", "operations at a time and threads of each by axes inter and intra", uniform},
    {"manual", "the best of inter 1, 2, 4, 8 and intra 1, 2, 4, ..., half, one, two and four threads for each core",
     manual},
    {"strategy-1", "each operation alone, with its best number of threads", strategies<StrategySet{}>},
    {"strategy-12", "each operation alone, with one number of threads for all operations of a type",
     strategies<StrategySet{.fixed_by_type = true}>},
    {"strategy-123", "strategy-12, with operations side by side where cores are idle",
     strategies<StrategySet{.fixed_by_type = true, .co_run = true}>},
    {"strategy-1234", "strategy-123, with small operations on the hardware threads of one that has all cores",
     strategies<StrategySet{.fixed_by_type = true, .co_run = true, .hyper_threads = true}>},
    {"moldable", "list scheduling of moldable operations by the true times: an estimate of the remaining gain",
     moldable},
}};

}  // namespace pimsweep::systems::rtconc
