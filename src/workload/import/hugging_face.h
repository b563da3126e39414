#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "workload/model_file.h"

namespace pimsweep::workload::import {

/// A configuration as a model of a family.
struct Configuration {
  ModelEntry entry;
  /// Parts of the checkpoint that the network leaves out, and parts that it models differently.
  std::vector<std::string> notes;
};

/// Reads a Hugging Face configuration (config.json); of a multimodal model, only the language part. Only numbers and
/// words are read. Missing keys have the defaults of the transformers library. Adds all problems to `problems`; the
/// entry's family is empty if the type of the model is unknown.
Configuration read_configuration(const JsonNode& root, const std::string& file, ProblemList& problems);

/// Adds problems found in the parameters of such an entry, with the configuration's keys in place of the family's
/// parameter names.
void add_with_keys(const ProblemList& found, const JsonNode& root, ProblemList& problems);

}  // namespace pimsweep::workload::import
