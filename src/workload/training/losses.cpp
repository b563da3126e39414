#include "workload/training/losses.h"

#include <utility>
#include <vector>

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

ValueIndex mean(Tape& tape, ValueIndex x) { return tape.reduce(Mean, x, {}); }

/// tf.nn.sigmoid_cross_entropy_with_logits: max(x, 0) - x z + log(1 + exp(-|x|)).
ValueIndex sigmoid_cross_entropy(Tape& tape, ValueIndex x, ValueIndex targets) {
  const ValueIndex zeros = tape.same(ZerosLike, {x});
  const ValueIndex positive = tape.binary(GreaterEqual, x, zeros);
  const ValueIndex rectified = tape.add(Select, {positive, x, zeros}, tape.shape(x));
  const ValueIndex negative = tape.add(Select, {positive, tape.same(Neg, {x}), x}, tape.shape(x));
  const ValueIndex linear = tape.binary(Sub, rectified, tape.binary(Mul, x, targets));
  return tape.binary(Add, linear, tape.same(Log1p, {tape.same(Exp, {negative})}));
}

}  // namespace

ValueIndex softmax_loss(Tape& tape, ValueIndex logits) {
  tape.enter("loss");
  const Shape shape = tape.shape(logits);
  const std::int64_t rows = shape.elements() / shape.last();
  const ValueIndex labels = tape.placeholder({rows});
  const std::vector<Shape> outputs{Shape{rows}, shape};
  return mean(tape, tape.add_many(SparseSoftmaxCrossEntropyWithLogits, {logits, labels}, outputs));
}

ValueIndex sigmoid_loss(Tape& tape, ValueIndex logits, ValueIndex targets) {
  tape.enter("loss");
  return mean(tape, sigmoid_cross_entropy(tape, logits, targets));
}

ValueIndex nce_loss(Tape& tape, ValueIndex features, std::int64_t classes, std::int64_t sampled) {
  tape.enter("nce_loss");
  const std::int64_t rows = tape.shape(features)[0];
  const std::int64_t channels = tape.shape(features).last();
  const ValueIndex weights = tape.variable("weights", {classes, channels}, true);
  const ValueIndex biases = tape.variable("biases", {classes}, true);
  const ValueIndex labels = tape.placeholder({rows});
  // The sampled classes, and the expected counts of the true and of the sampled classes.
  const std::vector<Shape> samples{Shape{sampled}, Shape{rows, 1}, Shape{sampled}};
  const ValueIndex sampler = tape.add_many(LogUniformCandidateSampler, {labels}, samples);
  const ValueIndex ids = tape.add(ConcatV2, {labels, sampler}, {rows + sampled});
  const ValueIndex all_weights = tape.add(Gather, {weights, ids}, {rows + sampled, channels});
  const ValueIndex all_biases = tape.add(Gather, {biases, ids}, {rows + sampled});

  const ValueIndex true_weights = tape.add(Slice, {all_weights}, {rows, channels});
  const ValueIndex products = tape.binary(Mul, features, true_weights);
  // TensorFlow sums along the rows by a GEMM with ones.
  const ValueIndex sums = tape.matmul(products, tape.constant({channels, 1}));
  const ValueIndex true_biases = tape.reshape(tape.add(Slice, {all_biases}, {rows}), {rows, 1});
  const ValueIndex true_scores = tape.binary(Add, sums, true_biases);
  const ValueIndex true_logits = tape.binary(Sub, true_scores, tape.same(Log, {sampler + 1}));

  const ValueIndex sampled_weights = tape.add(Slice, {all_weights}, {sampled, channels});
  const ValueIndex scores = tape.matmul(features, sampled_weights, false, true);
  const ValueIndex biased = tape.binary(Add, scores, tape.add(Slice, {all_biases}, {sampled}));
  const ValueIndex sampled_logits = tape.binary(Sub, biased, tape.same(Log, {sampler + 2}));

  const Shape shape{rows, 1 + sampled};
  const ValueIndex logits = tape.add(ConcatV2, {true_logits, sampled_logits}, shape);
  const ValueIndex losses = sigmoid_cross_entropy(tape, logits, tape.constant(shape));
  return mean(tape, tape.matmul(losses, tape.constant({1 + sampled, 1})));
}

ValueIndex with_weight_decay(Tape& tape, ValueIndex loss) {
  tape.enter("weight_decay");
  std::vector<ValueIndex> penalties;
  const std::vector<ValueIndex> variables = tape.trainable();
  for (const ValueIndex variable : variables) {
    if (tape.shape(variable).rank() > 1) penalties.push_back(tape.add(L2Loss, {variable}, {}));
  }
  if (penalties.empty()) return loss;
  const ValueIndex sum = tape.add(AddN, std::move(penalties), {});
  return tape.binary(Add, loss, tape.binary(Mul, sum, tape.constant({})));
}

}  // namespace pimsweep::workload::training
