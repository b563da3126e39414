#include "systems/llm/settings.h"
#include "systems/timeline.h"

namespace pimsweep::systems::llm {

namespace {

void add_sequence_axes(AxisList& axes, Sequencing& s) {
  axes.choice(s.phase, "phase", phase_words,
              "prompts (prefill), a step of generating (decode), one with a prompt's chunk (mixed), or all together "
              "(query)",
              Phase::decode)
      .count(s.batch, "batch", 1, 1 << 20, "sequences of a batch; each stage of a pipeline works on a different batch",
             1)
      .count(s.context, "context", 1, 1 << 24,
             "tokens of a sequence before the new ones; tokens of a prompt in phases prefill and query", 1024)
      .count(s.new_tokens, "new_tokens", 1, 1 << 20,
             "tokens generated per sequence and step, more than 1 with speculative decoding; of a whole query in phase "
             "query",
             1)
      .count(s.chunk, "chunk", 1, 1 << 20, "tokens of another prompt that a mixed step reads", 512)
      .choice(s.queueing, "queueing", queueing_words,
              "handling of queries that exceed memory (phase query): refuse (infeasible), or queue", Queueing::refuse)
      .quantity(s.time_bound, "time_bound", "s", 0, 1e6,
                "bound on the time per output token (TPOT) for the search for the largest batch; 0: none", 0);
}

void add_load_axes(AxisList& axes, Load& load) {
  axes.choice(load.lengths, "lengths", workload::decoder::lengths_words,
              "lengths of the sequences of a batch: equal, drawn around the context, or requests of a table",
              workload::decoder::Lengths::equal)
      .quantity(load.length_sigma, "length_sigma", "1", 0, 5,
                "standard deviation of the logarithm of drawn lengths of sequences", 0.5)
      .count(load.length_seed, "length_seed", 0, 1e15, "seed of drawn lengths of sequences", 1)
      .text(load.length_table, "length_table", "CSV file of requests beside the model files, without .csv", "")
      .choice(load.routing, "routing", workload::decoder::routing_words,
              "choice of experts by tokens: all alike, by Zipf's law, or by the shares of a table",
              workload::decoder::Routing::uniform)
      .quantity(load.routing_exponent, "routing_exponent", "1", 0, 10,
                "exponent of Zipf's law for the choice of experts", 1)
      .text(load.routing_table, "routing_table", "CSV file of experts' shares beside the model files, without .csv",
            "");
}

}  // namespace

AxisTable<Settings> make_axes(const std::vector<std::string>& models) {
  AxisTable<Settings> axes;
  Settings& s = axes.layout();
  axes.text(s.model, "model", "language model of the family decoder, one of configs/models", {}, models)
      .kind(AxisKind::model);
  add_sequence_axes(axes, s.sequencing);
  axes.quantity(s.bits.weights, "weight_bits", "1", 0, 64, "bits of a weight; 0: as in the checkpoint", 0)
      .quantity(s.bits.cache, "cache_bits", "1", 0, 64, "bits of a number in the KV cache; 0: as in the checkpoint", 0)
      .quantity(s.bits.activations, "activation_bits", "1", 1, 64, "bits of an activation", 16)
      .quantity(s.bits.factors, "factor_bits", "1", 4, 16,
                "bits of the factors of GEMMs: below 16, tensor cores for such numbers multiply converted activations",
                16)
      .count(s.parallel.tensor, "tensor_parallel", 0, 1 << 16,
             "GPUs that share each operator; 0: all of a stage, or a pipeline of blocks on CXL devices", 0)
      .count(s.parallel.pipeline, "pipeline_parallel", 1, 1 << 16,
             "stages of a pipeline, each with a part of the blocks", 1)
      .count(s.parallel.experts, "expert_parallel", 1, 1 << 16,
             "groups of a stage's GPUs, each with a part of the experts; 1: all GPUs divide each expert", 1)
      .choice(s.pipelining, "pipelining", step::pipelining_words,
              "work that overlaps attention on PIM, by head: none, transfers, or also projections on the GPUs",
              step::Pipelining::projections)
      .policy(s.policy, step::policies, "rule by which operators run on GPUs or on PIM")
      .flag(s.record_timeline, std::string(record_timeline_axis),
            "recording of the timeline of a block (table timeline)", false);
  add_load_axes(axes, s.sequencing.load);
  step::add_machine_axes(axes, s.machine);
  return axes;
}

}  // namespace pimsweep::systems::llm
