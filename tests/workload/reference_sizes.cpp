#include "reference_sizes.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include "base/csv.h"
#include "temporary_directory.h"

namespace pimsweep::workload {

namespace {

std::optional<double> number(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional<double>(std::stod(text));
}

/// The text with the line "key = ..." replaced by `variant`, if there is such a line.
std::string with_variant(const std::string& text, const std::string& variant) {
  const std::string key = variant.substr(0, variant.find(' ')) + " =";
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += (line.starts_with(key) ? variant : line) + "\n";
  return result;
}

}  // namespace

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<ReferenceSize> read_reference_sizes() {
  const std::string path = "results/reference/model_sizes.csv";
  const CsvTable table = parse_csv(read_text(path), path);
  std::vector<ReferenceSize> sizes;
  for (const auto& row : table.rows) {
    const auto cell = [&](const char* name) { return row.at(static_cast<std::size_t>(table.column(name))).text; };
    ReferenceSize size;
    size.model = cell("model");
    size.image_px = std::stoll(cell("image_px"));
    size.variant = cell("variant");
    size.parameters_millions = number(cell("parameters_millions"));
    size.macs_giga = number(cell("macs_giga"));
    size.without_attention_products = cell("macs_count") == "without attention products";
    size.tolerance_percent = std::stod(cell("tolerance_percent"));
    size.outlier = cell("outlier");
    size.explanation = cell("explanation");
    size.source = cell("source");
    sizes.push_back(std::move(size));
  }
  return sizes;
}

std::unique_ptr<ModelLibrary> library_of_variant(const std::string& variant) {
  if (variant.empty()) return std::make_unique<ModelLibrary>("configs/models");
  const TemporaryDirectory directory;
  for (const char* family : {"vit", "pvt", "swin", "focal", "twins-svt", "cswin"}) {
    const std::string name = std::string(family) + ".toml";
    directory.write(name, with_variant(read_text("configs/models/" + name), variant));
  }
  return std::make_unique<ModelLibrary>(directory.path());
}

double comparable_macs(const OperatorGraph& graph, const ReferenceSize& reference) {
  std::int64_t macs = graph.macs();
  for (OperatorId id = 0; reference.without_attention_products && id < graph.size(); ++id) {
    if (graph.at(id).kind == OperatorKind::matmul) macs -= graph.at(id).macs();
  }
  return static_cast<double>(macs) / 1e9;
}

double deviation_percent(double computed, double published) { return 100 * (computed - published) / published; }

}  // namespace pimsweep::workload
