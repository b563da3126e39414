#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/posix_file.h"
#include "base/statistics.h"
#include "systems/serving/engine/simulation.h"
#include "systems/serving/engine/vllm.h"

// The rules alone against two measured runs of vLLM 0.19 (results/reference/serving): step times are affine functions,
// with five constants for each GPU that were fitted to these runs.

namespace pimsweep::systems::serving::engine {

namespace {

constexpr const char* folder = "results/reference/serving/";

/// Numbers of a CSV file by column; an empty cell is 0.
class Columns {
 public:
  explicit Columns(const std::string& name) : table_(parse_csv(read_file(folder + name), name)) {}
  std::size_t rows() const { return table_.rows.size(); }
  double at(std::size_t row, std::string_view column) const {
    const std::string& text = table_.rows[row][static_cast<std::size_t>(table_.column(column))].text;
    return text.empty() ? 0 : std::stod(text);
  }

 private:
  CsvTable table_;
};

/// Seconds of a step with d decodes that have s tokens of context in all, and n tokens if there are prompts among them:
/// a + b d + c s, or max(a + b n, p n) + q s.
struct AffineStep {
  double a = 0;
  double b = 0;
  double c = 0;
  double p = 0;
  double q = 0;
  double first = 0;

  double operator()(const Step& step, bool is_first) const {
    constexpr double host = 0.3e-3;
    double tokens = 0;
    double context = 0;
    bool has_prompt = false;
    for (const Work& work : step.works) {
      tokens += work.tokens;
      has_prompt |= work.is_prompt();
      if (!work.is_prompt()) context += work.context;
    }
    const double seconds =
        has_prompt ? std::max(a + b * tokens, p * tokens) + q * context : a + b * tokens + c * context;
    return seconds + host + (is_first ? first : 0);
  }
};

struct Run {
  Columns measured;
  Columns series;
  std::vector<Request> requests = {};
  VllmScheduler scheduler = {};
  Outcome outcome = {};

  explicit Run(const std::string& name) : measured(name + ".csv"), series(name + "-timeseries.csv") {
    for (std::size_t i = 0; i < measured.rows(); ++i) {
      requests.push_back({.arrival = measured.at(i, "arrival_s"),
                          .input = std::lround(measured.at(i, "input_tokens")),
                          .output = std::lround(measured.at(i, "output_tokens")),
                          .shared_prefix = std::lround(measured.at(i, "shared_prefix_tokens")),
                          .shared_with = static_cast<std::size_t>(measured.at(i, "shared_with"))});
    }
  }

  void simulate_with(const Limits& limits, const AffineStep& step_time) {
    bool is_first = true;
    simulate(
        requests, limits, {}, scheduler,
        [&](const Step& step) {
          const double seconds = step_time(step, is_first);
          is_first = false;
          return seconds;
        },
        outcome);
  }
};

struct Summary {
  double mean = 0;
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
};

Summary summary_of(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  Summary s{.p50 = quantile(numbers, 0.5), .p90 = quantile(numbers, 0.9), .p99 = quantile(numbers, 0.99)};
  for (const double number : numbers) s.mean += number / static_cast<double>(numbers.size());
  return s;
}

/// Compares sums of a run's requests with the measured ones.
template <typename Simulated, typename Measured>
void check(const char* name, const Run& run, double mean, double others, Simulated simulated, Measured measured) {
  CAPTURE(name);
  std::vector<double> ours;
  std::vector<double> theirs;
  for (std::size_t i = 0; i < run.requests.size(); ++i) {
    ours.push_back(simulated(i));
    theirs.push_back(measured(i));
  }
  const Summary a = summary_of(ours);
  const Summary b = summary_of(theirs);
  CHECK(std::abs(a.mean / b.mean - 1) < mean);
  CHECK(std::abs(a.p50 / b.p50 - 1) < others);
  CHECK(std::abs(a.p90 / b.p90 - 1) < others);
  CHECK(std::abs(a.p99 / b.p99 - 1) < others);
}

void check_requests(const Run& run) {
  const std::vector<RequestTimes>& times = run.outcome.requests;
  const Columns& m = run.measured;
  check(
      "ttft", run, 0.05, 0.05, [&](std::size_t i) { return times[i].first_token - times[i].arrival; },
      [&](std::size_t i) { return m.at(i, "first_token_s") - m.at(i, "arrival_s"); });
  check(
      "tpot", run, 0.02, 0.02,
      [&](std::size_t i) {
        return (times[i].last_token - times[i].first_token) / static_cast<double>(run.requests[i].output - 1);
      },
      [&](std::size_t i) {
        return (m.at(i, "last_token_s") - m.at(i, "first_token_s")) / (m.at(i, "output_tokens") - 1);
      });
  check(
      "latency", run, 0.02, 0.02, [&](std::size_t i) { return times[i].last_token - times[i].arrival; },
      [&](std::size_t i) { return m.at(i, "last_token_s") - m.at(i, "arrival_s"); });
  // Few requests decide mean and P99 of the time from scheduling to the first token.
  check(
      "scheduled to first token", run, 0.35, 0.4,
      [&](std::size_t i) { return times[i].first_token - times[i].scheduled; },
      [&](std::size_t i) { return m.at(i, "first_token_s") - m.at(i, "scheduled_s"); });
}

/// Mean distance from the time series of the measured run in running and waiting requests, and in points of the cache.
struct Distance {
  double running = 0;
  double waiting = 0;
  double cache = 0;
};

Distance distance_from_series(const Run& run, std::int64_t blocks) {
  Distance sum;
  double seconds = 0;
  std::size_t next = 0;
  const std::vector<StepRecord>& steps = run.outcome.steps;
  for (std::size_t row = 0; row < run.series.rows(); ++row) {
    while (next < steps.size() && steps[next].end <= run.series.at(row, "t")) ++next;
    if (next == 0) continue;
    const Load load = next == steps.size() ? Load{} : steps[next - 1].load;
    sum.running += std::abs(static_cast<double>(load.running) - run.series.at(row, "running"));
    sum.waiting += std::abs(static_cast<double>(load.waiting) - run.series.at(row, "waiting"));
    const double share = 100 * static_cast<double>(load.used_blocks) / static_cast<double>(blocks - 1);
    sum.cache += std::abs(share - run.series.at(row, "kv_cache_pct"));
    seconds += 1;
  }
  return {sum.running / seconds, sum.waiting / seconds, sum.cache / seconds};
}

}  // namespace

TEST_CASE("The rules reproduce a run that lacks memory: RTX 4090", "[serving]") {
  Run run("rtx4090-llama-3.1-8b");
  const Limits limits{.blocks = 2588};
  run.simulate_with(limits, {17500e-6, 39.9e-6, 0.1426e-6, 96.1e-6, 0.380e-6, 0.35});
  check_requests(run);
  const Counters& counters = run.scheduler.counters();
  CHECK(counters.preemptions >= 170);
  CHECK(counters.preemptions <= 220);
  CHECK(counters.discarded - counters.restored >= 95000);
  CHECK(counters.discarded - counters.restored <= 125000);
  const Distance distance = distance_from_series(run, limits.blocks);
  CHECK(distance.running < 3);
  CHECK(distance.waiting < 3);
  CHECK(distance.cache < 3);
}

TEST_CASE("The rules reproduce a run with a limit of sequences: RTX PRO 6000", "[serving]") {
  Run run("rtxpro6000-llama-3.1-8b");
  // The run did not record its blocks; 96 GB have more than it needs.
  const Limits limits{.max_sequences = 128, .blocks = 30000};
  run.simulate_with(limits, {11700e-6, 23.5e-6, 0.0944e-6, 43.4e-6, 0.162e-6, 0.07});
  check_requests(run);
  CHECK(run.scheduler.counters().preemptions == 0);
  CHECK(run.scheduler.counters().prefix_hits == 19504);
  const Distance distance = distance_from_series(run, limits.blocks);
  CHECK(distance.running < 3);
  CHECK(distance.waiting < 3);
}

}  // namespace pimsweep::systems::serving::engine
