#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "base/error.h"
#include "workload/import/onnx_strip.h"
#include "workload/import/reading_options.h"
#include "workload/model.h"

namespace pimsweep::workload::import {

/// A file, or a model in it.
struct NetworkSource {
  /// For messages.
  std::string path;
  /// The model in a file that may have several; empty if none is named.
  std::string model;
  ReadingOptions options = {};
};

/// A format of files that describe networks.
struct Format {
  /// How such a file's name ends: ".onnx".
  std::string_view extension;
  /// What is kept of a file; throws InputError if it cannot be such a file.
  std::string (*keep)(std::string_view bytes, const std::string& path);
  /// The network of what was kept; throws InputError with all problems.
  Model (*read)(const std::string& kept, const NetworkSource& source);
};

Model read_onnx_network(const std::string& kept, const NetworkSource& source);

/// A model of a TOML model file (docs/models.md). Throws InputError if it has several and none is named.
Model read_toml_network(const std::string& kept, const NetworkSource& source);

/// A Hugging Face configuration (hugging_face.h).
Model read_json_network(const std::string& kept, const NetworkSource& source);

/// A layer table (layer_table.h).
Model read_csv_network(const std::string& kept, const NetworkSource& source);

/// Throws InputError if a model is named, for files that have only one.
inline void require_no_model_name(const NetworkSource& source) {
  if (source.model.empty()) return;
  throw InputError({source.path},
                   fmt::format("the file has one network without a name: leave ':{}' out", source.model));
}

/// The whole file.
inline std::string keep_all(std::string_view bytes, const std::string& /*path*/) { return std::string(bytes); }

/// All formats; a new one adds a line here.
inline constexpr std::array formats{
    Format{".onnx", strip_weights, read_onnx_network}, Format{".toml", keep_all, read_toml_network},
    Format{".json", keep_all, read_json_network}, Format{".csv", keep_all, read_csv_network}};

}  // namespace pimsweep::workload::import
