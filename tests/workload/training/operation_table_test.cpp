// The table of operation types.
#include "workload/training/operation_table.h"

#include <array>
#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>
#include <string_view>

#include "training_steps.h"
#include "workload/training/gradient_rules.h"

namespace pimsweep::workload::training {

using enum OperationType;

TEST_CASE("every operation type has a row and a name of its own", "[training]") {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < operation_types; ++i) {
    const auto type = static_cast<OperationType>(i);
    const OperationInfo& info = operation_info(type);
    INFO(info.name);
    CHECK(info.type == type);
    CHECK(names.insert(info.name).second);
    CHECK((convolution_role(info.type) == ConvolutionRole::none || info.group == OperationGroup::product));
    // Backpropagation passes over sources and ends at updates.
    if (is_source(type) || is_update(type)) CHECK(gradient_rule(type) == nullptr);
  }
  CHECK(name_of(Conv2DBackpropFilter) == "Conv2DBackpropFilter");
  CHECK(name_of(Assign) == "Assign");
}

TEST_CASE("a convolution and its gradients have the same tensors and multiplications", "[training]") {
  const Shape input{2, 9, 9, 3};
  const Shape filter{3, 3, 3, 8};
  const Shape output{2, 4, 4, 8};
  OperationAttributes attributes;
  attributes.window = {3, 2, 0, 1};
  const auto check = [&](OperationType type, const Shape& first, const Shape& second, const Shape& result) {
    INFO(name_of(type));
    const ConvolutionTensors tensors = convolution_tensors(type, first, second, result);
    CHECK(tensors.input == input);
    CHECK(tensors.filter == filter);
    CHECK(tensors.output == output);
    const std::array inputs{first, second};
    const std::array outputs{result};
    const Operands operands{type, inputs, outputs, attributes};
    CHECK(operation_info(type).fits(operands));
    CHECK(operation_info(type).work(operands).multiplications == 2 * 4 * 4 * 8 * 3 * 3 * 3);
  };
  check(Conv2D, input, filter, output);
  check(Conv2DBackpropInput, filter, output, input);
  check(Conv2DBackpropFilter, input, output, filter);
  CHECK_THROWS_AS(convolution_tensors(MatMul, input, filter, output), std::logic_error);
}

TEST_CASE("a gather reads only the indexed rows of its table", "[training]") {
  const std::array inputs{Shape{1000, 16}, Shape{5}};
  const std::array outputs{Shape{5, 16}};
  const OperationAttributes attributes;
  const Operands operands{Gather, inputs, outputs, attributes};
  const OperationInfo& info = operation_info(Gather);
  CHECK(info.traffic(operands).read == 5 * 16 + 5);
  CHECK(info.traffic(operands).written == 5 * 16);
  CHECK(info.variable(operands, 0) == 5 * 16);
  CHECK(info.sparse_gradient);
}

}  // namespace pimsweep::workload::training
