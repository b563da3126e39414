// The node tests of ONNX itself (Debian's libonnx-testdata): every type of node that is known gives an output of the
// shape that was computed by ONNX.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <map>
#include <set>

#include "base/error.h"
#include "import_helpers.h"
#include "onnx_bytes.h"
#include "workload/import/rules.h"

namespace pimsweep::workload {

namespace {

using namespace onnx_bytes;

/// A tensor of the test's data as an initializer: appended to a file, it becomes part of its graph.
std::string as_initializer(const std::string& tensor) { return text(7, text(5, tensor)); }

import::OnnxTensor stored_tensor(const std::string& path){
    return import::read_onnx(as_initializer(read_file(path)) + text(8, number(2, 13)), path).initializers.front();
}  // namespace

/// True if an operator writes a tensor of this shape: as many elements and, up to three extents, the same ones above 1
/// in any order, since channels come last here.
bool writes(const Operator& node, const std::vector<std::int64_t>& shape) {
  const auto extents = [](const std::vector<std::int64_t>& list) {
    std::multiset<std::int64_t> result(list.begin(), list.end());
    result.erase(1);
    return result;
  };
  const bool is_merged = shape.size() > 3;
  return node.output.elements() == Tensor{shape}.elements() &&
         (is_merged || extents(node.output.shape) == extents(shape));
}

/// The only operator that nothing reads; none if there are several.
const Operator* sink_of(const OperatorGraph& graph) {
  const Operator* sink = nullptr;
  for (OperatorId id = 0; id < graph.size(); ++id) {
    if (!graph.successors(id).empty()) continue;
    if (sink != nullptr) return nullptr;
    sink = &graph.at(id);
  }
  return sink;
}

/// The file of a test with the values of its integer inputs, which may be shapes, but for the first input.
std::string with_shapes(const std::filesystem::path& folder) {
  std::string bytes = read_file((folder / "model.onnx").string());
  for (int i = 1; i < 8; ++i) {
    const std::string path = (folder / "test_data_set_0" / ("input_" + std::to_string(i) + ".pb")).string();
    if (!std::filesystem::exists(path)) continue;
    const import::OnnxTensor tensor = stored_tensor(path);
    if (!tensor.is_floating || tensor.name == "scales") bytes += as_initializer(read_file(path));
  }
  return bytes;
}

bool is_known(const import::OnnxModel& model) {
  return std::all_of(model.nodes.begin(), model.nodes.end(),
                     [](const import::OnnxNode& node) { return import::rule_of(node.type) != nullptr; });
}

}  // namespace pimsweep::workload

TEST_CASE("The node tests of ONNX give outputs of their shapes", "[import]") {
  std::map<std::string, int> checked;
  std::map<std::string, std::string> refused;
  for (const auto& entry : std::filesystem::directory_iterator(ONNX_NODE_TESTS)) {
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    try {
      const std::string bytes = with_shapes(entry.path());
      const import::OnnxModel model = import::read_onnx(import::strip_weights(bytes, name), name);
      if (!is_known(model)) continue;
      import::ImportOptions options;
      options.takes_one_sample = false;
      const OperatorGraph graph = import::import_network(model, options);
      for (const std::string& defect : graph.defects()) FAIL_CHECK(defect);
      const Operator* sink = sink_of(graph);
      if (sink == nullptr || model.nodes.size() != 1 || model.outputs.size() != 1) continue;
      const import::OnnxTensor expected = stored_tensor((entry.path() / "test_data_set_0" / "output_0.pb").string());
      CHECK(writes(*sink, expected.shape));
      ++checked[model.nodes.front().type];
    } catch (const InputError& error) {
      // Batches of recurrent layers, windows of three dimensions and similar; counted below.
      refused.emplace(name, error.what());
    }
  }
  int total = 0;
  for (const auto& [type, count] : checked) total += count;
  INFO("types: " << checked.size() << ", tests: " << total);
  CHECK(checked.size() >= 99);
  CHECK(total >= 528);
  CHECK(refused.size() <= 107);
}

}  // namespace pimsweep::workload
