#pragma once

#include <string>

#include "base/error.h"
#include "base/json.h"
#include "workload/model_file.h"

namespace pimsweep::workload::import {

/// The model of a family that a Hugging Face configuration (config.json) describes: only numbers and words are read.
/// Keys that the file lacks have the defaults of the transformers library. Adds all problems to `problems`; the
/// entry's family is empty if the type of the model is not known.
ModelEntry read_configuration(const JsonNode& root, const std::string& file, ProblemList& problems);

/// Problems of such an entry's parameters, which name the family's parameters, with the keys of the configuration.
void add_with_keys(const ProblemList& found, const JsonNode& root, ProblemList& problems);

}  // namespace pimsweep::workload::import
