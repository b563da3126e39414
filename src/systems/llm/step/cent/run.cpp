#include "systems/llm/step/cent/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "systems/llm/step/cent/token.h"

namespace pimsweep::systems::llm::step::cent {

namespace {

using workload::decoder::Decoder;
using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Part;

/// A model on the machine.
struct Placed {
  Shape shape;
  const Machine& machine;
  const Faults& faults;
  Layout layout = {};
};

/// Looks at every 128th position, as the artifact does, or at all of a short run of tokens.
Positions positions(std::int64_t from, std::int64_t to) {
  constexpr std::int64_t sampled_step = 128;
  return {.from = from, .to = to, .step = to - from >= sampled_step ? sampled_step : 1};
}

/// The steps of a block as operators, for the table.
constexpr std::array steps{Operator{.name = "norm", .kind = Kind::norm, .part = Part::attention},
                           Operator{.name = "qkv", .kind = Kind::linear, .part = Part::attention},
                           Operator{.name = "rotary", .kind = Kind::rotary, .part = Part::attention},
                           Operator{.name = "store_keys", .kind = Kind::attention, .part = Part::attention},
                           Operator{.name = "store_values", .kind = Kind::attention, .part = Part::attention},
                           Operator{.name = "scores", .kind = Kind::attention, .part = Part::attention},
                           Operator{.name = "softmax", .kind = Kind::attention, .part = Part::attention},
                           Operator{.name = "values", .kind = Kind::attention, .part = Part::attention},
                           Operator{.name = "output", .kind = Kind::linear, .part = Part::attention},
                           Operator{.name = "ffn_up", .kind = Kind::linear, .part = Part::feed_forward},
                           Operator{.name = "ffn_activation", .kind = Kind::activation, .part = Part::feed_forward},
                           Operator{.name = "ffn_down", .kind = Kind::linear, .part = Part::feed_forward},
                           Operator{.name = "link", .kind = Kind::all_reduce, .part = Part::feed_forward},
                           Operator{.name = "near_memory", .kind = Kind::norm, .part = Part::feed_forward},
                           Operator{.name = "embedding", .kind = Kind::head, .part = Part::non_block}};

void list_operators(const Placed& model, const Token& token, std::vector<OperatorRun>& operators) {
  const StepClocks& c = token.steps;
  const double clock = 1 / model.machine.aim.clock;
  const double blocks = static_cast<double>(model.shape.blocks);
  const std::array clocks{c.norm,    c.query_key_value, c.rotary, c.store_keys, c.store_values, c.scores,
                          c.softmax, c.values,          c.output, c.gate_up,    c.activation,   c.down};
  double now = 0;
  const auto add = [&](std::size_t i, double times, double time, Cost OperatorRun::*side) {
    OperatorRun& run = operators.emplace_back(OperatorRun{.op = &steps[i], .pim_share = 1});
    (run.*side).seconds = times * time;
    run.seconds = times * time;
    run.start = run.is_in_block() ? now : 0;
    run.end = run.start + time;
    now += time;
  };
  for (std::size_t i = 0; i < clocks.size(); ++i) add(i, blocks, clocks[i] * clock, &OperatorRun::pim);
  add(12, blocks, token.link_time, &OperatorRun::link);
  add(13, blocks, token.near_memory_time, &OperatorRun::pim);
  add(14, 1, token.embedding_time, &OperatorRun::pim);
}

void add_query(const Request& request, const Placed& model, ModelRun& run) {
  const auto means_of = [&](const Positions& some) {
    return phase(model.shape, model.machine, model.layout, some, model.faults);
  };
  const auto tokens = static_cast<double>(request.new_tokens);
  const Phase prompt = means_of(positions(0, request.context));
  run.time_to_first_token = prompt.time;
  run.time = prompt.time;
  run.energy = prompt.energy * static_cast<double>(request.context);
  if (request.tokens == Tokens::prompt) {
    run.tokens_per_second = prompt.tokens_per_second;
    run.energy_per_token = prompt.energy;
    return;
  }
  const Phase generated = means_of(positions(request.context, request.context + request.new_tokens));
  run.time += generated.time;
  run.time_per_token = generated.time / tokens;
  run.energy += generated.energy * tokens;
  run.tokens_per_second = static_cast<double>(model.layout.stages) * tokens / run.time;
  run.energy_per_token = run.energy / tokens;
}

}  // namespace

ModelRun run(const Decoder& decoder, const Machine& machine, double memory, const Request& request,
             const Faults& faults) {
  if (!decoder.gated || decoder.experts || decoder.latent) {
    return {.misfit = "CXL devices run models with a gated feed-forward network, without experts or latent attention"};
  }
  Placed model{.shape = {.hidden = decoder.hidden,
                         .heads = decoder.heads,
                         .kv_heads = decoder.kv_heads,
                         .ffn = decoder.ffn,
                         .blocks = decoder.blocks,
                         .head_size = decoder.head_size,
                         .vocabulary = decoder.vocabulary},
               .machine = machine,
               .faults = faults};
  const Mapping mapping = request.tensor_parallel == 0 ? Mapping::pipeline : Mapping::tensor;
  const std::int64_t devices = std::max<std::int64_t>(1, request.tensor_parallel);
  ModelRun run{.misfit = layout_obstacle(model.shape, machine, mapping, devices)};
  if (!run.misfit.empty()) return run;
  model.layout = layout_of(model.shape, machine, mapping, devices);
  const std::int64_t last = request.context + request.new_tokens;
  if (decoder.window > 0 && last > decoder.window) {
    run.misfit = fmt::format("CXL devices attend to all tokens, but the model has a window of {}", decoder.window);
    return run;
  }
  const double bytes = device_bytes(model.shape, model.layout, last);
  if (!faults.unlimited_memory && bytes > memory) {
    run.misfit = fmt::format("weights and KV cache take {:.4g} GB on a device, which has {:.4g} GB", 1e-9 * bytes,
                             1e-9 * memory);
    return run;
  }
  const Token token = cent::token(model.shape, machine, model.layout, last, faults);
  if (request.tokens == Tokens::generated) {
    const auto tokens = static_cast<double>(request.new_tokens);
    run.time = tokens * token.time;
    run.time_per_token = token.time;
    run.tokens_per_second = token.tokens_per_second;
    run.energy = tokens * token.energy.total();
    run.energy_per_token = token.energy.total();
  } else {
    add_query(request, model, run);
  }
  run.power = token.power;
  run.idle_energy = token.energy.standby + token.energy.leakage + token.energy.waiting;
  run.pim_busy = static_cast<double>(model.shape.blocks) * (token.pim_time + token.near_memory_time) / token.time;
  list_operators(model, token, run.operators);
  return run;
}

}  // namespace pimsweep::systems::llm::step::cent
