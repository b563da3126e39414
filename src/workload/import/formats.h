#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "workload/import/onnx_strip.h"
#include "workload/import/reading_options.h"
#include "workload/model.h"

namespace pimsweep::workload::import {

/// File with a network, or one model in such a file.
struct NetworkSource {
  /// For messages.
  std::string path;
  /// Model in a file that may hold several; empty if none is named.
  std::string model;
  ReadingOptions options = {};
};

/// File format that describes networks.
struct Format {
  /// File name extension, such as ".onnx".
  std::string_view extension;
  /// Larger files are not read.
  std::uintmax_t max_bytes;
  /// Extracts the part of a file that is kept in memory and with the results; throws InputError if it is not in this
  /// format.
  std::string (*keep)(std::string_view bytes, const std::string& path);
  /// Makes the network from the kept part; throws InputError with all problems.
  Model (*read)(const std::string& kept, const NetworkSource& source);
};

Model read_onnx_network(const std::string& kept, const NetworkSource& source);

/// Reads a model from a TOML model file (docs/models.md). Throws InputError if the file has several and none is named.
Model read_toml_network(const std::string& kept, const NetworkSource& source);

/// Reads a Hugging Face configuration (hugging_face.h).
Model read_json_network(const std::string& kept, const NetworkSource& source);

/// Reads a layer table (layer_table.h).
Model read_csv_network(const std::string& kept, const NetworkSource& source);

/// For formats with one network per file: throws InputError if a model is named.
inline void require_no_model_name(const NetworkSource& source) {
  if (source.model.empty()) return;
  throw InputError({source.path},
                   fmt::format("the file has a single network without a name: remove ':{}'", source.model));
}

/// Keeps the whole file.
inline std::string keep_all(std::string_view bytes, const std::string& /*path*/) { return std::string(bytes); }

/// All formats; a new one adds a line here.
inline constexpr std::array formats{Format{".onnx", std::uintmax_t{1} << 40U, strip_weights, read_onnx_network},
                                    Format{".toml", std::uintmax_t{256} << 10U, keep_all, read_toml_network},
                                    Format{".json", std::uintmax_t{4} << 20U, keep_all, read_json_network},
                                    Format{".csv", std::uintmax_t{4} << 20U, keep_all, read_csv_network}};

}  // namespace pimsweep::workload::import
