// ONNX's own checker and its inference of shapes on written networks.
#include <onnx/checker.h>
#include <onnx/onnx_pb.h>
#include <onnx/shape_inference/implementation.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "exported_models.h"
#include "workload/import/operator_mark.h"
#include "workload/model_library.h"
#include "workload/onnx_export/onnx_writer.h"

namespace pimsweep::workload {

namespace {

using Shape = std::vector<std::int64_t>;

Shape shape_of(const onnx::ValueInfoProto& value) {
  Shape shape;
  for (const auto& dimension : value.type().tensor_type().shape().dim()) shape.push_back(dimension.dim_value());
  return shape;
}

/// The shapes that ONNX infers from the inputs alone.
std::map<std::string, Shape> inferred_shapes(onnx::ModelProto model) {
  for (onnx::ValueInfoProto& output : *model.mutable_graph()->mutable_output()) {
    output.mutable_type()->mutable_tensor_type()->clear_shape();
  }
  const onnx::ShapeInferenceOptions strict{true, 1, true};
  onnx::shape_inference::InferShapes(model, onnx::OpSchemaRegistry::Instance(), strict);
  std::map<std::string, Shape> shapes;
  for (const auto& value : model.graph().value_info()) shapes[value.name()] = shape_of(value);
  for (const auto& output : model.graph().output()) shapes[output.name()] = shape_of(output);
  return shapes;
}

/// All that a tensor of an operator may look like in the file.
std::set<Shape> layouts_of(const Shape& shape) {
  if (shape.size() == 3) return {{1, shape[0], shape[1], shape[2]}, {1, shape[2], shape[0], shape[1]}};
  if (shape.size() == 4) return {shape, {shape[0], shape[3], shape[1], shape[2]}};
  return {shape};
}

}  // namespace

TEST_CASE("ONNX takes every written model, and infers the shapes of its operators", "[onnx_export]") {
  const ModelLibrary library("configs/models");
  std::set<std::string> types;
  for (const std::string& name : exported_models(library)) {
    CAPTURE(name);
    onnx::ModelProto model;
    REQUIRE(model.ParseFromString(onnx_export::write_onnx(library.graph(name, library.default_image_px(name)), name)));
    CHECK(model.ir_version() == 8);
    REQUIRE_NOTHROW(onnx::checker::check_model(model));
    const std::map<std::string, Shape> shapes = inferred_shapes(model);
    int operators = 0;
    for (const onnx::NodeProto& node : model.graph().node()) {
      types.insert(node.op_type());
      CHECK(node.domain().empty());
      const import::OperatorMark mark = import::read_mark(node.doc_string()).value();
      if (node.output(0) != mark.name) continue;
      ++operators;
      CAPTURE(node.op_type(), mark.name);
      REQUIRE(shapes.count(mark.name) == 1);
      CHECK(layouts_of(mark.output.shape).count(shapes.at(mark.name)) == 1);
    }
    for (const auto& output : model.graph().output()) CHECK(shape_of(output) == shapes.at(output.name()));
    for (const auto& input : model.graph().input()) operators += input.doc_string().empty() ? 0 : 1;
    CHECK(static_cast<std::size_t>(operators) == library.graph(name, library.default_image_px(name)).size());
  }
  CHECK(types.size() > 20);
}

}  // namespace pimsweep::workload
