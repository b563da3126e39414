#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bounded_cache.h"
#include "systems/llm/step/capacity.h"
#include "systems/serving/engine/simulation.h"
#include "systems/serving/engine/static_batches.h"
#include "systems/serving/engine/vllm.h"
#include "systems/serving/settings.h"
#include "systems/serving/step_costs.h"
#include "systems/system.h"
#include "workload/decoder/decoder.h"
#include "workload/decoder/tables.h"

namespace pimsweep::systems::serving {

/// Mean and percentiles of a time over requests, in seconds.
struct Distribution {
  std::optional<double> mean;
  std::optional<double> p50;
  std::optional<double> p90;
  std::optional<double> p95;
  std::optional<double> p99;
  /// Interval of 90 % around the 99th percentile, by order statistics of independent numbers.
  std::optional<double> p99_low = {};
  std::optional<double> p99_high = {};
};

/// Latencies of requests. Missing where they depend on how long the run is (Evaluation::has_latencies).
struct Latencies {
  Distribution ttft;
  Distribution tpot;
  Distribution itl;
  Distribution e2el;
  Distribution queue;
};

/// The KV cache of a point: how the number of its blocks comes about, in bytes on each GPU.
struct CacheRoom {
  double memory = 0;
  double weights = 0;
  double reserved = 0;
  /// Weights in the memory of PIM, and the room there or on the GPU for blocks.
  double pim_weights = 0;
  double room = 0;
  double block_bytes = 0;
  std::int64_t blocks = 0;
  /// Tokens of the model's window; 0 without one.
  std::int64_t window = 0;
};

/// Results of a point; SI units.
struct Evaluation {
  /// Why the machine cannot serve the requests; empty if it can.
  std::string misfit;
  CacheRoom cache;
  devices::SiliconEstimate silicon;
  double time = no_number;
  Latencies latencies;
  double request_throughput = no_number;
  double output_throughput = no_number;
  double total_throughput = no_number;
  double goodput = no_number;
  double attainment = no_number;
  std::optional<double> load;
  bool is_saturated = false;
  bool meets_level = false;
  std::optional<double> max_rate;
  engine::Counters counters;
  std::int64_t recomputed = 0;
  double prefix_hit_rate = no_number;
  double cache_peak = no_number;
  double cache_mean = no_number;
  double running_mean = no_number;
  std::int64_t steps = 0;
  double gpu_busy = no_number;
  double pim_busy = no_number;
  std::optional<double> channel_imbalance;
  double energy = no_number;
  double energy_per_token = no_number;
  std::optional<double> cost_per_million;
  std::string_view caveat;
};

/// Hash of all that the throughput of a queue that is never empty depends on.
using RunKey = std::array<std::uint64_t, 2>;

/// Evaluates points of the system `serving`: makes the requests, counts the blocks that memory has room for, and runs
/// the engine with the costs of its steps.
///
///     Evaluator evaluate(tables);
///     const Evaluation& evaluation = evaluate(settings, decoder, key);
///
/// The second run of a point, which finds the throughput of a queue that is never empty, is remembered by `key`. An
/// evaluator keeps its memory between points; one thread at a time uses it.
class Evaluator {
 public:
  explicit Evaluator(workload::decoder::Tables& tables) : tables_(tables) {}

  /// The reference holds until the next call. Throws PointError if the settings contradict each other.
  const Evaluation& operator()(const Settings& settings, const workload::decoder::Decoder& decoder, const RunKey& key);
  /// Throws those PointErrors that depend on no costs: contradictions in the requests, faulty traces, and the division
  /// over GPUs.
  void require_fit(const Settings& settings, const workload::decoder::Decoder& decoder);
  /// The run of the last point.
  const engine::Outcome& outcome() const { return outcome_; }
  const std::vector<engine::Request>& requests() const { return requests_; }

 private:
  void divide(const workload::decoder::Decoder& decoder);
  void count_blocks();
  std::int64_t pools() const;
  void check_requests();
  engine::Limits limits_for(std::span<const engine::Request> requests) const;
  void run(std::span<const engine::Request> requests, std::int64_t max_concurrency);
  double full_throughput();
  double attainment() const;
  double find_max_rate(double rate, double full_rate);
  void finish();
  void set_latencies();
  bool is_growing() const;
  std::size_t first_measured() const;

  workload::decoder::Tables& tables_;
  const Settings* settings_ = nullptr;
  step::Machine machine_;
  step::GemmCosts gemms_;
  step::StepContext context_;
  step::Capacity capacity_;
  StepCosts costs_;
  engine::VllmScheduler vllm_;
  engine::StaticBatches static_batches_;
  engine::Scheduler* scheduler_ = nullptr;
  engine::Outcome outcome_;
  StepCost totals_;
  /// Channels that hold whole requests under the policy of the point.
  Residency residency_;
  std::vector<engine::Request> requests_;
  /// The requests as they arrive in the point, while others are tried.
  std::vector<engine::Request> kept_;
  std::vector<double> numbers_;
  BoundedCache<RunKey, double> throughputs_{64};
  Evaluation evaluation_;
};

}  // namespace pimsweep::systems::serving
