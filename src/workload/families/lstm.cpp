#include <memory>
#include <vector>

#include "workload/families/architecture.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload::families {

namespace {

/// Unrolled steps make many operators; longer sequences are beyond the intended language models.
constexpr std::int64_t max_steps = 1024;

struct LstmParameters {
  std::int64_t vocabulary = 0;
  /// Channels of the embedding, of the inputs of the layers and of their states.
  std::int64_t channels = 0;
  std::int64_t layers = 0;
};

/// State that a layer passes from step to step.
struct LstmState {
  OperatorId output = 0;
  OperatorId cell = 0;
  /// The gate projection of the first step, which owns the weights.
  OperatorId gates = 0;
  bool started = false;
};

/// An unrolled language model of LSTM layers. Step t of layer l is block t of stage l, with the operators that a
/// framework runs separately. All steps of a layer share one weight matrix for the four gates.
class Lstm final : public Architecture {
 public:
  explicit Lstm(const LstmParameters& parameters) : parameters_(parameters) {}

  std::int64_t min_input_size() const override { return 1; }
  std::int64_t max_input_size() const override { return max_steps; }

  OperatorGraph graph(std::int64_t steps) const override {
    const std::int64_t channels = parameters_.channels;
    GraphBuilder builder;
    const OperatorId words =
        builder.embedding(builder.input({steps, 1}, "tokens"), parameters_.vocabulary, channels, "word_embedding");
    std::vector<LstmState> states(static_cast<std::size_t>(parameters_.layers));
    for (LstmState& state : states) {
      state.output = builder.input({1, channels}, "initial_output");
      state.cell = builder.input({1, channels}, "initial_cell");
    }
    std::vector<OperatorId> outputs;
    for (std::int64_t step = 1; step <= steps; ++step) {
      OperatorId x = builder.move(OperatorKind::slice, words, {1, channels}, "word");
      for (std::size_t layer = 0; layer < states.size(); ++layer) {
        builder.enter(static_cast<std::int64_t>(layer) + 1, step);
        x = advance(builder, x, states[layer]);
      }
      outputs.push_back(x);
      builder.enter(0, 0);
    }
    const OperatorId all = builder.concat(outputs, {steps, channels}, "outputs");
    builder.softmax(builder.linear(all, parameters_.vocabulary, "classifier"));
    return builder.take();
  }

 private:
  OperatorId advance(GraphBuilder& builder, OperatorId x, LstmState& state) const {
    const std::int64_t channels = parameters_.channels;
    const OperatorId joined = builder.concat({x, state.output}, {1, 2 * channels}, "input_and_state");
    OperatorId gates = 0;
    if (state.started) {
      gates = builder.linear_again(joined, state.gates, "gates");
    } else {
      gates = builder.linear(joined, 4 * channels, "gates");
      state.gates = gates;
      state.started = true;
    }
    const auto gate = [&](std::string_view role, std::string_view function) {
      return builder.activation(builder.move(OperatorKind::slice, gates, {1, channels}, role), function);
    };
    const OperatorId kept = builder.multiply(state.cell, gate("forget_gate", "sigmoid"), "forget");
    const OperatorId input = gate("input_gate", "sigmoid");
    const OperatorId learned = builder.multiply(gate("candidate", "tanh"), input, "remember");
    state.cell = builder.add(kept, learned, "cell");
    const OperatorId shown = gate("output_gate", "sigmoid");
    state.output = builder.multiply(builder.activation(state.cell, "tanh"), shown, "output");
    return state.output;
  }

  LstmParameters parameters_;
};

}  // namespace

std::unique_ptr<Architecture> read_lstm(ParameterReader& reader) {
  LstmParameters parameters;
  parameters.vocabulary = reader.integer("vocabulary", {1, 10000000});
  parameters.channels = reader.integer("channels", {1, 65536});
  parameters.layers = reader.integer("layers", {1, 64});
  return std::make_unique<Lstm>(parameters);
}

}  // namespace pimsweep::workload::families
