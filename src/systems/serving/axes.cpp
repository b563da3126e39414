#include "systems/serving/settings.h"
#include "systems/timeline.h"

namespace pimsweep::systems::serving {

namespace {

constexpr double max_tokens = 1 << 24;

void add_traffic_axes(AxisList& axes, Traffic& t) {
  axes.choice(t.arrivals, "arrivals", arrivals_words,
              "arrivals of requests: poisson, gamma, times of a trace, or closed-loop (a new request when one ends)",
              Arrivals::poisson)
      .quantity(t.request_rate, "request_rate", "1/s", 0, 1e9,
                "requests that arrive in a second; 0: as the trace has them", 0.0)
      .quantity(t.burstiness, "burstiness", "1", 1e-3, 1e6,
                "shape of gamma distributed gaps between requests; below 1: more bursts than Poisson arrivals", 1.0)
      .count(t.seed, "arrival_seed", 0, 1e15, "seed of random arrivals", 1)
      .count(t.max_concurrency, "max_concurrency", 0, 1 << 20,
             "requests between arrival and last token, at most; others are sent later; 0: any number", 0)
      .text(t.trace, "trace", "CSV or JSONL file of requests beside the model files, without its ending", "")
      .count(t.requests, "requests", 0, 1 << 17, "requests that are served; 0: all of the trace", 300)
      .choice(t.lengths, "lengths", lengths_words,
              "lengths of requests: own (of the trace, else equal), equal, or log-normal around the means",
              Lengths::own)
      .count(t.input_tokens, "input_tokens", 1, max_tokens, "tokens of a prompt, or their mean", 1024)
      .count(t.output_tokens, "output_tokens", 1, max_tokens, "tokens generated for a request, or their mean", 128)
      .quantity(t.length_sigma, "length_sigma", "1", 0, 5, "standard deviation of the logarithm of sampled lengths",
                0.5)
      .count(t.length_seed, "length_seed", 0, 1e15, "seed of sampled lengths of requests", 1)
      .quantity(t.shared_prefix_share, "shared_prefix_share", "1", 0, 1,
                "share of a prompt that is equal to the first request's, for requests without a trace", 0.0)
      .count(t.warmup, "warmup_requests", 0, 1 << 17, "first requests, which latencies and slo_attainment leave out",
             0);
}

void add_engine_axes(AxisList& axes, EngineSettings& e) {
  axes.choice(e.rules, "engine", engine_words,
              "rules of the scheduler: vllm (vLLM V1), or static-batches (FasterTransformer)", EngineRules::vllm)
      .count(e.limits.max_sequences, "max_num_seqs", 1, 1 << 16, "requests that run at a time, at most", 256)
      .count(e.limits.max_tokens, "max_num_batched_tokens", 1, max_tokens, "tokens of a step, at most", 2048)
      .count(e.limits.prefill_threshold, "long_prefill_token_threshold", 0, max_tokens,
             "tokens of a prompt's chunk, at most; 0: only bounded by those of the step", 0)
      .count(e.limits.block_tokens, "block_size", 1, 1 << 16, "tokens of a block of the KV cache", 16)
      .count(e.num_gpu_blocks, "num_gpu_blocks", 0, 1 << 26,
             "blocks of the KV cache; 0: as many as memory has room for", 0)
      .quantity(e.memory_utilization, "memory_utilization", "1", 0, 1,
                "share of a GPU's memory that the engine uses; 0: that of the hardware file", 0.0)
      .quantity(e.reserved_memory, "reserved_memory", "B", 0, 1e15,
                "memory of a GPU for activations, CUDA graphs and the driver's context", 1.3e9)
      .flag(e.limits.prefix_caching, "prefix_caching", "use of blocks that an earlier request has computed", true)
      .flag(e.async_scheduling, "async_scheduling", "scheduling of a step while the one before is running", true)
      .choice(e.channel_placement, "channel_placement", channel_placement_words,
              "rule of placing requests in PIM channels that hold whole ones: at admission, or each step for free",
              ChannelPlacement(engine::Placement::min_tokens))
      .flag(e.limits.copies_hits, "copy_prefix_hits",
            "use of prefix-cache blocks in other PIM channels, which are copied over the link", false);
}

void add_level_axes(AxisList& axes, ServiceLevel& level) {
  axes.quantity(level.ttft, "slo_ttft", "s", 1e-6, 1e6, "bound on the time to first token of a request", 1.0)
      .quantity(level.tpot, "slo_tpot", "s", 1e-6, 1e6, "bound on the time per output token of a request", 0.05)
      .quantity(level.share, "slo_share", "1", 0, 1, "share of requests that should meet both bounds", 0.9)
      .quantity(level.price_per_hour, "price_per_hour", "1", 0, 1e9, "price of the machine in dollars an hour", 0.0)
      .flag(level.find_max_rate, "find_max_rate",
            "search for the highest rate within the service levels; all other metrics are then those at this rate",
            false);
}

}  // namespace

std::span<const step::Policy> serving_step_policies() {
  static const auto all = [] {
    auto policies = step::policies;
    policies.back() = {.name = "best-of-step",
                       .doc = "the fastest of the other policies in each step, with the KV cache where PIM is",
                       .plan = nullptr,
                       .caches = step::CachePlace::pim};
    return policies;
  }();
  return all;
}

std::span<const step::Policy> candidates_of(const step::Policy& policy) {
  if (policy.plan != nullptr) return {&policy, 1};
  return serving_step_policies().first(step::policies.size() - 1);
}

AxisTable<Settings> make_axes(const std::vector<std::string>& models) {
  AxisTable<Settings> axes;
  Settings& s = axes.layout();
  axes.text(s.model, "model", "language model of the family decoder, one of configs/models", {}, models)
      .kind(AxisKind::model);
  add_traffic_axes(axes, s.traffic);
  add_engine_axes(axes, s.engine);
  add_level_axes(axes, s.level);
  axes.quantity(s.bits.weights, "weight_bits", "1", 0, 64, "bits of a weight; 0: as in the checkpoint", 0)
      .quantity(s.bits.cache, "cache_bits", "1", 0, 64, "bits of a number in the KV cache; 0: as in the checkpoint", 0)
      .quantity(s.bits.activations, "activation_bits", "1", 1, 64, "bits of an activation", 16)
      .count(s.tensor, "tensor_parallel", 0, 1 << 16, "GPUs that share each operator; 0: all of a stage", 0)
      .count(s.pipeline, "pipeline_parallel", 1, 1 << 16, "stages of a pipeline, each with a part of the blocks", 1)
      .count(s.expert_parallel, "expert_parallel", 1, 1 << 16,
             "groups of a stage's GPUs, each with a part of the experts; 1: all GPUs divide each expert", 1)
      .choice(s.pipelining, "pipelining", step::pipelining_words,
              "work that overlaps attention on PIM, by head: none, transfers, or also projections on the GPUs",
              step::Pipelining::projections)
      .policy(s.policy, serving_step_policies(), "rule by which operators run on GPUs or on PIM", "gpu")
      .flag(s.record_timeline, std::string(record_timeline_axis), "recording of requests and steps (tables)", false);
  step::add_machine_axes(axes, s.machine);
  return axes;
}

}  // namespace pimsweep::systems::serving
