#include "systems/llm/cent_accounting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "systems/llm/cent/query.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Decoder;
using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Part;

/// The point on CENT's machine.
struct CentPoint {
  cent::Shape shape;
  cent::Machine machine;
  cent::Layout layout;
  cent::Faults faults;
};

/// Why such devices cannot run the point; empty if they can.
std::string cent_misfit(const Settings& settings, const Decoder& decoder) {
  if (!decoder.gated || decoder.experts || decoder.latent) {
    return "CXL devices run models with a gated feed-forward network, without experts or latent attention";
  }
  if (settings.bits.weights != 16 || settings.bits.cache != 16 || settings.bits.activations != 16) {
    return "CXL devices have weights, caches and activations of 16 bits";
  }
  if (!settings.policy->works_without_cards) {
    return fmt::format("policy {} needs cards, which a machine of CXL devices lacks", settings.policy->name);
  }
  if (settings.batch != 1) return "CXL devices have one sequence in each stage: set batch to 1";
  return {};
}

cent::Mapping mapping_of(const Settings& settings) {
  return settings.tensor_parallel == 0 ? cent::Mapping::pipeline : cent::Mapping::tensor;
}

/// Looks at every 128th position, as the artifact does, or at all of a short run of tokens.
cent::Positions positions(std::int64_t from, std::int64_t to) {
  constexpr std::int64_t usual = 128;
  return {.from = from, .to = to, .step = to - from >= usual ? usual : 1};
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
                           Operator{.name = "embedding", .kind = Kind::head, .part = Part::ends}};

void list_steps(const CentPoint& point, const cent::Token& token, Evaluation& evaluation) {
  const cent::StepClocks& c = token.steps;
  const double clock = 1 / point.machine.aim.clock;
  const double blocks = static_cast<double>(point.shape.blocks);
  std::array seconds{c.norm,    c.query_key_value, c.rotary, c.store_keys, c.store_values, c.scores,
                     c.softmax, c.values,          c.output, c.gate_up,    c.activation,   c.down};
  evaluation.runs.clear();
  double now = 0;
  const auto add = [&](std::size_t i, double times, double time, Cost OperatorRun::*side) {
    OperatorRun& run = evaluation.runs.emplace_back(OperatorRun{.op = &steps[i], .pim_share = 1});
    (run.*side).seconds = times * time;
    run.seconds = times * time;
    run.start = steps[i].part == Part::ends ? 0 : now;
    run.end = run.start + time;
    now += time;
  };
  for (std::size_t i = 0; i < seconds.size(); ++i) add(i, blocks, seconds[i] * clock, &OperatorRun::pim);
  add(12, blocks, token.link_time, &OperatorRun::link);
  add(13, blocks, token.near_memory_time, &OperatorRun::pim);
  add(14, 1, token.embedding_time, &OperatorRun::pim);
}

void add_query(const Settings& settings, const CentPoint& point, Evaluation& e) {
  const auto tokens = static_cast<double>(settings.new_tokens);
  const cent::Phase prompt =
      cent::phase(point.shape, point.machine, point.layout, positions(0, settings.context), point.faults);
  e.time_to_first_token = prompt.time;
  e.time = prompt.time;
  e.energy = prompt.energy * static_cast<double>(settings.context);
  if (settings.phase == Phase::prefill) {
    e.tokens_per_second = prompt.tokens_per_second;
    e.energy_per_token = prompt.energy;
    return;
  }
  const cent::Phase generated =
      cent::phase(point.shape, point.machine, point.layout,
                  positions(settings.context, settings.context + settings.new_tokens), point.faults);
  e.time += generated.time;
  e.time_per_token = generated.time / tokens;
  e.energy += generated.energy * tokens;
  e.tokens_per_second = static_cast<double>(point.layout.stages) * tokens / e.time;
  e.energy_per_token = e.energy / tokens;
}

}  // namespace

void evaluate_cent(const Settings& settings, const Decoder& decoder, Evaluation& evaluation) {
  if (settings.machine.pim.kind != PimKind::cxl) {
    throw PointError("accounting cent-artifact is for machines of CXL devices (hardware.pim.kind = \"cxl\")");
  }
  if (settings.accounting == Accounting::attacc_artifact) {
    throw PointError("accounting attacc-artifact is for machines with cards");
  }
  if (settings.phase == Phase::mixed) throw PointError("CXL devices run one token after another: phase mixed is none");
  evaluation.misfit = cent_misfit(settings, decoder);
  if (!evaluation.misfit.empty()) return;
  CentPoint point{.shape = {.hidden = decoder.hidden,
                            .heads = decoder.heads,
                            .kv_heads = decoder.kv_heads,
                            .ffn = decoder.ffn,
                            .blocks = decoder.blocks,
                            .head_size = decoder.head_size,
                            .vocabulary = decoder.vocabulary},
                  .machine = settings.machine.cxl,
                  .layout = {},
                  .faults = settings.accounting == Accounting::cent_artifact ? settings.cent_faults : cent::Faults{}};
  point.machine.aim = settings.machine.pim.aim;
  const std::int64_t devices = std::max<std::int64_t>(1, settings.tensor_parallel);
  evaluation.misfit = cent::layout_obstacle(point.shape, point.machine, mapping_of(settings), devices);
  if (!evaluation.misfit.empty()) return;
  point.layout = cent::layout_of(point.shape, point.machine, mapping_of(settings), devices);
  const double bytes = cent::device_bytes(point.shape, point.layout, settings.context + settings.new_tokens);
  // The artifact does not look: two of its contexts do not fit.
  if (settings.accounting == Accounting::own && bytes > settings.machine.pim.memory) {
    evaluation.misfit = fmt::format("weights, keys and values take {:.4g} GB on a device, which has {:.4g} GB",
                                    1e-9 * bytes, 1e-9 * settings.machine.pim.memory);
    return;
  }
  const cent::Token token =
      cent::token(point.shape, point.machine, point.layout, settings.context + settings.new_tokens, point.faults);
  evaluation.devices = 1;
  if (settings.phase == Phase::decode) {
    // One token after another, each like the last one.
    const auto tokens = static_cast<double>(settings.new_tokens);
    evaluation.time = tokens * token.time;
    evaluation.time_per_token = token.time;
    evaluation.tokens_per_second = token.tokens_per_second;
    evaluation.energy = tokens * token.energy.total();
    evaluation.energy_per_token = token.energy.total();
  } else {
    add_query(settings, point, evaluation);
  }
  evaluation.power = token.power;
  evaluation.idle_energy = token.energy.standby + token.energy.leakage + token.energy.waiting;
  evaluation.gpu_busy = 0;
  evaluation.pim_busy =
      static_cast<double>(point.shape.blocks) * (token.pim_time + token.near_memory_time) / token.time;
  evaluation.caveat = "checked against the simulation of CENT, not against a device";
  list_steps(point, token, evaluation);
}

}  // namespace pimsweep::systems::llm
