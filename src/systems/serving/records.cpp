#include "systems/serving/records.h"

#include <string>

#include "systems/timeline.h"

namespace pimsweep::systems::serving {

namespace {

void add_distribution(ColumnList& metrics, const Distribution& d, const std::string& name, const std::string& what,
                      const std::string& absent) {
  metrics.quantity(d.mean, name + "_mean", "s", "mean " + what, absent)
      .quantity(d.p50, name + "_p50", "s", "median " + what, absent)
      .quantity(d.p90, name + "_p90", "s", "90th percentile of the " + what, absent)
      .quantity(d.p95, name + "_p95", "s", "95th percentile of the " + what, absent)
      .quantity(d.p99, name + "_p99", "s", "99th percentile of the " + what, absent);
}

/// Spread of the 99th percentile of a number of each request.
void add_spread(ColumnList& metrics, const Distribution& d, const std::string& name, const std::string& what,
                const std::string& absent) {
  metrics
      .quantity(d.p99_low, name + "_p99_low", "s", "lower end of the 90 % interval of the p99 of the " + what, absent)
      .quantity(d.p99_high, name + "_p99_high", "s", "upper end of the 90 % interval of the p99 of the " + what,
                absent);
}

void add_metrics(ColumnList& metrics, const Evaluation& e) {
  const std::string saturated = "more requests arrive than the machine serves, so that the run's length decides";
  metrics.quantity(e.time, "time", "s", "time from the first arrival to the last token")
      .quantity(e.request_throughput, "request_throughput", "1/s", "requests that end in a second")
      .quantity(e.output_throughput, "output_throughput", "1/s", "tokens generated in a second")
      .quantity(e.total_throughput, "total_throughput", "1/s", "tokens of prompts and outputs in a second")
      .quantity(e.goodput, "goodput", "1/s", "requests in a second that meet both service levels")
      .quantity(e.attainment, "slo_attainment", "1", "share of requests that meet both service levels")
      .count(e.meets_level, "slo_met", "1 if enough requests meet the service levels and the queue does not grow")
      .count(e.is_saturated, "saturated", "1 if the load is 1 or more, or the queue grows over the run")
      .quantity(e.max_rate, "max_request_rate", "1/s",
                "highest rate of requests within the service levels without a growing queue", "find_max_rate is off")
      .quantity(e.load, "load", "1",
                "requests that arrive in a second relative to those served if the queue is never empty",
                "closed-loop arrivals, or all requests at once");
  add_distribution(metrics, e.latencies.ttft, "ttft", "time from arrival to first token (TTFT)", saturated);
  add_distribution(metrics, e.latencies.tpot, "tpot", "time per output token after the first (TPOT)",
                   saturated + ", or all outputs are one token");
  add_distribution(metrics, e.latencies.itl, "itl", "time between successive tokens of a request",
                   saturated + ", or all outputs are one token");
  add_distribution(metrics, e.latencies.e2el, "e2el", "time from arrival to last token", saturated);
  add_distribution(metrics, e.latencies.queue, "queue_time", "time from arrival to first scheduling", saturated);
  add_spread(metrics, e.latencies.ttft, "ttft", "time to first token", saturated);
  add_spread(metrics, e.latencies.tpot, "tpot", "time per output token", saturated + ", or all outputs are one token");
  add_spread(metrics, e.latencies.e2el, "e2el", "time from arrival to last token", saturated);
  metrics.count(e.counters.preemptions, "preemptions", "preemptions of requests")
      .count(e.recomputed, "recomputed_tokens",
             "tokens that preemptions discarded and the prefix cache did not restore")
      .count(e.counters.discarded, "discarded_tokens", "tokens with keys and values that preemptions discarded")
      .count(e.counters.prefix_hits, "prefix_hit_tokens", "tokens of prompts that the prefix cache had")
      .quantity(e.prefix_hit_rate, "prefix_hit_rate", "1", "share of prompt tokens that the prefix cache had")
      .count(e.counters.copied, "copied_tokens", "tokens of prefix-cache hits that were copied to another PIM channel")
      .count(e.cache.blocks, "kv_cache_blocks", "blocks of the KV cache, with the null block")
      .quantity(e.cache_peak, "kv_cache_peak", "1", "maximum share of the KV cache in use")
      .quantity(e.cache_mean, "kv_cache_mean", "1", "mean share of the KV cache in use")
      .quantity(e.running_mean, "running_mean", "1", "mean number of running requests")
      .count(e.steps, "steps", "steps of the engine")
      .quantity(e.gpu_busy, "gpu_busy", "1", "share of the time in which a GPU works")
      .quantity(e.pim_busy, "pim_busy", "1", "share of the time in which PIM works")
      .quantity(e.channel_imbalance, "channel_imbalance", "1",
                "tokens in the fullest PIM channel relative to those of a channel on average, over all steps",
                "the policy keeps no whole requests in PIM channels")
      .quantity(e.energy, "energy", "J", "energy of all devices from the first arrival to the last token")
      .quantity(e.energy_per_token, "energy_per_token", "J", "energy of a generated token")
      .quantity(e.cost_per_million, "cost_per_million_tokens", "1", "dollars for a million generated tokens",
                "no price is given")
      .text(e.caveat, "caveat", "limits of the model that concern the point");
  llm::step::add_silicon_metrics(metrics, e.silicon);
}

RowTable<RequestRow> request_table() {
  RowTable<RequestRow> table("request_times", "requests with their times since the start, if recorded");
  const RequestRow& row = table.layout();
  table.count(row.request, "request", "request, counted from 0 in the order of arrival")
      .quantity(row.arrival, "arrival", "s", "time at which the client sends the request")
      .quantity(row.queued, "queued", "s", "time at which the engine takes the request in")
      .quantity(row.scheduled, "scheduled", "s", "time of the request's first scheduling")
      .quantity(row.first_token, "first_token", "s", "time of the request's first token")
      .quantity(row.last_token, "last_token", "s", "time of the request's last token")
      .count(row.input, "input_tokens", "tokens of the request's prompt")
      .count(row.output, "output_tokens", "tokens generated for the request");
  return table;
}

RowTable<StepRow> step_table() {
  RowTable<StepRow> table("step_times", "steps of the engine, and its state at their ends, if recorded");
  const StepRow& row = table.layout();
  table.text(row.lane, "lane", "engine that runs the step")
      .in_timeline(TimelineRole::lane)
      .text(row.kind, "kind", "decode, or mixed if the step has a chunk of a prompt")
      .in_timeline(TimelineRole::name)
      .quantity(row.start, "start", "s", "start of the step since the start of the run")
      .in_timeline(TimelineRole::start)
      .quantity(row.end, "end", "s", "end of the step since the start of the run")
      .in_timeline(TimelineRole::end)
      .count(row.prompt_tokens, "prompt_tokens", "tokens of prompts in the step")
      .count(row.decodes, "decodes", "requests that generate in the step")
      .count(row.running, "running", "requests that run after the step")
      .count(row.waiting, "waiting", "requests that wait after the step")
      .quantity(row.cache, "kv_cache", "1", "share of the KV cache in use after the step")
      .count(row.preemptions, "preemptions", "preemptions from the start of the run to the end of the step");
  return table;
}

}  // namespace

Records::Records(Schema& schema) : requests_(request_table()), steps_(step_table()) {
  add_metrics(metrics_, metrics_.layout());
  schema.metrics = metrics_.columns();
  requests_.attach(schema);
  steps_.attach(schema);
}

void Records::write(const Settings& settings, const Evaluator& evaluator, const Evaluation& evaluation,
                    Record& record) const {
  metrics_.write(evaluation, record);
  if (!evaluation.misfit.empty()) {
    record.status = Status::infeasible;
    record.message = evaluation.misfit;
    return;
  }
  record.status = Status::ok;
  if (!settings.record_timeline) return;
  const engine::Outcome& outcome = evaluator.outcome();
  for (std::size_t i = 0; i < outcome.requests.size(); ++i) {
    const engine::RequestTimes& times = outcome.requests[i];
    requests_.add({.request = static_cast<std::int64_t>(i),
                   .arrival = times.arrival,
                   .queued = times.queued,
                   .scheduled = times.scheduled,
                   .first_token = times.first_token,
                   .last_token = times.last_token,
                   .input = evaluator.requests()[i].input,
                   .output = evaluator.requests()[i].output},
                  record);
  }
  const auto blocks = static_cast<double>(evaluation.cache.blocks - 1);
  for (const engine::StepRecord& step : outcome.steps) {
    steps_.add({.kind = step.prompt_tokens > 0 ? "mixed" : "decode",
                .start = step.start,
                .end = step.end,
                .prompt_tokens = step.prompt_tokens,
                .decodes = step.decodes,
                .running = step.load.running,
                .waiting = step.load.waiting,
                .cache = static_cast<double>(step.load.used_blocks) / blocks,
                .preemptions = step.load.preemptions},
               record);
  }
}

}  // namespace pimsweep::systems::serving
