#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::import {

/// Adds to the parameters of a decoder how a checkpoint stores it, by the `quantization_config` of its configuration:
/// `weight_bits`, `quantized` and `cache_bits`. Matrices that the configuration leaves out by name keep 16 bits; parts
/// of which it leaves out single blocks count as quantized, which `notes` says. Adds a problem for methods and patterns
/// of names that are not known. Scales count with their bits where they belong to groups of weights.
void read_quantization(const JsonNode& configuration, const std::string& file,
                       std::map<std::string, Parameter>& parameters, std::vector<std::string>& notes,
                       ProblemList& problems);

}  // namespace pimsweep::workload::import
