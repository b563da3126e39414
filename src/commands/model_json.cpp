#include "commands/json.h"
#include "commands/model_view.h"

namespace pimsweep::commands {

namespace {

Json json_of(const workload::MatrixProduct& product) {
  return {{"batch", product.batch}, {"rows", product.rows}, {"inner", product.inner}, {"columns", product.columns}};
}

Json json_of(const workload::Extent& extent) { return Json::array({extent.height, extent.width}); }

Json json_of(const workload::ConvolutionWindow& window) {
  return {{"kernel", json_of(window.kernel)},
          {"stride", window.stride},
          {"padding", json_of(window.padding)},
          {"groups", window.groups}};
}

Json json_of(const ModelView& model, const OperatorView& view) {
  const workload::Operator& node = *view.node;
  Json json;
  json["name"] = node.name;
  json["kind"] = workload::name_of(node.kind);
  json["role"] = node.role;
  json["stage"] = node.stage;
  json["block"] = node.block;
  json["inputs"] = Json::array();
  for (const workload::OperatorId id : view.inputs) json["inputs"].push_back(model.graph.at(id).name);
  json["output"] = node.output.shape;
  json["product"] = has_product(node) ? json_of(node.product) : Json();
  json["window"] = has_window(node) ? json_of(node.window) : Json();
  json["weights"] = node.weights;
  json["shares_weights"] = node.shares_weights;
  json["weight_bits"] = node.weight_bits == 0 ? Json() : Json(node.weight_bits);
  json["parameters"] = node.parameters;
  json["macs"] = node.macs();
  json["bytes_read"] = view.bytes_read;
  json["bytes_written"] = view.bytes_written;
  return json;
}

}  // namespace

std::string model_json(const ModelView& view) {
  Json json;
  json["model"] = view.name;
  json["family"] = view.family;
  json["input_size"] = view.input_size;
  json["bytes_per_element"] = view.bytes_per_element;
  json["notes"] = view.notes;
  json["parameters"] = view.graph.parameters();
  json["weights"] = view.graph.weights();
  json["macs"] = view.graph.macs();
  json["activations"] = view.graph.activations();
  json["bytes_read"] = view.bytes_read();
  json["bytes_written"] = view.bytes_written();
  json["macs_per_byte"] = view.intensity();
  for (const auto& [kind, count] : view.kinds()) json["kinds"][std::string(kind)] = count;
  json["operators"] = Json::array();
  for (const OperatorView& node : view.operators) json["operators"].push_back(json_of(view, node));
  return text_of(json);
}

}  // namespace pimsweep::commands
