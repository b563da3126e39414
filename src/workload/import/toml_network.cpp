#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "workload/import/formats.h"
#include "workload/model_file.h"

namespace pimsweep::workload::import {

namespace {

/// Entry of the named model, or the only entry.
const ModelEntry& chosen(const std::vector<ModelEntry>& entries, const NetworkSource& source) {
  std::vector<std::string> names;
  for (const ModelEntry& entry : entries) names.push_back(entry.name);
  if (source.model.empty() && entries.size() == 1) return entries.front();
  if (source.model.empty()) {
    throw InputError({source.path}, fmt::format("the file has {} models: select one by name, as in '{}:{}'; models: {}",
                                                entries.size(), source.path, names.front(), fmt::join(names, ", ")));
  }
  const auto found = std::find(names.begin(), names.end(), source.model);
  if (found == names.end()) {
    throw InputError({source.path}, fmt::format("the file does not have a model '{}'{}; models: {}", source.model,
                                                suggestion(source.model, names), fmt::join(names, ", ")));
  }
  return entries[static_cast<std::size_t>(found - names.begin())];
}

}  // namespace

Model read_toml_network(const std::string& kept, const NetworkSource& source) {
  ProblemList problems;
  const std::vector<ModelEntry> entries = parse_model_file(kept, source.path, problems);
  problems.throw_if_any();
  Model model = read_model(chosen(entries, source), problems);
  problems.throw_if_any();
  return model;
}

}  // namespace pimsweep::workload::import
