#include "workload/training/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "workload/training/gradients.h"
#include "workload/training/losses.h"
#include "workload/training/lowering.h"

namespace pimsweep::workload::training {

namespace {

/// Counts of a whole batch are 64-bit integers; six times the forward products bounds a step generously.
constexpr double max_macs = 4e17;

OperatorGraph graph_of(const ModelLibrary& models, const std::string& model, std::int64_t batch) {
  OperatorGraph graph = models.graph(model, models.default_image_px(model));
  if (static_cast<double>(graph.macs() + graph.activations()) * static_cast<double>(batch) > max_macs) {
    throw PointError(fmt::format("a batch of {} of {} has more to count than 64-bit integers hold", batch, model));
  }
  return graph;
}

/// The operator whose output nobody reads.
OperatorId end_of(const OperatorGraph& graph, const std::string& model) {
  std::vector<OperatorId> ends;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    if (graph.successors(id).empty()) ends.push_back(id);
  }
  if (ends.size() != 1) throw PointError(fmt::format("{} has {} outputs; a step is for one", model, ends.size()));
  return ends[0];
}

/// The same; of a classifier the one before its softmax, which is part of the loss.
OperatorId output_of(const OperatorGraph& graph, const std::string& model) {
  const OperatorId end = end_of(graph, model);
  return graph.at(end).kind == OperatorKind::softmax ? graph.predecessors(end).front() : end;
}

LoweringOptions lowering_options(const TrainingStep& step) {
  LoweringOptions options;
  options.batch = step.batch;
  options.fused_batch_norm = step.fused_batch_norm;
  options.plain_linear_bias = step.plain_linear_bias;
  options.dropout = step.dropout;
  options.inference = step.inference;
  return options;
}

/// The loss of a network by itself.
ValueIndex own_loss(Tape& tape, const ModelLibrary& models, const TrainingStep& step) {
  const OperatorGraph graph = graph_of(models, step.network, step.batch);
  OperatorId output = output_of(graph, step.network);
  Lowering network(tape, lowering_options(step), "", true);
  if (step.loss == Loss::nce) {
    // The loss has the last layer's weights: of most classes they are not read.
    const Operator& last = graph.at(output);
    if (last.kind != OperatorKind::linear || graph.at(graph.predecessors(output).front()).kind == OperatorKind::input) {
      throw PointError(fmt::format("nce takes the place of a last fully connected layer, but {} ends with {}",
                                   step.network, last.name));
    }
    return nce_loss(tape, network.lower(graph, graph.predecessors(output).front()), last.product.columns,
                    step.sampled_classes);
  }
  ValueIndex logits = network.lower(graph, output);
  if (tape.shape(logits).rank() != 2) {
    throw PointError(
        fmt::format("{} ends with {} {} and not with a vector of classes; as a generator it needs an "
                    "adversary",
                    step.network, graph.at(output).name, tape.shape(logits).text()));
  }
  if (step.output_relu) logits = tape.same(OperationType::Relu, {logits});
  return softmax_loss(tape, logits);
}

/// Records the judge's view of `made`, or of a real input where there is none, and returns its logits.
ValueIndex judge(Tape& tape, const ModelLibrary& models, const TrainingStep& step, const Lowering& maker,
                 std::optional<ValueIndex> made) {
  const OperatorGraph graph = graph_of(models, step.adversary, step.batch);
  LoweringOptions options = lowering_options(step);
  options.dropout.clear();
  Lowering judge(tape, options, step.adversary + "/", step.trains_adversary);
  bool reads_it = false;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    const Operator& node = graph.at(id);
    if (node.kind != OperatorKind::input) continue;
    // What both networks are given, as labels, or what one makes.
    const auto given = maker.inputs().find(node.role);
    reads_it = reads_it || given == maker.inputs().end();
    if (given == maker.inputs().end() && !made) continue;
    const ValueIndex fed = given == maker.inputs().end() ? *made : given->second;
    if (tape.shape(fed).elements() != step.batch * node.output.elements()) {
      throw PointError(fmt::format("{} makes {}, which does not fit the input {} of {}", step.network,
                                   tape.shape(fed).text(), node.name, step.adversary));
    }
    judge.feed(node.role, fed);
  }
  if (!reads_it) throw PointError(fmt::format("{} reads nothing that {} makes", step.adversary, step.network));
  return judge.lower(graph, output_of(graph, step.adversary));
}

/// The loss of one of two adversaries: the maker's should be taken for real; the judge should tell real from made.
ValueIndex adversarial_loss(Tape& tape, const ModelLibrary& models, const TrainingStep& step) {
  const OperatorGraph graph = graph_of(models, step.network, step.batch);
  Lowering maker(tape, lowering_options(step), step.network + "/", !step.trains_adversary);
  const ValueIndex made = maker.lower(graph, output_of(graph, step.network));
  const auto loss_of = [&](ValueIndex logits) { return sigmoid_loss(tape, logits, tape.constant(tape.shape(logits))); };
  if (!step.trains_adversary) return loss_of(judge(tape, models, step, maker, made));
  const ValueIndex real = loss_of(judge(tape, models, step, maker, {}));
  return tape.binary(OperationType::Add, real, loss_of(judge(tape, models, step, maker, made)));
}

ValueIndex forward(Tape& tape, const ModelLibrary& models, const TrainingStep& step) {
  const OperatorGraph graph = graph_of(models, step.network, step.batch);
  return Lowering(tape, lowering_options(step), "", true).lower(graph, end_of(graph, step.network));
}

}  // namespace

TrainingGraph training_graph(const ModelLibrary& models, const TrainingStep& step) {
  Tape tape;
  if (step.inference) return assemble(tape, forward(tape, models, step), step.layout);
  ValueIndex loss = step.adversary.empty() ? own_loss(tape, models, step) : adversarial_loss(tape, models, step);
  if (step.weight_decay) loss = with_weight_decay(tape, loss);
  std::vector<VariableGradient> gradients = record_gradients(tape, loss, step.gate_gradients);
  if (step.clip_gradients) record_clipping(tape, gradients);
  record_updates(tape, step.optimizer, gradients);
  return assemble(tape, loss, step.layout);
}

}  // namespace pimsweep::workload::training
