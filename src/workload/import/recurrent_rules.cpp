#include <fmt/format.h>

#include <algorithm>

#include "workload/import/rules.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::int64_t max_unrolled_steps = 1024;

/// Recurrent layer in one direction, unrolled into the operators that a framework runs in each step, as in the family
/// `lstm`.
class RecurrentLayer {
 public:
  RecurrentLayer(NodeCall& call, std::int64_t directions)
      : call_(call), directions_(directions), hidden_(call.shape(2).back()) {
    layer_ = ++call.state().recurrent_layers;
  }

  std::int64_t hidden() const { return hidden_; }

  /// Outputs of all steps.
  template <typename Advance>
  std::vector<DraftId> run(DraftId words, std::int64_t steps, bool backward, Advance advance) {
    const std::int64_t channels = call_.state().drafts.node(words).output.shape.back();
    output_ = call_.add(OperatorKind::input, "initial_output", {{1, hidden_}}, {});
    cell_ = output_;
    std::vector<DraftId> outputs;
    for (std::int64_t step = 1; step <= steps; ++step) {
      step_ = step;
      const DraftId x = add(OperatorKind::slice, "word", channels, {words});
      advance(*this, x);
      outputs.push_back(output_);
    }
    if (backward) std::reverse(outputs.begin(), outputs.end());
    return outputs;
  }

  /// Initial state of an LSTM's cells.
  void begin_cell() {
    if (step_ == 1) cell_ = call_.add(OperatorKind::input, "initial_cell", {{1, hidden_}}, {});
  }

  DraftId add(OperatorKind kind, std::string_view role, std::int64_t channels, const std::vector<DraftId>& inputs) {
    Operator op;
    op.kind = kind;
    op.role = role;
    op.output = {{1, channels}};
    op.stage = layer_;
    op.block = step_;
    return call_.add(std::move(op), inputs);
  }

  /// Linear operator on input and state; its weights are counted in the first step only.
  DraftId gates(std::string_view role, std::int64_t count, DraftId x, DraftId state) {
    const auto channels = [&](DraftId id) { return call_.state().drafts.node(id).output.shape.back(); };
    const std::int64_t inner = channels(x) + channels(state);
    const DraftId joined = add(OperatorKind::concat, "input_and_state", inner, {x, state});
    Operator op;
    op.kind = OperatorKind::linear;
    op.role = role;
    op.output = {{1, count * hidden_}};
    op.stage = layer_;
    op.block = step_;
    op.product = checked_product(1, 1, inner, count * hidden_);
    op.shares_weights = step_ > 1;
    op.weights = op.shares_weights ? 0 : inner * count * hidden_;
    op.parameters = op.weights;
    op.weight_bits = call_.quantized_bits(1);
    if (step_ == 1 && call_.has(3)) op.parameters += elements_of(call_.shape(3)) / directions_ * count / all_gates();
    return call_.add(std::move(op), {joined});
  }

  DraftId gate(DraftId gates, std::string_view role, std::string_view function) {
    return activation(add(OperatorKind::slice, role, hidden_, {gates}), function);
  }
  DraftId activation(DraftId x, std::string_view function) {
    return add(OperatorKind::activation, function, hidden_, {x});
  }
  DraftId multiply(DraftId a, DraftId b, std::string_view role) {
    return add(OperatorKind::multiply, role, hidden_, {a, b});
  }
  DraftId sum(DraftId a, DraftId b, std::string_view role) { return add(OperatorKind::add, role, hidden_, {a, b}); }

  DraftId output_ = 0;
  DraftId cell_ = 0;

 private:
  /// Number of gates times hidden size: rows of the weight matrix.
  std::int64_t all_gates() const { return call_.shape(1)[1] / hidden_; }

  NodeCall& call_;
  std::int64_t directions_;
  std::int64_t hidden_;
  std::int64_t layer_ = 0;
  std::int64_t step_ = 0;
};

void check_layer(const NodeCall& call, std::int64_t gates) {
  const Shape& x = call.shape(0);
  const Shape& weights = call.shape(1);
  const Shape& recurrent = call.shape(2);
  if (x.size() != 3 || weights.size() != 3 || recurrent.size() != 3) throw Refusal("needs tensors of 3 dimensions");
  if (call.attribute("layout", std::int64_t{0}) != 0) throw Refusal("has layout 1; only layout 0 is supported");
  if (x[1] != 1) throw Refusal(fmt::format("has a batch of {} samples; it must be 1", x[1]));
  if (x[0] > max_unrolled_steps) {
    throw Refusal(fmt::format("has {} steps; at most {} are unrolled", x[0], max_unrolled_steps));
  }
  if (weights[0] > 2 || weights[1] != gates * recurrent[2] || weights[2] != x[2] || recurrent[1] != weights[1]) {
    throw Refusal("has weights that do not match its input");
  }
}

/// Adds all directions of a layer and sets its outputs Y, Y_h and Y_c.
template <typename Advance>
void give_layer(NodeCall& call, std::int64_t gates, Advance advance) {
  check_layer(call, gates);
  const std::int64_t steps = call.shape(0)[0];
  const std::int64_t directions = call.shape(1)[0];
  const std::int64_t hidden = call.shape(2)[2];
  for (const std::size_t input : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
    if (call.has(input)) call.take_parameters(input, true);
  }
  const DraftId words = call.view(call.draft(0), {{steps, call.shape(0)[2]}});
  std::vector<DraftId> sequences;
  std::vector<DraftId> last;
  std::vector<DraftId> cells;
  for (std::int64_t direction = 0; direction < directions; ++direction) {
    RecurrentLayer layer(call, directions);
    const bool backward = direction == 1 || call.attribute("direction", std::string("forward")) == "reverse";
    const std::vector<DraftId> outputs = layer.run(words, steps, backward, advance);
    sequences.push_back(call.add(OperatorKind::concat, "outputs", {{steps, hidden}}, outputs));
    last.push_back(layer.output_);
    cells.push_back(layer.cell_);
  }
  const auto joined = [&](const std::vector<DraftId>& parts, std::int64_t rows) {
    if (directions == 1) return parts.front();
    return call.add(OperatorKind::concat, "directions", {{rows, directions * hidden}}, parts);
  };
  call.give(0, joined(sequences, steps), {steps, directions, 1, hidden}, 3);
  call.give(1, joined(last, 1), {directions, 1, hidden}, 2);
  call.give(2, joined(cells, 1), {directions, 1, hidden}, 2);
}

}  // namespace

void read_lstm(NodeCall& call) {
  give_layer(call, 4, [](RecurrentLayer& layer, DraftId x) {
    layer.begin_cell();
    const DraftId gates = layer.gates("gates", 4, x, layer.output_);
    const DraftId kept = layer.multiply(layer.cell_, layer.gate(gates, "forget_gate", "sigmoid"), "forget");
    const DraftId input = layer.gate(gates, "input_gate", "sigmoid");
    const DraftId learned = layer.multiply(layer.gate(gates, "candidate", "tanh"), input, "remember");
    layer.cell_ = layer.sum(kept, learned, "cell");
    const DraftId shown = layer.gate(gates, "output_gate", "sigmoid");
    layer.output_ = layer.multiply(layer.activation(layer.cell_, "tanh"), shown, "output");
  });
}

void read_gru(NodeCall& call) {
  give_layer(call, 3, [](RecurrentLayer& layer, DraftId x) {
    const DraftId gates = layer.gates("gates", 2, x, layer.output_);
    const DraftId update = layer.gate(gates, "update_gate", "sigmoid");
    const DraftId reset = layer.gate(gates, "reset_gate", "sigmoid");
    const DraftId shown = layer.multiply(layer.output_, reset, "reset");
    const DraftId candidate = layer.activation(layer.gates("candidate", 1, x, shown), "tanh");
    const DraftId kept = layer.multiply(layer.output_, update, "keep");
    layer.output_ = layer.sum(kept, layer.multiply(candidate, update, "remember"), "output");
  });
}

void read_rnn(NodeCall& call) {
  give_layer(call, 1, [](RecurrentLayer& layer, DraftId x) {
    layer.output_ = layer.activation(layer.gates("gates", 1, x, layer.output_), "tanh");
  });
}

}  // namespace pimsweep::workload::import
