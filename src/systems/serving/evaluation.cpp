#include "systems/serving/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.h"
#include "base/statistics.h"
#include "systems/serving/arrivals.h"

namespace pimsweep::systems::serving {

namespace {

using engine::Request;
using engine::RequestTimes;
using engine::StepRecord;

/// Sorts the numbers.
Distribution distribution_of(std::vector<double>& numbers) {
  if (numbers.empty()) return {};
  std::ranges::sort(numbers);
  double sum = 0;
  for (const double number : numbers) sum += number;
  const auto count = static_cast<double>(numbers.size());
  // The number of values below a quantile is binomial.
  constexpr double within_90_percent = 1.645;
  const double half = within_90_percent * std::sqrt(0.99 * 0.01 / count);
  return {.mean = sum / count,
          .p50 = quantile(numbers, 0.5),
          .p90 = quantile(numbers, 0.9),
          .p95 = quantile(numbers, 0.95),
          .p99 = quantile(numbers, 0.99),
          .p99_low = quantile(numbers, std::max(0.0, 0.99 - half)),
          .p99_high = quantile(numbers, std::min(1.0, 0.99 + half))};
}

/// Quantile of numbers that each occur several times, sorted, as if they were listed.
double quantile_of(std::span<const engine::Gap> sorted, std::int64_t count, double share) {
  const double place = share * static_cast<double>(count - 1);
  const auto below = static_cast<std::int64_t>(place);
  const auto at = [&](std::int64_t index) {
    for (const engine::Gap& gap : sorted) {
      index -= gap.count;
      if (index < 0) return gap.seconds;
    }
    return sorted.back().seconds;
  };
  const double low = at(below);
  const double high = at(std::min(below + 1, count - 1));
  return low + (place - static_cast<double>(below)) * (high - low);
}

Distribution distribution_of(std::vector<engine::Gap>& gaps) {
  if (gaps.empty()) return {};
  std::ranges::sort(gaps, {}, &engine::Gap::seconds);
  std::int64_t count = 0;
  double sum = 0;
  for (const engine::Gap& gap : gaps) {
    count += gap.count;
    sum += static_cast<double>(gap.count) * gap.seconds;
  }
  return {.mean = sum / static_cast<double>(count),
          .p50 = quantile_of(gaps, count, 0.5),
          .p90 = quantile_of(gaps, count, 0.9),
          .p95 = quantile_of(gaps, count, 0.95),
          .p99 = quantile_of(gaps, count, 0.99)};
}

std::optional<double> tpot_of(const Request& request, const RequestTimes& times) {
  if (request.output < 2) return {};
  return (times.last_token - times.first_token) / static_cast<double>(request.output - 1);
}

double total_tokens(std::span<const Request> requests, std::int64_t Request::*member) {
  double sum = 0;
  for (const Request& request : requests) sum += static_cast<double>(request.*member);
  return sum;
}

/// Mean over time of a number of each step, up to a time.
template <typename Number>
double mean_between(std::span<const StepRecord> steps, double from, double to, Number number) {
  double sum = 0;
  for (const StepRecord& step : steps) {
    const double begin = std::max(from, step.start);
    const double end = std::min(to, step.end);
    if (end > begin) sum += (end - begin) * static_cast<double>(number(step));
  }
  return sum / (to - from);
}

/// Throws PointError if the run would take longer than minutes: a step of all requests costs microseconds.
void require_size(std::span<const Request> requests, const engine::Limits& limits) {
  constexpr double max_parts = 1e8;
  double chunk = static_cast<double>(limits.max_tokens);
  if (limits.prefill_threshold > 0) chunk = std::min(chunk, static_cast<double>(limits.prefill_threshold));
  double parts = 0;
  for (const Request& request : requests) {
    parts += std::ceil(static_cast<double>(request.input) / chunk) + static_cast<double>(request.output);
  }
  if (parts > max_parts) {
    throw PointError(
        fmt::format("the requests have {:.3g} chunks of prompts and generated tokens in all: at most "
                    "{:.0e} are simulated",
                    parts, max_parts));
  }
}

/// The largest captured graph (vLLM 0.19); 0 for engines without graphs.
double largest_captured(const Settings& settings) {
  const step::Engine engine = settings.machine.host.engine;
  if (engine != step::Engine::two_steps && engine != step::Engine::one_step) return 0;
  return static_cast<double>(std::min<std::int64_t>(2 * settings.engine.limits.max_sequences, 512));
}

/// Channels that hold whole requests, if decodes' attention is there.
Residency residency_of(const Settings& settings, const step::Machine& machine) {
  if (settings.policy->caches != step::CachePlace::pim || !machine.pim.units().holds_whole_sequences()) return {};
  return {.channels = machine.pim.sequence_channels(), .is_reassigned = !settings.engine.channel_placement};
}

}  // namespace

/// Pools of blocks in which requests stay.
std::int64_t Evaluator::pools() const {
  return residency_.is_reassigned ? 1 : std::max<std::int64_t>(1, residency_.channels);
}

/// Determines how many GPUs share an operator.
void Evaluator::divide(const workload::decoder::Decoder& decoder) {
  const Settings& s = *settings_;
  gemms_.clear();
  context_ = {.machine = &machine_,
              .decoder = &decoder,
              .bits = resolved(s.bits, decoder),
              .gpus = machine_.gpus.tensor_ranks(s.tensor, s.pipeline, decoder.blocks),
              .stages = s.pipeline,
              .pipelining = s.pipelining,
              .expert_parallel = s.expert_parallel,
              .max_captured = largest_captured(s),
              .gemms = &gemms_};
  step::require_expert_groups(context_);
}

/// Blocks of the KV cache that memory has room for, or those of the point.
void Evaluator::count_blocks() {
  const Settings& s = *settings_;
  const step::Policy& policy = *s.policy;
  step::Gpus& gpus = machine_.gpus;
  if (s.engine.memory_utilization > 0) gpus.usable_share = s.engine.memory_utilization;
  CacheRoom& cache = evaluation_.cache;
  cache.memory = gpus.usable_share * gpus.memory;
  cache.reserved = s.engine.reserved_memory;
  gpus.memory = std::max(0.0, cache.memory - cache.reserved) / gpus.usable_share;
  const std::int64_t block_tokens = s.engine.limits.block_tokens;
  capacity_ = step::capacity_of(context_, static_cast<double>(block_tokens));
  cache.weights = capacity_.weights;
  cache.block_bytes = capacity_.sequence_bytes;
  cache.window = context_.decoder->window;
  const bool is_in_pim = policy.caches == step::CachePlace::pim && machine_.pim.has_own_memory;
  costs_.start(context_, candidates_of(policy), capacity_, block_tokens, is_in_pim, residency_);
  const bool is_given = s.engine.num_gpu_blocks > 0;
  if (!is_given && !capacity_.fits_weights()) {
    evaluation_.misfit =
        fmt::format("the weights of {} take {:.4g} GB on each GPU, which has {:.4g} GB besides {:.4g} GB reserved",
                    s.model, 1e-9 * cache.weights, 1e-9 * capacity_.gpu_memory, 1e-9 * cache.reserved);
    return;
  }
  cache.pim_weights = costs_.pim_weights();
  cache.room = step::cache_room(capacity_, policy, machine_.pim) - (is_in_pim ? cache.pim_weights : 0);
  constexpr double max_blocks = 1 << 26;
  cache.blocks = is_given ? s.engine.num_gpu_blocks
                          : static_cast<std::int64_t>(std::clamp(cache.room / cache.block_bytes, 0.0, max_blocks));
  costs_.set_cache(is_in_pim ? std::min(cache.room, static_cast<double>(cache.blocks) * cache.block_bytes) : 0);
}

/// Requests that no engine admits, or the model cannot process.
void Evaluator::check_requests() {
  const std::int64_t positions = context_.decoder->positions;
  const std::int64_t block_tokens = settings_->engine.limits.block_tokens;
  engine::Limits limits = settings_->engine.limits;
  limits.blocks = std::max<std::int64_t>(1, evaluation_.cache.blocks);
  limits.pools = pools();
  const std::int64_t room = limits.pool_blocks();
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    if (positions > 0 && request.tokens() > positions) {
      evaluation_.misfit = fmt::format("request {} has {} tokens of input and output, but {} has a context of {}", i,
                                       request.tokens(), settings_->model, positions);
      return;
    }
    const std::int64_t needed = engine::blocks_of(request.tokens(), block_tokens);
    if (needed > room) {
      evaluation_.misfit =
          fmt::format("request {} of {} tokens needs {} blocks of {}, which has {}: it can never be admitted", i,
                      request.tokens(), needed, limits.pools > 1 ? "a PIM channel" : "the KV cache", room);
      return;
    }
  }
}

/// The limits of the point. Blocks that none of the requests can use would only cost time.
engine::Limits Evaluator::limits_for(std::span<const Request> requests) const {
  engine::Limits limits = settings_->engine.limits;
  limits.pools = pools();
  // With placement in each step there is one pool.
  limits.placement = settings_->engine.channel_placement.value_or(engine::Placement::min_tokens);
  std::int64_t blocks = 0;
  for (const Request& request : requests) blocks += engine::blocks_of(request.tokens(), limits.block_tokens);
  // Numbers of blocks have 31 bits.
  constexpr std::int64_t max_blocks = std::int64_t{1} << 31;
  if (blocks >= max_blocks) throw PointError("the requests have 2^31 blocks or more in all: use larger blocks");
  limits.blocks = std::min(evaluation_.cache.blocks, 1 + blocks * limits.pools);
  return limits;
}

void Evaluator::run(std::span<const Request> requests, std::int64_t max_concurrency) {
  totals_ = {};
  engine::simulate(
      requests, limits_for(requests),
      {.steps_in_flight = settings_->engine.async_scheduling ? 2 : 1, .max_concurrency = max_concurrency}, *scheduler_,
      [this](const engine::Step& step) {
        const StepCost& cost = costs_(step);
        totals_.seconds += cost.seconds;
        totals_.gpu_seconds += cost.gpu_seconds;
        totals_.pim_seconds += cost.pim_seconds;
        totals_.energy += cost.energy;
        totals_.fullest_channel += cost.fullest_channel * cost.seconds;
        totals_.mean_channel += cost.mean_channel * cost.seconds;
        return cost.seconds;
      },
      outcome_);
}

/// Requests a second if the queue is never empty: the lengths of the point again and again, all waiting from the start,
/// from the time when as many have ended as can run together until as many are left.
double Evaluator::full_throughput() {
  constexpr std::size_t max_listed = 1000;
  const double blocks = total_tokens(requests_, &Request::input) + total_tokens(requests_, &Request::output);
  const double mean_blocks =
      blocks / static_cast<double>(settings_->engine.limits.block_tokens) / static_cast<double>(requests_.size());
  const double by_memory = static_cast<double>(evaluation_.cache.blocks) / mean_blocks;
  const auto together = static_cast<std::size_t>(std::clamp(
      by_memory, 1.0, std::min(static_cast<double>(settings_->engine.limits.max_sequences), max_listed / 2.0)));
  const std::size_t count = std::max(3 * together, std::min(requests_.size(), max_listed));
  std::vector<Request> waiting(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t round = i - i % requests_.size();
    waiting[i] = requests_[i % requests_.size()];
    waiting[i].arrival = 0;
    if (waiting[i].shared_prefix > 0) waiting[i].shared_with += round;
  }
  costs_.forget();
  run(waiting, 0);
  numbers_.clear();
  for (const RequestTimes& times : outcome_.requests) numbers_.push_back(times.last_token);
  std::ranges::sort(numbers_);
  const double from = numbers_[together - 1];
  const double to = numbers_[count - 1 - together];
  return to > from ? static_cast<double>(count - 2 * together) / (to - from)
                   : static_cast<double>(count) / numbers_.back();
}

std::size_t Evaluator::first_measured() const {
  return std::min(static_cast<std::size_t>(settings_->traffic.warmup), requests_.size() - 1);
}

/// True if the queue grows over the last two thirds of the arrivals: a queue that grows steadily is 5/3 as long in the
/// last third as in the one before.
bool Evaluator::is_growing() const {
  constexpr double min_growth = 1.4;
  constexpr double min_share = 0.02;
  const double end = requests_.back().arrival;
  if (end <= 0) return false;
  const auto waiting = [](const StepRecord& step) { return step.load.waiting; };
  const double middle = mean_between(std::span(outcome_.steps), end / 3, 2 * end / 3, waiting);
  const double last = mean_between(std::span(outcome_.steps), 2 * end / 3, end, waiting);
  return last > min_growth * middle && last > min_share * static_cast<double>(requests_.size());
}

void Evaluator::set_latencies() {
  Latencies& latencies = evaluation_.latencies;
  const auto collect = [&](auto number) {
    numbers_.clear();
    for (std::size_t i = first_measured(); i < requests_.size(); ++i) {
      const std::optional<double> value = number(requests_[i], outcome_.requests[i]);
      if (value) numbers_.push_back(*value);
    }
    return distribution_of(numbers_);
  };
  using Seconds = std::optional<double>;
  latencies.ttft = collect([](const Request&, const RequestTimes& t) { return Seconds(t.first_token - t.arrival); });
  latencies.e2el = collect([](const Request&, const RequestTimes& t) { return Seconds(t.last_token - t.arrival); });
  latencies.queue = collect([](const Request&, const RequestTimes& t) { return Seconds(t.scheduled - t.arrival); });
  latencies.tpot = collect([](const Request& r, const RequestTimes& t) { return tpot_of(r, t); });
  latencies.itl = distribution_of(outcome_.gaps);
}

/// Share of the requests that meet both bounds.
double Evaluator::attainment() const {
  const ServiceLevel& level = settings_->level;
  double good = 0;
  for (std::size_t i = first_measured(); i < requests_.size(); ++i) {
    const RequestTimes& times = outcome_.requests[i];
    const bool is_good =
        times.first_token - times.arrival <= level.ttft && tpot_of(requests_[i], times).value_or(0) <= level.tpot;
    good += is_good ? 1 : 0;
  }
  return good / static_cast<double>(requests_.size() - first_measured());
}

/// Highest rate at which enough requests meet both bounds and the queue does not grow, with the arrivals of the point
/// scaled to each rate, by bisection up to the throughput of a queue that is never empty.
double Evaluator::find_max_rate(double rate, double full_rate) {
  constexpr int bisections = 10;
  costs_.forget();
  kept_ = requests_;
  double within = 0;
  double beyond = full_rate;
  for (int i = 0; i < bisections; ++i) {
    const double middle = (within + beyond) / 2;
    for (std::size_t j = 0; j < kept_.size(); ++j) requests_[j].arrival = kept_[j].arrival * rate / middle;
    run(requests_, settings_->traffic.max_concurrency);
    const bool is_within = attainment() >= settings_->level.share && !is_growing();
    (is_within ? within : beyond) = middle;
  }
  std::swap(requests_, kept_);
  return within;
}

void Evaluator::finish() {
  const Settings& s = *settings_;
  Evaluation& e = evaluation_;
  const double begin = outcome_.requests.front().arrival;
  const double end = outcome_.steps.back().end;
  e.time = end - begin;
  const auto count = static_cast<double>(requests_.size());
  const double inputs = total_tokens(requests_, &Request::input);
  const double outputs = total_tokens(requests_, &Request::output);
  e.request_throughput = count / e.time;
  e.output_throughput = outputs / e.time;
  e.total_throughput = (inputs + outputs) / e.time;
  e.counters = scheduler_->counters();
  e.recomputed = e.counters.discarded - e.counters.restored;
  e.prefix_hit_rate = static_cast<double>(e.counters.prefix_hits) / inputs;
  e.steps = static_cast<std::int64_t>(outcome_.steps.size());
  const auto all_blocks = static_cast<double>(e.cache.blocks - 1);
  const auto used = [&](const StepRecord& step) { return static_cast<double>(step.load.used_blocks) / all_blocks; };
  e.cache_mean = mean_between(std::span(outcome_.steps), begin, end, used);
  e.running_mean =
      mean_between(std::span(outcome_.steps), begin, end, [](const StepRecord& step) { return step.load.running; });
  e.cache_peak = used(*std::ranges::max_element(outcome_.steps, {}, used));
  const auto stages = static_cast<double>(context_.stages);
  e.gpu_busy = totals_.gpu_seconds / (stages * e.time);
  e.pim_busy = totals_.pim_seconds / (stages * e.time);
  if (totals_.mean_channel > 0) e.channel_imbalance = totals_.fullest_channel / totals_.mean_channel;
  const double idle = machine_.gpus.idle_power + static_cast<double>(machine_.pim.count) * machine_.pim.idle_power;
  e.energy = totals_.energy + idle * static_cast<double>(context_.gpus) * stages * e.time;
  e.energy_per_token = e.energy / outputs;
  constexpr double seconds_per_hour = 3600;
  constexpr double million = 1e6;
  if (s.level.price_per_hour > 0) {
    e.cost_per_million = s.level.price_per_hour / seconds_per_hour * e.time / outputs * million;
  }
  e.is_saturated = (e.load && *e.load >= 1) || is_growing();
  e.attainment = attainment();
  e.goodput = e.attainment * e.request_throughput;
  e.meets_level = !e.is_saturated && e.attainment >= s.level.share;
  const bool is_random = s.traffic.arrivals == Arrivals::poisson || s.traffic.arrivals == Arrivals::gamma;
  const bool is_scaled = s.traffic.arrivals == Arrivals::trace && s.traffic.request_rate > 0;
  if (!e.is_saturated || (!is_random && !is_scaled)) set_latencies();
  e.caveat = "step times of modeled kernels; docs/serving.md has their errors against measured runs";
  if (s.policy->needs_pim) e.caveat = "no measured times of language models with this PIM";
  if (e.is_saturated) e.caveat = "saturated: more requests arrive than the machine serves";
}

void Evaluator::require_fit(const Settings& settings, const workload::decoder::Decoder& decoder) {
  settings_ = &settings;
  machine_ = settings.machine;
  make_requests(settings.traffic, tables_, requests_);
  if (machine_.gpus.count > 0) divide(decoder);
}

const Evaluation& Evaluator::operator()(const Settings& settings, const workload::decoder::Decoder& decoder,
                                        const RunKey& key) {
  settings_ = &settings;
  evaluation_ = {};
  machine_ = settings.machine;
  evaluation_.silicon = machine_.silicon_estimate();
  scheduler_ = &vllm_;
  if (settings.engine.rules == EngineRules::static_batches) scheduler_ = &static_batches_;
  make_requests(settings.traffic, tables_, requests_);
  require_size(requests_, settings.engine.limits);
  if (machine_.gpus.count == 0 || !machine_.pim.units().is_beside_gpus()) {
    evaluation_.misfit = "requests are served by machines with GPUs only";
    return evaluation_;
  }
  if (settings.policy->needs_pim && !machine_.pim.is_beside_gpus()) {
    evaluation_.misfit = fmt::format("policy {} needs PIM, which the machine lacks", settings.policy->name);
    return evaluation_;
  }
  residency_ = residency_of(settings, machine_);
  if (pools() > 1 && settings.engine.rules == EngineRules::static_batches) {
    evaluation_.misfit = "engine static-batches leaves no requests in PIM channels: set channel_placement to each-step";
    return evaluation_;
  }
  divide(decoder);
  count_blocks();
  if (evaluation_.misfit.empty()) check_requests();
  if (!evaluation_.misfit.empty()) return evaluation_;
  const double offered = offered_rate(requests_);
  if (offered > 0 && settings.traffic.arrivals != Arrivals::closed_loop) {
    const double full = throughputs_.get(key, [&] { return full_throughput(); });
    double rate = offered;
    if (settings.level.find_max_rate) {
      evaluation_.max_rate = find_max_rate(offered, full);
      if (*evaluation_.max_rate > 0) rate = *evaluation_.max_rate;
      for (Request& request : requests_) request.arrival *= offered / rate;
    }
    evaluation_.load = rate / full;
  }
  costs_.forget();
  run(requests_, settings.traffic.max_concurrency);
  finish();
  return evaluation_;
}

}  // namespace pimsweep::systems::serving
