// Single nodes of operator sets 18 to 25: onnx-nodes.csv has the attributes, inputs and first output of ONNX's own node
// tests (onnx 1.20.0, onnx/backend/test/data/node), which Debian's version does not have. Multiply-accumulates are
// arithmetic on the shapes: attention as queries x keys x (size of a key + size of a value) for each head.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "base/csv.h"
#include "base/error.h"
#include "import_helpers.h"
#include "onnx_bytes.h"

namespace pimsweep::workload {

namespace {

using namespace onnx_bytes;

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end = 0; end != std::string::npos && !text.empty(); start = end + 1) {
    end = text.find(separator, start);
    parts.push_back(text.substr(start, end == std::string::npos ? end : end - start));
  }
  return parts;
}

std::vector<std::int64_t> integers_of(const std::string& text, char separator) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split(text, separator)) numbers.push_back(std::stoll(part));
  return numbers;
}

std::int64_t type_of(const std::string& name) {
  static const std::map<std::string, std::int64_t> types{
      {"float", 1},   {"uint8", 2},       {"int8", 3},          {"uint16", 4},      {"int16", 5},
      {"int32", 6},   {"int64", 7},       {"bool", 9},          {"float16", 10},    {"double", 11},
      {"uint64", 13}, {"bfloat16", 16},   {"float8e4m3fn", 17}, {"float8e5m2", 19}, {"uint4", 21},
      {"int4", 22},   {"float4e2m1", 23}, {"float8e8m0", 24},   {"uint2", 25},      {"int2", 26}};
  return types.at(name);
}

/// A tensor with its values.
std::string constant(const std::string& name, std::int64_t type, const std::vector<std::int64_t>& shape,
                     const std::string& values) {
  std::string bytes;
  for (const std::int64_t extent : shape) bytes += number(1, extent);
  bytes += number(2, type) + text(8, name);
  if (type == int64_type) {
    for (const std::int64_t value : integers_of(values, ':')) bytes += number(7, value);
  } else {
    std::string packed;
    for (const std::string& value : split(values, ':')) {
      const auto bits = std::bit_cast<std::uint32_t>(std::stof(value));
      for (unsigned byte = 0; byte < 4; ++byte) packed += static_cast<char>(bits >> (8U * byte) & 0xFFU);
    }
    bytes += text(4, packed);
  }
  return text(5, bytes);
}

/// `float:2x3` is an input, `int64:2=0:1` a constant, `-` one that is left out.
std::string input_of(const std::string& cell, const std::string& name) {
  const std::size_t colon = cell.find(':');
  const std::size_t equals = std::min(cell.find('='), cell.size());
  const std::int64_t type = type_of(cell.substr(0, colon));
  const std::vector<std::int64_t> shape = integers_of(cell.substr(colon + 1, equals - colon - 1), 'x');
  return equals == cell.size() ? input(name, shape, type) : constant(name, type, shape, cell.substr(equals + 1));
}

std::string attribute_of(const std::string& cell) {
  const std::size_t equals = cell.find('=');
  const std::string name = cell.substr(0, equals);
  const std::string value = cell.substr(equals + 1);
  if (value.starts_with('\'')) return text_attribute(name, value.substr(1));
  static const std::set<std::string> lists{"axes",      "kernel_shape", "pads",  "strides",
                                           "dilations", "perm",         "split", "output_shape"};
  const std::vector<std::int64_t> numbers = integers_of(value, ':');
  return lists.contains(name) ? attribute(name, numbers) : attribute(name, numbers.front());
}

struct Row {
  std::string test;
  std::string bytes;
  std::vector<std::int64_t> output;
  std::int64_t macs = 0;
};

Row row_of(const CsvTable& table, const std::vector<CsvCell>& cells) {
  const auto text_of = [&](const char* column) {
    const auto place = static_cast<std::size_t>(table.column(column));
    return place < cells.size() ? cells[place].text : std::string();
  };
  Row row{.test = text_of("test"), .bytes = {}, .output = {}};
  std::string graph;
  std::vector<std::string> names;
  for (const std::string& cell : split(text_of("inputs"), ' ')) {
    names.push_back(cell == "-" ? "" : "x" + std::to_string(names.size()));
    if (cell != "-") graph += input_of(cell, names.back());
  }
  std::string attributes;
  for (const std::string& cell : split(text_of("attributes"), ';')) attributes += attribute_of(cell);
  std::vector<std::string> outputs{"y"};
  while (outputs.size() < std::stoul(text_of("outputs"))) outputs.push_back("y" + std::to_string(outputs.size()));
  row.bytes =
      model(graph + node(text_of("operator"), names, outputs, attributes) + output("y"), std::stoll(text_of("opset")));
  row.output = integers_of(text_of("output"), 'x');
  row.macs = std::stoll(text_of("macs"));
  return row;
}

}  // namespace

TEST_CASE("Nodes of ONNX 1.20 give outputs of their shapes and multiply-accumulates", "[import]") {
  const std::string path = "tests/workload/import/onnx-nodes.csv";
  const CsvTable table = parse_csv(read_file(path), path);
  int checked = 0;
  int refused = 0;
  for (const std::vector<CsvCell>& cells : table.rows) {
    const Row row = row_of(table, cells);
    CAPTURE(row.test);
    try {
      const import::OnnxModel model = import::read_onnx(import::strip_weights(row.bytes, row.test), row.test);
      import::ImportOptions options;
      options.takes_one_sample = false;
      const OperatorGraph graph = import::import_network(model, options);
      for (const std::string& defect : graph.defects()) FAIL_CHECK(defect);
      CHECK(graph.macs() == row.macs);
      const auto writes = [&](const Operator& node) { return node.output.elements() == Tensor{row.output}.elements(); };
      bool written = false;
      for (OperatorId id = 0; id < graph.size(); ++id) written = written || writes(graph.at(id));
      CHECK(written);
      ++checked;
    } catch (const InputError& error) {
      CHECK_THAT(error.what(), Catch::Contains("has a window of 3 dimensions"));
      ++refused;
    }
  }
  CHECK(checked == 277);
  CHECK(refused == 7);
}

}  // namespace pimsweep::workload
