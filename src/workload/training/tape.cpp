#include "workload/training/tape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <utility>

#include "workload/training/operation_table.h"

namespace pimsweep::workload::training {

namespace {

std::string text_of(std::span<const Shape> shapes) {
  std::vector<std::string> texts;
  for (const Shape& shape : shapes) texts.push_back(shape.text());
  return fmt::format("{}", fmt::join(texts, " "));
}

void require_fit(const Operands& operands) {
  if (operation_info(operands.type).fits(operands)) return;
  throw std::logic_error(fmt::format("{}: the shapes do not fit: {} -> {}", name_of(operands.type),
                                     text_of(operands.inputs), text_of(operands.outputs)));
}

}  // namespace

ValueIndex Tape::variable(std::string_view role, const Shape& shape, bool trainable) {
  const std::string name = fmt::format("{}/{}", scope_, role);
  const auto known = variables_.find(name);
  if (known != variables_.end()) {
    if (shapes_[known->second] == shape) return known->second;
    throw std::logic_error(
        fmt::format("the variable {} has the shapes {} and {}", name, shapes_[known->second].text(), shape.text()));
  }
  const std::string outer = std::exchange(scope_, name);
  const ValueIndex value = add(OperationType::VariableV2, {}, shape);
  scope_ = outer;
  variables_.emplace(name, value);
  if (trainable) trainable_.push_back(value);
  return value;
}

ValueIndex Tape::add_many(OperationType type, std::vector<ValueIndex> inputs, std::span<const Shape> outputs,
                          const OperationAttributes& attributes) {
  std::vector<Shape> read;
  read.reserve(inputs.size());
  for (const ValueIndex input : inputs) read.push_back(shapes_.at(input));
  require_fit({type, read, outputs, attributes});
  TapeOperation operation{type,
                          fmt::format("{}/{}", scope_, name_of(type)),
                          std::move(inputs),
                          static_cast<ValueIndex>(shapes_.size()),
                          static_cast<std::uint32_t>(outputs.size()),
                          attributes};
  const int use = uses_[operation.name]++;
  if (use > 0) operation.name += fmt::format("_{}", use);
  shapes_.insert(shapes_.end(), outputs.begin(), outputs.end());
  producers_.insert(producers_.end(), outputs.size(), operations_.size());
  operations_.push_back(std::move(operation));
  return operations_.back().first_output;
}

ValueIndex Tape::same(OperationType type, std::vector<ValueIndex> inputs) {
  const Shape shape = shapes_.at(inputs.front());
  return add(type, std::move(inputs), shape);
}

ValueIndex Tape::binary(OperationType type, ValueIndex a, ValueIndex b) {
  return add(type, {a, b}, broadcast(shapes_.at(a), shapes_.at(b)));
}

ValueIndex Tape::reshape(ValueIndex x, const Shape& shape) {
  return shapes_.at(x) == shape ? x : add(OperationType::Reshape, {x}, shape);
}

ValueIndex Tape::matmul(ValueIndex a, ValueIndex b, bool transpose_first, bool transpose_second) {
  const Shape& left = shapes_.at(a);
  const Shape& right = shapes_.at(b);
  OperationAttributes attributes;
  attributes.transpose_first = transpose_first;
  attributes.transpose_second = transpose_second;
  const Shape output{transpose_first ? left.last() : left.elements() / left.last(),
                     transpose_second ? right.elements() / right.last() : right.last()};
  return add(OperationType::MatMul, {a, b}, output, attributes);
}

ValueIndex Tape::batch_matmul(ValueIndex a, ValueIndex b, bool transpose_first, bool transpose_second) {
  Shape output = shapes_.at(a);
  const Shape& right = shapes_.at(b);
  const std::size_t rank = output.rank();
  OperationAttributes attributes;
  attributes.transpose_first = transpose_first;
  attributes.transpose_second = transpose_second;
  output.extent(rank - 2) = transpose_first ? output.last() : output[rank - 2];
  output.extent(rank - 1) = transpose_second ? right[right.rank() - 2] : right.last();
  return add(OperationType::BatchMatMul, {a, b}, output, attributes);
}

ValueIndex Tape::reduce(OperationType type, ValueIndex x, const Shape& shape) {
  broadcast(shapes_.at(x), shape);
  return add(type, {x}, shape);
}

}  // namespace pimsweep::workload::training
