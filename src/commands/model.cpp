#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/error.h"
#include "commands/commands.h"
#include "commands/model_view.h"
#include "commands/terminal.h"
#include "commands/text_table.h"
#include "workload/onnx_export/onnx_writer.h"

namespace pimsweep::commands {

namespace {

using workload::Operator;

/// "25.56 M".
std::string with_prefix(std::int64_t count) {
  constexpr std::array prefixes{"", "k", "M", "G", "T", "P", "E"};
  auto value = static_cast<double>(count);
  std::size_t power = 0;
  for (; value >= 999.95 && power + 1 < prefixes.size(); ++power) value /= 1000;
  return power == 0 ? fmt::format("{}", count) : fmt::format("{:.4g} {}", value, prefixes[power]);
}

std::string if_any(std::int64_t count) { return count == 0 ? "" : with_prefix(count); }

std::string product_text(const Operator& node) {
  if (!has_product(node)) return "";
  const workload::MatrixProduct& product = node.product;
  return fmt::format("{}x{}x{}x{}", product.batch, product.rows, product.inner, product.columns);
}

std::string extent_text(const workload::Extent& extent) {
  return extent.height == extent.width ? fmt::format("{}", extent.height)
                                       : fmt::format("{}x{}", extent.height, extent.width);
}

/// "3x3 s2 p1 g32": kernel, and stride, padding and groups where they differ from the defaults.
std::string window_text(const Operator& node) {
  if (!has_window(node)) return "";
  const workload::ConvolutionWindow& window = node.window;
  std::string text = fmt::format("{}x{}", window.kernel.height, window.kernel.width);
  if (window.stride != 1) text += fmt::format(" s{}", window.stride);
  if (window.padding != workload::Extent(0)) text += " p" + extent_text(window.padding);
  if (window.groups != 1) text += fmt::format(" g{}", window.groups);
  return text;
}

std::string names_of_inputs(const ModelView& model, const OperatorView& view, std::string_view separator) {
  std::vector<std::string_view> names;
  names.reserve(view.inputs.size());
  for (const workload::OperatorId id : view.inputs) names.push_back(model.graph.at(id).name);
  return fmt::format("{}", fmt::join(names, separator));
}

void print_summary(const ModelView& view) {
  TextTable table({view.name, view.family});
  for (const OperatorView& node : view.operators) {
    if (node.node->kind != workload::OperatorKind::input || node.node->stage != 0) continue;
    table.add({"input " + node.node->name, shape_text(node.node->output)});
  }
  std::string kinds;
  for (const auto& [kind, count] : view.kinds())
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", count, kind);
  table.add({"operators", fmt::format("{}: {}", view.graph.size(), kinds)});
  table.add({"parameters", with_prefix(view.graph.parameters())});
  table.add({"weights", with_prefix(view.graph.weights())});
  if (const auto [weights, bytes] = view.quantized(); weights > 0) {
    table.add({"quantized", fmt::format("{} weights in {}B, with scales and zero points of blocks",
                                        with_prefix(weights), with_prefix(bytes))});
  }
  table.add({"MACs", with_prefix(view.graph.macs())});
  table.add({"activations", with_prefix(view.graph.activations())});
  table.add({"bytes",
             fmt::format("{}B read, {}B written ({} bytes an element, each operator on its own)",
                         with_prefix(view.bytes_read()), with_prefix(view.bytes_written()), view.bytes_per_element)});
  table.add({"arithmetic intensity", fmt::format("{:.4g} MACs a byte", view.intensity())});
  for (const std::string& note : view.notes) table.add({"note", note});
  fmt::print("{}\n", table.aligned());
}

void print_operators(const ModelView& view) {
  TextTable table(
      {"operator", "kind", "role", "output", "product", "window", "weights", "MACs", "read", "written", "inputs"});
  for (const OperatorView& seen : view.operators) {
    const Operator& node = *seen.node;
    table.add({node.name, std::string(workload::name_of(node.kind)), node.role, shape_text(node.output),
               product_text(node), window_text(node), node.shares_weights ? "shared" : if_any(node.weights),
               if_any(node.macs()), if_any(seen.bytes_read), if_any(seen.bytes_written),
               names_of_inputs(view, seen, ", ")});
  }
  // The name of an operator mostly ends with its role.
  constexpr std::array<std::string_view, 6> order{"role", "weights", "written", "read", "window", "inputs"};
  const std::size_t width = terminal_columns();
  const std::vector<std::string> dropped = table.drop_to_fit(width, order);
  fmt::print(
      "{}\nproduct: batch x rows x inner x columns. window: kernel, s stride, p padding, g groups. read, written: "
      "bytes.\n",
      table.aligned(width));
  if (!dropped.empty()) fmt::print("A wider terminal also shows: {}.\n", fmt::join(dropped, ", "));
}

const std::vector<std::string>& csv_headings() {
  static const std::vector<std::string> headings{
      "model",      "operator", "kind",       "role",          "stage",      "block",   "reads",
      "inputs",     "output",   "kernel_h",   "kernel_w",      "stride",     "pad_h",   "pad_w",
      "groups",     "products", "rows",       "inner",         "columns",    "weights", "shares_weights",
      "parameters", "macs",     "bytes_read", "bytes_written", "weight_bits"};
  return headings;
}

std::vector<std::string> csv_row(const ModelView& view, const OperatorView& seen) {
  const Operator& node = *seen.node;
  std::vector<std::string> shapes;
  shapes.reserve(seen.inputs.size());
  for (const workload::OperatorId id : seen.inputs) shapes.push_back(shape_text(view.graph.at(id).output));
  std::vector<std::string> row{view.name,
                               node.name,
                               std::string(workload::name_of(node.kind)),
                               node.role,
                               std::to_string(node.stage),
                               std::to_string(node.block),
                               names_of_inputs(view, seen, " | "),
                               fmt::format("{}", fmt::join(shapes, " | ")),
                               shape_text(node.output)};
  const workload::ConvolutionWindow& window = node.window;
  const workload::MatrixProduct& product = node.product;
  for (const std::int64_t number :
       {window.kernel.height, window.kernel.width, window.stride, window.padding.height, window.padding.width,
        window.groups, product.batch, product.rows, product.inner, product.columns, node.weights,
        std::int64_t{node.shares_weights}, node.parameters, node.macs(), seen.bytes_read, seen.bytes_written}) {
    row.push_back(std::to_string(number));
  }
  row.push_back(node.weight_bits == 0 ? "" : fmt::format("{:g}", node.weight_bits));
  return row;
}

void add_rows(const ModelView& view, TextTable& table) {
  for (const OperatorView& seen : view.operators) table.add(csv_row(view, seen));
}

void write_onnx_file(const ModelView& view, const std::string& path, bool force) {
  const std::string bytes = workload::onnx_export::write_onnx(view.graph, view.name);
  write_named_output(path, bytes, force);
  fmt::print("{}: {} operators of {} as ONNX, {}B\n", path, view.graph.size(), view.name,
             with_prefix(static_cast<std::int64_t>(bytes.size())));
}

void show(const ModelView& view, const ModelOptions& request) {
  if (!request.onnx.empty()) {
    write_onnx_file(view, request.onnx, request.form.force);
  } else if (request.form.json) {
    fmt::print("{}", model_json(view));
  } else if (request.dot) {
    fmt::print("{}", model_dot(view));
  } else {
    print_summary(view);
    print_operators(view);
  }
}

}  // namespace

int model(const ModelOptions& request, const ConfigFolders& configs) {
  const bool is_csv = !request.form.csv.empty();
  if (request.models.size() != 1 && !is_csv) {
    throw InputError("name one model, or a file with a network; only --csv takes several, or all if none is named");
  }
  const auto unknown = value_of(workload::import::unknown_words, request.unknown);
  if (!unknown) {
    const std::vector<std::string> words = names_of(workload::import::unknown_words);
    throw InputError(fmt::format("unknown operators cannot be taken as '{}'{}; choose from {}", request.unknown,
                                 suggestion(request.unknown, words), fmt::join(words, " | ")));
  }
  const workload::import::ReadingOptions options{
      *unknown, value_of(workload::import::first_dimension_words, request.first_dimension).value()};
  using Installed = workload::DefinitionIndex::Installed;
  const workload::ModelLibrary library(configs.models,
                                       request.models.empty() ? Installed::at_once : Installed::when_used);
  TextTable table(csv_headings());
  for (const std::string& name : selected_models(library, request.models, options)) {
    const ModelView view = view_model(library, name, request.size, request.bytes_per_element);
    if (is_csv) add_rows(view, table);
    // Texts of many models would drown what is read.
    if (request.models.size() == 1 && request.form.csv != standard_output) show(view, request);
  }
  if (is_csv) write_output(request.form.csv, table.csv(), request.form.force);
  return 0;
}

}  // namespace pimsweep::commands
