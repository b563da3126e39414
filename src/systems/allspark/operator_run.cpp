#include "systems/allspark/operator_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "base/downward.h"
#include "base/error.h"
#include "hardware/integer_math.h"
#include "hardware/node_array/layout.h"
#include "systems/allspark/cycle/sustained_phases.h"

namespace pimsweep::systems::allspark {

using workload::Operator;
using workload::OperatorGraph;
using workload::OperatorId;
using workload::OperatorKind;

namespace {

bool has_mapping(const Operator& node) {
  return node.kind != OperatorKind::transposed_convolution && node.kind != OperatorKind::response_norm &&
         node.kind != OperatorKind::embedding;
}

void require_mappings(std::string_view model, const OperatorGraph& graph) {
  std::vector<std::string> missing;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    const Operator& node = graph.at(id);
    // The host looks words up; the array begins with their vectors.
    if (node.kind == OperatorKind::embedding && graph.predecessors(id).size() == 1 &&
        graph.at(graph.predecessors(id)[0]).kind == OperatorKind::input) {
      continue;
    }
    if (!has_mapping(node)) missing.push_back(fmt::format("{} ({})", node.name, workload::name_of(node.kind)));
  }
  if (missing.empty()) return;
  const std::size_t shown = std::min<std::size_t>(missing.size(), 5);
  throw PointError(fmt::format("{}: the node array cannot map {}{}", model,
                               fmt::join(missing.begin(), missing.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                               missing.size() > shown ? fmt::format(" and {} more", missing.size() - shown) : ""));
}

/// Time of a stage on one sub-array for one sample, and memory of a node.
struct StageCost {
  TimeShares time;
  /// Cycles to redistribute the input of the stage if the previous stage has another partition.
  TimeShares handover;
  WordVolume volume;
  WordVolume handover_volume;
  Count weight_words = 0;
  std::int64_t feature_words = 0;
  std::int64_t max_weights = 0;
};

/// The share of one operator that a node computes under a partition.
class Node {
 public:
  Node(const OperatorGraph& graph, OperatorId id, const Partition& partition)
      : node_(graph.at(id)),
        channel_split_(partition.head_split),
        split_(partition.patch_split),
        inputs_(graph.inputs(id)) {}

  void charge(const Machine& machine, TimeLedger& ledger) const {
    switch (node_.kind) {
      case OperatorKind::linear:
      case OperatorKind::convolution:
        ledger.transfer("input", {{cycle::Path::heads, missing_channel_words(), channel_split_ - 1},
                                  {cycle::Path::patches, halo(input_channels())}});
        return weighted_gemm(ledger);
      case OperatorKind::matmul:
        return activation_gemm(ledger);
      case OperatorKind::layer_norm:
        ledger.transfer("statistics",
                        {{cycle::Path::heads, Count{2} * (channel_split_ - 1) * positions(node_.output)}});
        return ledger.nonlinear("layer norm", elements(), machine.acu.layernorm_passes);
      case OperatorKind::softmax:
        return ledger.nonlinear("softmax", elements(), machine.acu.softmax_passes);
      case OperatorKind::activation:
        return ledger.nonlinear("activation", elements(), machine.acu.gelu_passes);
      case OperatorKind::add:
      case OperatorKind::multiply:
        return ledger.nonlinear("element by element", elements(), 1);
      case OperatorKind::max_pool:
      case OperatorKind::average_pool:
        ledger.transfer("input", {{cycle::Path::patches, halo(hardware::ceil_div(input_channels(), channel_split_))}});
        return ledger.nonlinear("pooling", elements(), node_.window.kernel.area());
      case OperatorKind::global_pool: {
        const std::int64_t channels = hardware::ceil_div(input_channels(), channel_split_);
        ledger.nonlinear("pooling", Count{positions(inputs_[0])} * channels, 1);
        return ledger.transfer("partial sums", {{cycle::Path::patches, Count{split_ - 1} * channels, split_ - 1}});
      }
      default:
        // Batch normalization is folded into the preceding convolution; the remaining kinds only change addresses.
        return;
    }
  }

  /// Words of the input on this node, with all channels.
  std::int64_t input_words() const {
    return inputs_.empty() ? Count{} : Count{positions(inputs_[0])} * input_channels() + halo(input_channels());
  }
  std::int64_t feature_words() const {
    Count words = elements();
    for (const workload::Tensor& input : inputs_) words += Count{positions(input)} * input.shape.back();
    return words;
  }

 private:
  std::int64_t input_channels() const { return inputs_[0].shape.back(); }
  std::int64_t positions(const workload::Tensor& tensor) const {
    return hardware::ceil_div(tensor.elements() / tensor.shape.back(), split_);
  }
  std::int64_t elements() const {
    return Count{positions(node_.output)} * hardware::ceil_div(node_.output.shape.back(), channel_split_);
  }
  std::int64_t missing_channel_words() const {
    const std::int64_t channels = input_channels();
    return Count{positions(inputs_[0])} * (channels - hardware::ceil_div(channels, channel_split_));
  }

  /// Words of other nodes' rows that a window reaches.
  std::int64_t halo(std::int64_t channels) const {
    const workload::Tensor& input = inputs_[0];
    const std::int64_t rows = std::max<std::int64_t>(0, node_.window.kernel.height - node_.window.stride);
    if (split_ == 1 || rows == 0 || input.shape.size() < 3) return 0;
    const std::int64_t others = input.elements() / input.shape.back() - positions(input);
    return Count{std::min<std::int64_t>(others, Count{rows} * workload::map_of(input).width)} * channels;
  }

  void weighted_gemm(TimeLedger& ledger) const {
    const workload::MatrixProduct& product = node_.product;
    const std::int64_t rows = positions(node_.output);
    if (product.batch >= channel_split_) {
      return ledger.gemm("GEMM", {rows, product.columns, product.inner},
                         hardware::ceil_div(product.batch, channel_split_));
    }
    const std::int64_t columns = hardware::ceil_div(Count{product.batch} * product.columns, channel_split_);
    ledger.gemm("GEMM", {rows, columns, product.inner});
  }

  /// Heads are spread over the channel split; groups, and then rows, over the patch split. A node with a part of a
  /// group's rows needs the whole second operand.
  void activation_gemm(TimeLedger& ledger) const {
    const workload::MatrixProduct& product = node_.product;
    const bool scores = node_.role == "scores";
    const std::int64_t query_heads =
        scores ? inputs_[0].shape.back() / product.inner : node_.output.shape.back() / product.columns;
    // Queries of heads that share a key-value head are the rows of one GEMM.
    const std::int64_t heads = std::gcd(query_heads, product.batch);
    const std::int64_t groups = product.batch / heads;
    const std::int64_t row_split = hardware::ceil_div(split_, groups);
    const std::int64_t own_heads = hardware::ceil_div(heads, channel_split_);
    if (row_split > 1) {
      const std::int64_t words = Count{own_heads} * product.columns * product.inner;
      ledger.transfer("second operand",
                      {{cycle::Path::patches, words - hardware::ceil_div(words, row_split), row_split - 1}});
    }
    ledger.gemm("GEMM", {hardware::ceil_div(product.rows, row_split), product.columns, product.inner},
                Count{own_heads} * hardware::ceil_div(groups, split_));
  }

  const Operator& node_;
  std::int64_t channel_split_;
  std::int64_t split_;
  std::vector<workload::Tensor> inputs_;
};

using Stage = std::vector<OperatorId>;

std::vector<Stage> stages_of(const OperatorGraph& graph) {
  std::vector<Stage> stages;
  for (const OperatorId id : graph.topological_order()) {
    const Operator& node = graph.at(id);
    if (node.kind == OperatorKind::input || node.kind == OperatorKind::embedding) continue;
    if (stages.empty() || graph.at(stages.back().front()).stage != node.stage) stages.emplace_back();
    stages.back().push_back(id);
  }
  return stages;
}

StageCost stage_cost(const OperatorGraph& graph, const Stage& stage, const Partition& partition, bool weight_sharing,
                     const Machine& machine, GemmCache& gemms, const TimedLayer& layer) {
  StageCost cost;
  TimeLedger ledger(machine, gemms, layer, nullptr);
  const std::int64_t ring = weight_sharing ? partition.patch_split : 1;
  const std::int64_t parts = partition.head_split * ring;
  for (const OperatorId id : stage) {
    const Node node(graph, id, partition);
    node.charge(machine, ledger);
    const std::int64_t weights = graph.at(id).weights;
    ledger.share_weights("weights",
                         {cycle::Path::weights, hardware::ceil_div(Count{ring - 1} * weights, parts), ring - 1});
    cost.weight_words += hardware::ceil_div(weights, parts);
    cost.feature_words = std::max(cost.feature_words, node.feature_words());
    if (ring > 1) cost.max_weights = std::max(cost.max_weights, hardware::ceil_div(weights, partition.head_split));
  }
  cost.time = ledger.shares();
  cost.volume = ledger.volume();
  TimeLedger handover(machine, gemms, layer, nullptr);
  handover.transfer("handover", {{cycle::Path::patches, Node(graph, stage.front(), partition).input_words()}});
  cost.handover = handover.shares();
  cost.handover_volume = handover.volume();
  return cost;
}

struct Candidate {
  Partition partition;
  std::int64_t capacity = 0;
};

std::vector<Candidate> candidates(const Machine& machine) {
  std::vector<Candidate> result;
  const std::vector<std::int64_t> splits = halving_splits(std::max(machine.node_rows, machine.node_cols));
  for (const std::int64_t channels : splits) {
    for (const std::int64_t positions : splits) {
      const std::int64_t capacity =
          hardware::node_array::layout_capacity(machine.node_rows, machine.node_cols, channels, positions);
      if (capacity > 0) result.push_back({{channels, positions, 1}, capacity});
    }
  }
  return result;
}

/// Time of all samples that a sub-array processes sequentially; weights are distributed once for all of them.
TimeShares in_rounds(const TimeShares& one, std::int64_t rounds) {
  TimeShares all = rounds * one;
  all.weight_sharing = one.weight_sharing;
  return all;
}

/// Dynamic programming over the costs of all stages under all candidates.
class Search {
 public:
  Search(const OperatorGraph& graph, const Machine& machine, const Conditions& conditions, GemmCache& gemms)
      : graph_(graph),
        machine_(machine),
        conditions_(conditions),
        stages_(stages_of(graph)),
        candidates_(candidates(machine)) {
    std::optional<cycle::SustainedPhases> sustained;
    if (conditions.rates == Rates::sustained) sustained.emplace(machine);
    for (const Stage& stage : stages_) {
      for (const Candidate& candidate : candidates_) {
        const TimedLayer layer{sustained ? &*sustained : nullptr, candidate.partition,
                               std::min(candidate.capacity, conditions.batch)};
        costs_.push_back(
            stage_cost(graph, stage, candidate.partition, conditions.weight_sharing, machine, gemms, layer));
      }
    }
  }

  /// The fastest schedule that fits into memory: partitions that spread weights over too few nodes are excluded, more
  /// and more, until it does. If none fits, the last one tried.
  OperatorSchedule run() const {
    std::set<std::int64_t> spreads;
    for (const Candidate& candidate : candidates_) spreads.insert(spread(candidate));
    OperatorSchedule schedule;
    for (const std::int64_t min_spread : spreads) {
      schedule = cheapest(min_spread);
      if (schedule.weights + schedule.workspace <= machine_.node_bytes()) break;
    }
    return schedule;
  }

 private:
  std::int64_t spread(const Candidate& candidate) const {
    return candidate.partition.head_split * (conditions_.weight_sharing ? candidate.partition.patch_split : 1);
  }
  std::int64_t rounds(const Candidate& candidate) const {
    return hardware::ceil_div(conditions_.batch, candidate.capacity);
  }
  const StageCost& cost(std::size_t stage, std::size_t candidate) const {
    return costs_[stage * candidates_.size() + candidate];
  }

  OperatorSchedule cheapest(std::int64_t min_spread) const {
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max() / 2;
    const std::size_t count = candidates_.size();
    std::vector<std::int64_t> cycles(count, 0);
    std::vector<std::vector<std::size_t>> before;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const std::size_t best =
          static_cast<std::size_t>(std::min_element(cycles.begin(), cycles.end()) - cycles.begin());
      std::vector<std::int64_t> next(count, never);
      before.emplace_back(count, best);
      for (std::size_t c = 0; c < count; ++c) {
        if (spread(candidates_[c]) < min_spread) continue;
        const std::int64_t own = in_rounds(cost(s, c).time, rounds(candidates_[c])).total();
        const Count changed = cycles[best] + Count{rounds(candidates_[c])} * cost(s, c).handover.total();
        if (cycles[c] <= changed) before[s][c] = c;
        next[c] = std::min<std::int64_t>(never, Count{std::min<std::int64_t>(cycles[c], changed)} + own);
      }
      cycles = std::move(next);
    }
    std::vector<std::size_t> chosen(stages_.size());
    auto last = static_cast<std::size_t>(std::min_element(cycles.begin(), cycles.end()) - cycles.begin());
    for (const std::size_t s : downward(stages_.size())) {
      chosen[s] = last;
      last = before[s][last];
    }
    return schedule_of(chosen);
  }

  OperatorSchedule schedule_of(const std::vector<std::size_t>& chosen) const {
    OperatorSchedule schedule;
    schedule.macs = graph_.macs();
    const auto bytes = [&](std::int64_t words) -> std::int64_t {
      return Count::of(std::ceil(static_cast<double>(words) * machine_.word_bytes));
    };
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const Candidate& candidate = candidates_[chosen[s]];
      const StageCost& costs = cost(s, chosen[s]);
      const std::int64_t times = rounds(candidate);
      const Count nodes = candidate.partition.nodes();
      TimeShares time = in_rounds(costs.time, times);
      WordVolume volume = conditions_.batch * nodes * costs.volume;
      volume.weight_sharing = std::min(conditions_.batch, candidate.capacity) * nodes * costs.volume.weight_sharing;
      if (s > 0 && chosen[s] != chosen[s - 1]) {
        time += times * costs.handover;
        volume += conditions_.batch * nodes * costs.handover_volume;
      }
      schedule.stages.push_back({graph_.at(stages_[s].front()).name, candidate.partition, time});
      schedule.time += time;
      schedule.volume += volume;
      schedule.weights += bytes(costs.weight_words);
      schedule.workspace = std::max(schedule.workspace, bytes(Count{times} * costs.feature_words + costs.max_weights));
    }
    return schedule;
  }

  const OperatorGraph& graph_;
  const Machine& machine_;
  const Conditions& conditions_;
  std::vector<Stage> stages_;
  std::vector<Candidate> candidates_;
  /// Costs of all candidates, stage by stage.
  std::vector<StageCost> costs_;
};

}  // namespace

OperatorGraph OperatorRun::graph(std::string_view model, std::int64_t image_px) const {
  OperatorGraph graph = models_.graph(model, image_px);
  require_mappings(model, graph);
  return graph;
}

OperatorSchedule OperatorRun::operator()(std::string_view model, std::int64_t image_px, const Machine& machine,
                                         const Conditions& conditions) {
  return Search(graph(model, image_px), machine, conditions, gemms_).run();
}

}  // namespace pimsweep::systems::allspark
