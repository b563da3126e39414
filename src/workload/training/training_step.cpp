#include "workload/training/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "workload/training/gradients.h"
#include "workload/training/losses.h"
#include "workload/training/lowering.h"

namespace pimsweep::workload::training {

namespace {

/// Counts of a whole batch are 64-bit integers, and a step counts less than six times its forward GEMMs.
constexpr double max_macs = 4e17;

OperatorGraph graph_of(const ModelLibrary& models, const std::string& model, const TrainingStep& step) {
  OperatorGraph graph = models.graph(model, models.input_size(model, step.size));
  if (static_cast<double>(graph.macs() + graph.activations()) * static_cast<double>(step.batch) > max_macs) {
    throw PointError(fmt::format("a batch of {} of {} has more to count than 64-bit integers hold", step.batch, model));
  }
  return graph;
}

/// The operator whose output no other operator reads.
OperatorId end_of(const OperatorGraph& graph, const std::string& model) {
  std::vector<OperatorId> ends;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    if (graph.successors(id).empty()) ends.push_back(id);
  }
  if (ends.size() != 1) throw PointError(fmt::format("{} has {} outputs; a step is for one", model, ends.size()));
  return ends[0];
}

/// The operator that the loss reads: the one before the softmax of a classifier, since the loss includes the softmax.
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

/// The nce loss replaces the last layer, whose weights it holds, since the weights of most classes are not read.
ValueIndex recorded_nce_loss(Tape& tape, Lowering& network, const TrainingStep& step, const OperatorGraph& graph,
                             OperatorId output) {
  const Operator& last = graph.at(output);
  const std::vector<OperatorId> sources = graph.predecessors(output);
  if (last.kind != OperatorKind::linear || graph.at(sources.front()).kind == OperatorKind::input) {
    throw PointError(
        fmt::format("nce takes the place of a last fully connected layer, but {} ends with {}", step.model, last.name));
  }
  return nce_loss(tape, network.lower(graph, sources.front()), last.product.columns, step.sampled_classes);
}

/// The loss of a network without an adversary.
ValueIndex own_loss(Tape& tape, const ModelLibrary& models, const TrainingStep& step) {
  const OperatorGraph graph = graph_of(models, step.model, step);
  const OperatorId output = output_of(graph, step.model);
  Lowering network(tape, lowering_options(step), "", true);
  if (step.loss == Loss::nce) return recorded_nce_loss(tape, network, step, graph, output);
  ValueIndex logits = network.lower(graph, output);
  if (tape.shape(logits).rank() != 2) {
    throw PointError(
        fmt::format("{} ends with {} {} and not with a vector of classes; as a generator it needs an "
                    "adversary",
                    step.model, graph.at(output).name, tape.shape(logits).text()));
  }
  if (step.output_relu) logits = tape.same(OperationType::Relu, {logits});
  return softmax_loss(tape, logits);
}

/// Records the discriminator applied to `made`, or to a real input if empty, and returns its logits.
ValueIndex judge(Tape& tape, const ModelLibrary& models, const TrainingStep& step, const Lowering& maker,
                 std::optional<ValueIndex> made) {
  const OperatorGraph graph = graph_of(models, step.adversary, step);
  LoweringOptions options = lowering_options(step);
  options.dropout.clear();
  Lowering judge(tape, options, step.adversary + "/", step.trains_adversary);
  bool reads_it = false;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    const Operator& node = graph.at(id);
    if (node.kind != OperatorKind::input) continue;
    // An input shared with the generator, such as labels, or the generated output.
    const auto given = maker.inputs().find(node.role);
    reads_it = reads_it || given == maker.inputs().end();
    if (given == maker.inputs().end() && !made) continue;
    const ValueIndex fed = given == maker.inputs().end() ? *made : given->second;
    if (tape.shape(fed).elements() != step.batch * node.output.elements()) {
      throw PointError(fmt::format("{} makes {}, which does not fit the input {} of {}", step.model,
                                   tape.shape(fed).text(), node.name, step.adversary));
    }
    judge.feed(node.role, fed);
  }
  if (!reads_it) throw PointError(fmt::format("{} does not read any output of {}", step.adversary, step.model));
  return judge.lower(graph, output_of(graph, step.adversary));
}

/// The adversarial loss: for the generator, that the discriminator classifies its output as real; for the
/// discriminator, that it distinguishes real from generated inputs.
ValueIndex adversarial_loss(Tape& tape, const ModelLibrary& models, const TrainingStep& step) {
  const OperatorGraph graph = graph_of(models, step.model, step);
  Lowering maker(tape, lowering_options(step), step.model + "/", !step.trains_adversary);
  const ValueIndex made = maker.lower(graph, output_of(graph, step.model));
  const auto loss_of = [&](ValueIndex logits) { return sigmoid_loss(tape, logits, tape.constant(tape.shape(logits))); };
  if (!step.trains_adversary) return loss_of(judge(tape, models, step, maker, made));
  const ValueIndex real = loss_of(judge(tape, models, step, maker, {}));
  return tape.binary(OperationType::Add, real, loss_of(judge(tape, models, step, maker, made)));
}

ValueIndex forward(Tape& tape, const ModelLibrary& models, const TrainingStep& step) {
  const OperatorGraph graph = graph_of(models, step.model, step);
  return Lowering(tape, lowering_options(step), "", true).lower(graph, end_of(graph, step.model));
}

/// Appends a field so that different sequences of fields never give the same text.
template <typename Field>
void append(std::string& text, const Field& field) {
  if constexpr (std::is_same_v<Field, std::string>) {
    text += fmt::format("{}:{} ", field.size(), field);
  } else if constexpr (std::is_same_v<Field, std::vector<std::string>>) {
    append(text, static_cast<std::int64_t>(field.size()));
    for (const std::string& entry : field) append(text, entry);
  } else if constexpr (std::is_same_v<Field, InputSize>) {
    append(text, field.image_px);
    append(text, field.tokens);
  } else {
    text += fmt::format("{} ", static_cast<std::int64_t>(field));
  }
}

}  // namespace

Hash128 content_of(const ModelLibrary& models, const TrainingStep& step) {
  std::string text;
  std::apply([&](const auto&... field) { (append(text, field), ...); }, fields_of(step));
  for (const std::string& model : {step.model, step.adversary}) {
    if (!model.empty()) text += models.content(model).text();
  }
  return hash128(text);
}

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
