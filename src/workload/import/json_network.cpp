#include <fmt/format.h>

#include <utility>

#include "base/json.h"
#include "workload/import/formats.h"
#include "workload/import/hugging_face.h"

namespace pimsweep::workload::import {

Model read_json_network(const std::string& kept, const NetworkSource& source) {
  require_no_model_name(source);
  const JsonNode root = parse_json(kept, source.path);
  ProblemList problems;
  Configuration configuration = read_configuration(root, source.path, problems);
  if (configuration.entry.family.empty()) problems.throw_if_any();
  ProblemList of_family;
  Model model = read_model(configuration.entry, of_family);
  model.notes = std::move(configuration.notes);
  add_with_keys(of_family, root, problems);
  problems.throw_if_any();
  return model;
}

}  // namespace pimsweep::workload::import
