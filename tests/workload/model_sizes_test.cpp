// Parameters and multiply-accumulates of every model against published figures, and the table of docs/models.md.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>
#include <map>
#include <set>

#include "reference_sizes.h"

namespace pimsweep::workload {

namespace {

void check(const ReferenceSize& reference, const char* quantity, double computed, double published) {
  const double deviation = std::abs(deviation_percent(computed, published));
  INFO(reference.model << " at " << reference.image_px << " px, " << quantity << ": computed " << computed
                       << ", published " << published << " (" << reference.source << ")");
  if (reference.outlier == quantity) {
    CHECK_FALSE(reference.explanation.empty());
    // An outlier that fits is none and has to leave the list.
    CHECK(deviation > reference.tolerance_percent);
    CHECK(deviation < 6);
  } else {
    CHECK(deviation <= reference.tolerance_percent);
  }
}

/// The line of docs/models.md for a model: computed, published, deviation.
std::string table_row(const ModelLibrary& library, const ReferenceSize& reference) {
  const OperatorGraph graph = library.graph(reference.model, reference.image_px);
  const auto number = [](double value) {
    return value < 1 ? fmt::format("{:.3g}", value) : fmt::format("{:.2f}", value);
  };
  const double parameters = static_cast<double>(graph.parameters()) / 1e6;
  const double comparable = comparable_macs(graph, reference);
  std::string note = reference.explanation;
  if (reference.without_attention_products) {
    note = fmt::format("published without the products QK and PV: {:.2f} G computed so", comparable);
  }
  return fmt::format("| {} | {} | {} | {:g} | {:+.1f} % | {} | {:g} | {:+.1f} % | {} | {} |", reference.model,
                     reference.image_px, number(parameters), *reference.parameters_millions,
                     deviation_percent(parameters, *reference.parameters_millions),
                     number(static_cast<double>(graph.macs()) / 1e9), *reference.macs_giga,
                     deviation_percent(comparable, *reference.macs_giga), reference.source, note);
}

/// The first complete row at its default size of each model. The list has the authors' own figures first, and sums of
/// layer shapes last, which stand in where nobody published both counts.
std::map<std::string, ReferenceSize> table_references(const ModelLibrary& library) {
  std::map<std::string, ReferenceSize> rows;
  for (const ReferenceSize& reference : read_reference_sizes()) {
    if (reference.image_px != library.default_image_px(reference.model) || !reference.variant.empty()) continue;
    if (reference.parameters_millions && reference.macs_giga) rows.emplace(reference.model, reference);
  }
  return rows;
}

}  // namespace

TEST_CASE("parameters and MACs agree with published figures", "[models]") {
  std::map<std::string, std::unique_ptr<ModelLibrary>> libraries;
  for (const ReferenceSize& reference : read_reference_sizes()) {
    std::unique_ptr<ModelLibrary>& library = libraries[reference.variant];
    if (!library) library = library_of_variant(reference.variant);
    const OperatorGraph graph = library->graph(reference.model, reference.image_px);
    if (reference.parameters_millions) {
      check(reference, "parameters", static_cast<double>(graph.parameters()) / 1e6, *reference.parameters_millions);
    }
    if (reference.macs_giga) check(reference, "macs", comparable_macs(graph, reference), *reference.macs_giga);
  }
}

TEST_CASE("every model has figures to compare with", "[models]") {
  const ModelLibrary library("configs/models");
  const std::map<std::string, ReferenceSize> references = table_references(library);
  for (const std::string& model : library.names()) CHECK(references.count(model) == 1);
}

TEST_CASE("a variant changes the model", "[models]") {
  const auto plain = library_of_variant("");
  const auto convolutional = library_of_variant("convolutional_embedding = true");
  CHECK(convolutional->graph("focal-t", 224).parameters() > plain->graph("focal-t", 224).parameters());
  CHECK(convolutional->graph("swin-t", 224).parameters() == plain->graph("swin-t", 224).parameters());
}

TEST_CASE("the table of docs/models.md is what the models give", "[models][docs]") {
  const ModelLibrary library("configs/models");
  const std::map<std::string, ReferenceSize> references = table_references(library);
  const std::string page = read_text("docs/models.md");
  for (const std::string& model : library.names()) {
    const std::string row = table_row(library, references.at(model));
    INFO(row);
    CHECK(page.find(row + "\n") != std::string::npos);
  }
}

// Prints the table's rows for docs/models.md: test_workload "[.models-table]"
TEST_CASE("print the table of docs/models.md", "[.models-table]") {
  const ModelLibrary library("configs/models");
  const std::map<std::string, ReferenceSize> references = table_references(library);
  for (const std::string& model : library.names()) std::cout << table_row(library, references.at(model)) << "\n";
}

}  // namespace pimsweep::workload
