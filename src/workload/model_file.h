#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload {

/// A [[model]] of a model file, completed by the [common] parameters of the file.
struct ModelEntry {
  std::string family;
  SourcePosition family_where;
  std::string name;
  SourcePosition where;
  /// All keys except the name.
  std::map<std::string, Parameter> parameters;
};

/// Reads the text of a TOML model file (docs/models.md) and adds every problem of its form to `problems`; `path` is
/// used in messages.
std::vector<ModelEntry> parse_model_file(const std::string& text, const std::string& path, ProblemList& problems);

}  // namespace pimsweep::workload
