#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "workload/model_file.h"

namespace pimsweep::workload::import {

/// The model of a family that a configuration describes.
struct Configuration {
  ModelEntry entry;
  /// What the network leaves out of it, and what it takes otherwise than the checkpoint has it.
  std::vector<std::string> notes;
};

/// Reads a Hugging Face configuration (config.json), of models with several parts the language part: only numbers and
/// words count. Keys that the file lacks have the defaults of the transformers library. Adds all problems to
/// `problems`; the entry's family is empty if the type of the model is not known.
Configuration read_configuration(const JsonNode& root, const std::string& file, ProblemList& problems);

/// Problems of such an entry's parameters, which name the family's parameters, with the keys of the configuration.
void add_with_keys(const ProblemList& found, const JsonNode& root, ProblemList& problems);

}  // namespace pimsweep::workload::import
