#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workload/model_library.h"

namespace pimsweep::workload {

/// A row of results/reference/model_sizes.csv: what somebody published of a model.
struct ReferenceSize {
  std::string model;
  std::int64_t image_px = 0;
  /// "key = value" that replaces a key of the family's configuration; empty for the model as it is.
  std::string variant;
  std::optional<double> parameters_millions;
  std::optional<double> macs_giga;
  /// The published count leaves out the products QK and PV.
  bool without_attention_products = false;
  double tolerance_percent = 0;
  /// "parameters", "macs" or empty: what is known not to fit, and why.
  std::string outlier;
  std::string explanation;
  std::string source;
};

std::vector<ReferenceSize> read_reference_sizes();

/// The models of configs/models, with `variant` applied to every family that has its key.
std::unique_ptr<ModelLibrary> library_of_variant(const std::string& variant);

/// The graph's multiply-accumulates in billions, counted as the reference counts them.
double comparable_macs(const OperatorGraph& graph, const ReferenceSize& reference);

double deviation_percent(double computed, double published);

std::string read_text(const std::string& path);

}  // namespace pimsweep::workload
