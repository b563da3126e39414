#include "systems/artifacts/attacc/artifact.h"

#include <algorithm>
#include <array>
#include <boost/container/static_vector.hpp>

#include "hardware/attention_pim/attention.h"
#include "hardware/integer_math.h"

namespace pimsweep::systems::artifacts::attacc {

namespace {

namespace pim = hardware::attention_pim;

/// Sizes of a GPU's part of a block.
struct GpuShare {
  double hidden = 0;
  /// A GPU's part of `hidden` and of the feed-forward network's rows.
  double columns = 0;
  double feed_forward = 0;
  double heads = 0;
  double head_size = 0;

  GpuShare(const Model& model, std::int64_t gpus) {
    // Parts are rounded down, as in the artifact.
    const std::int64_t part = model.hidden / gpus;
    const std::int64_t heads_of_gpu = model.heads / gpus;
    hidden = static_cast<double>(model.hidden);
    columns = static_cast<double>(part);
    feed_forward = model.feed_forward_scale * columns;
    heads = static_cast<double>(heads_of_gpu);
    head_size = static_cast<double>(model.head_size());
  }
};

ElementKind element_kind(FeedForward feed_forward) {
  switch (feed_forward) {
    case FeedForward::gelu:
      return ElementKind::gelu;
    case FeedForward::relu:
      return ElementKind::relu;
    case FeedForward::gated:
      return ElementKind::gated;
  }
  return ElementKind::gelu;
}

/// Work of a block for `tokens` tokens that does not depend on their contexts. Costs are those of one GPU, except for
/// links.
struct TokenWork {
  KernelCost qkv = {};
  KernelCost projection = {};
  boost::container::static_vector<KernelCost, 3> feed_forward;
  KernelCost activation = {};
  KernelCost norm = {};
  LinkCost reduce = {};
};

TokenWork token_work(const Model& model, const Cluster& cluster, const Accounting& accounting, double tokens,
                     double value_bytes) {
  const GpuShare share(model, cluster.gpus);
  const Gpu& gpu = cluster.gpu;
  const auto dense = [&](double columns, double depth) {
    return product_cost({.rows = tokens, .columns = columns, .depth = depth}, value_bytes, gpu);
  };
  TokenWork work;
  work.qkv = dense(3 * share.columns, share.hidden);
  work.projection = dense(share.hidden, share.columns);
  work.feed_forward.push_back(dense(share.feed_forward, share.hidden));
  if (model.feed_forward == FeedForward::gated) work.feed_forward.push_back(work.feed_forward.back());
  work.feed_forward.push_back(dense(share.hidden, share.feed_forward));
  work.activation = element_cost({.kind = element_kind(model.feed_forward), .elements = tokens * share.feed_forward},
                                 value_bytes, gpu, accounting);
  work.norm =
      element_cost({.kind = ElementKind::norm, .elements = tokens * share.hidden}, value_bytes, gpu, accounting);
  work.reduce = all_reduce(tokens * share.hidden * value_bytes, gpu, cluster.gpus);
  return work;
}

/// Work of a block for attention. Energy covers all GPUs or stacks, floating-point operations one GPU.
struct AttentionWork {
  bool on_pim = false;
  double products = 0;
  double softmax = 0;
  double transfer = 0;
  KernelEnergy energy = {};
  double transfer_energy = 0;
  double flops = 0;
};

/// `queries` tokens of each sequence against `context` tokens, on the GPUs.
AttentionWork attention_on_gpus(const Model& model, const Cluster& cluster, const Accounting& accounting,
                                const Load& load, double queries, double context) {
  const GpuShare share(model, cluster.gpus);
  const double heads = share.heads * static_cast<double>(load.batch);
  const KernelCost score =
      product_cost({.rows = queries, .columns = context, .depth = share.head_size, .count = heads, .dense = false},
                   load.value_bytes, cluster.gpu);
  const KernelCost values =
      product_cost({.rows = queries, .columns = share.head_size, .depth = context, .count = heads, .dense = false},
                   load.value_bytes, cluster.gpu);
  const KernelCost softmax =
      element_cost({.kind = ElementKind::softmax, .elements = queries * context * heads, .blocks = heads},
                   load.value_bytes, cluster.gpu, accounting);
  AttentionWork work;
  work.products = score.time + values.time;
  work.softmax = softmax.time;
  for (const KernelCost& kernel : {score, softmax, values}) {
    work.energy += kernel.energy;
    work.flops += kernel.flops;
  }
  work.energy *= static_cast<double>(cluster.gpus);
  return work;
}

/// Energy of AttAcc's attention and softmax on all its units.
KernelEnergy pim_energy(const AttAcc& attacc, const Accounting& accounting, const pim::AttentionShape& stack_shape,
                        double product_flops, double softmax_flops, double softmax_bytes) {
  constexpr double bits = 8;
  const pim::Counts counts =
      pim::count_commands(attacc.stack, attacc.options.placement, stack_shape, attacc.options.commands);
  const pim::AttentionEnergy of_stack = pim::energy(attacc.stack, attacc.options.placement, stack_shape, counts);
  const double moves = accounting.moves_per_byte ? of_stack.moves() / bits : of_stack.moves();
  const double counted_flops = accounting.context_products_free ? product_flops / 2 : product_flops;
  const auto units = static_cast<double>(attacc.units);
  return {.memory = units * (static_cast<double>(attacc.stacks) * (of_stack.cells + moves) +
                             softmax_bytes * attacc.softmax_memory),
          .multiply = units * (counted_flops + softmax_flops) / 2 * attacc.stack.energy.multiply};
}

/// One query of each sequence, on AttAcc; heads are spread over the stacks of a GPU's unit.
AttentionWork attention_on_pim(const Model& model, const Cluster& cluster, const Accounting& accounting,
                               const Load& load, std::int64_t context) {
  const AttAcc& attacc = *cluster.pim;
  const GpuShare share(model, cluster.gpus);
  const std::int64_t heads = Count{model.heads / cluster.gpus} * load.batch;
  const pim::AttentionShape shape{.heads = hardware::ceil_div(heads, attacc.stacks),
                                  .context = context,
                                  .head_size = model.head_size(),
                                  .value_bytes = load.value_bytes};
  const double clocks = attacc.published != nullptr
                            ? attacc.published->at(attacc.options.placement, attacc.options.power_limit, shape)
                            : pim::clocks(attacc.stack, shape, attacc.options).total;

  const double scores = static_cast<double>(heads) * static_cast<double>(context);
  const double product_flops = 4 * scores * share.head_size;
  const double softmax_flops = element_flops(ElementKind::softmax) * scores;
  const double softmax_bytes = 2 * scores * load.value_bytes;
  const double outside = attacc.stack_bandwidth * static_cast<double>(attacc.stacks);
  const double moved = load.value_bytes * (static_cast<double>(load.batch) * 3 * share.columns +
                                           share.head_size * static_cast<double>(heads));
  return {.on_pim = true,
          .products = clocks / attacc.stack.clock,
          .softmax = std::max(softmax_flops / (outside * static_cast<double>(static_cast<int>(2 / load.value_bytes))),
                              softmax_bytes / outside),
          .transfer = moved / (attacc.link_bandwidth / 2),
          .energy = pim_energy(attacc, accounting, shape, product_flops, softmax_flops, softmax_bytes),
          .transfer_energy = moved * cluster.gpu.energy.link * static_cast<double>(attacc.units),
          .flops = product_flops + softmax_flops};
}

/// Overlaps of a block with AttAcc (system.py:101-167): of the `heads` heads of a GPU, all but one overlap as much as
/// they can.
void pipeline(StepTime& time, Pipelining pipelining, double heads) {
  if (pipelining == Pipelining::none) return;
  const double rest = 1 / heads;
  const double attention = time.attention + time.softmax;
  const double hidden = attention * (1 - rest);
  const double dense = time.qkv + time.projection;
  const double longer = pipelining == Pipelining::projections ? std::max(attention, dense) : attention;
  const bool projections_hide = pipelining == Pipelining::projections && attention <= dense;
  if (projections_hide && dense > time.transfer) {
    // Three of the four projections come before the attention.
    time.qkv -= hidden * 3 / 4;
    time.projection -= hidden / 4;
  } else if (pipelining == Pipelining::projections) {
    time.qkv *= rest;
    time.projection *= rest;
  }
  time.transfer = longer > time.transfer ? time.transfer * rest : time.transfer - hidden;
}

/// Share of a feed-forward GEMM's time that remains on the GPU when AttAcc computes its part (system.py:169-189).
double feed_forward_share(const KernelCost& kernel, const Cluster& cluster, const Load& load) {
  const Gpu& gpu = cluster.gpu;
  if (kernel.compute_bound) return gpu.peak / (gpu.peak + 2 * cluster.pim->bandwidth() / load.value_bytes);
  return gpu.bandwidth / (gpu.bandwidth + cluster.pim->bandwidth() / static_cast<double>(load.batch));
}

/// A block's step of these works.
StepCost block_cost(const Model& model, const Cluster& cluster, const Accounting& accounting, const Load& load,
                    const TokenWork& tokens, const AttentionWork& attention) {
  StepCost cost;
  StepTime& time = cost.time;
  time = {.qkv = tokens.qkv.time,
          .projection = tokens.projection.time,
          .attention = attention.products,
          .softmax = attention.softmax,
          .all_reduce = 2 * tokens.reduce.time,
          .transfer = attention.transfer,
          .activation = tokens.activation.time,
          .norm = 2 * tokens.norm.time};
  const auto gpus = static_cast<double>(cluster.gpus);
  if (attention.on_pim) {
    pipeline(time, accounting.pipelining, static_cast<double>(model.heads) / gpus);
    if (accounting.softmax_dropped) time.softmax = 0;
  }
  cost.energy.dense = tokens.qkv.energy;
  cost.energy.dense += tokens.projection.energy;
  cost.flops =
      tokens.qkv.flops + tokens.projection.flops + tokens.activation.flops + 2 * tokens.norm.flops + attention.flops;
  for (const KernelCost& kernel : tokens.feed_forward) {
    const bool shared = attention.on_pim && accounting.shared_feed_forward;
    time.feed_forward += kernel.time * (shared ? feed_forward_share(kernel, cluster, load) : 1.0);
    cost.energy.dense += kernel.energy;
    cost.flops += kernel.flops;
  }
  cost.flops *= gpus;
  cost.energy.dense *= gpus;
  cost.energy.attention = attention.energy;
  cost.energy.elements = tokens.norm.energy;
  cost.energy.elements *= 2;
  cost.energy.elements += tokens.activation.energy;
  cost.energy.elements *= gpus;
  cost.energy.links = 2 * tokens.reduce.energy + attention.transfer_energy;
  return cost;
}

AttentionWork decode_attention(const Model& model, const Cluster& cluster, const Accounting& accounting,
                               const Load& load, std::int64_t context) {
  if (cluster.pim != nullptr) return attention_on_pim(model, cluster, accounting, load, context);
  return attention_on_gpus(model, cluster, accounting, load, 1, static_cast<double>(context));
}

}  // namespace

StepTime& StepTime::operator+=(const StepTime& other) {
  qkv += other.qkv;
  projection += other.projection;
  feed_forward += other.feed_forward;
  attention += other.attention;
  softmax += other.softmax;
  all_reduce += other.all_reduce;
  transfer += other.transfer;
  activation += other.activation;
  norm += other.norm;
  return *this;
}

StepTime& StepTime::operator*=(double factor) {
  for (double* part :
       {&qkv, &projection, &feed_forward, &attention, &softmax, &all_reduce, &transfer, &activation, &norm}) {
    *part *= factor;
  }
  return *this;
}

KernelEnergy StepEnergy::kernels() const {
  KernelEnergy sum = dense;
  sum += attention;
  sum += elements;
  return sum;
}

StepEnergy& StepEnergy::operator+=(const StepEnergy& other) {
  dense += other.dense;
  attention += other.attention;
  elements += other.elements;
  links += other.links;
  return *this;
}

StepEnergy& StepEnergy::operator*=(double factor) {
  dense *= factor;
  attention *= factor;
  elements *= factor;
  links *= factor;
  return *this;
}

StepCost& StepCost::operator+=(const StepCost& other) {
  time += other.time;
  energy += other.energy;
  flops += other.flops;
  return *this;
}

StepCost& StepCost::operator*=(double factor) {
  time *= factor;
  energy *= factor;
  flops *= factor;
  return *this;
}

StepCost decode_step(const Model& model, const Cluster& cluster, const Accounting& accounting, const Load& load,
                     std::int64_t context) {
  const TokenWork tokens = token_work(model, cluster, accounting, static_cast<double>(load.batch), load.value_bytes);
  StepCost cost =
      block_cost(model, cluster, accounting, load, tokens, decode_attention(model, cluster, accounting, load, context));
  cost *= static_cast<double>(model.layers);
  return cost;
}

StepCost mean_decode_step(const Model& model, const Cluster& cluster, const Accounting& accounting, const Load& load,
                          std::int64_t input, std::int64_t output) {
  const TokenWork tokens = token_work(model, cluster, accounting, static_cast<double>(load.batch), load.value_bytes);
  StepCost sum;
  for (std::int64_t token = 1; token < output; ++token) {
    sum += block_cost(model, cluster, accounting, load, tokens,
                      decode_attention(model, cluster, accounting, load, input + token));
  }
  sum *= static_cast<double>(model.layers) / static_cast<double>(output - 1);
  return sum;
}

StepCost prefill(const Model& model, const Cluster& cluster, const Accounting& accounting, const Load& load,
                 std::int64_t input) {
  const auto tokens = static_cast<double>(input);
  const TokenWork work =
      token_work(model, cluster, accounting, static_cast<double>(load.batch) * tokens, load.value_bytes);
  StepCost cost = block_cost(model, cluster, accounting, load, work,
                             attention_on_gpus(model, cluster, accounting, load, tokens, tokens));
  cost *= static_cast<double>(model.layers);
  return cost;
}

double required_bytes(const Model& model, const Load& load, std::int64_t input, std::int64_t output) {
  const auto hidden = static_cast<double>(model.hidden);
  const auto layers = static_cast<double>(model.layers);
  const auto length = static_cast<double>(input + output - 1);
  const double scores = length * static_cast<double>(model.heads);
  const double matrices = model.feed_forward == FeedForward::gated ? 3 : 2;
  const double weights = layers * hidden * hidden * (4 + matrices * model.feed_forward_scale) * load.value_bytes;
  const double cache = layers * 2 * length * hidden * load.value_bytes;
  const double largest =
      std::max({hidden + scores, 2 * hidden, 2 * scores, (model.feed_forward_scale + 1) * hidden}) * load.value_bytes +
      scores;
  return weights + (cache + largest) * static_cast<double>(load.batch);
}

}  // namespace pimsweep::systems::artifacts::attacc
