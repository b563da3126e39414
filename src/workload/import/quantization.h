#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::import {

/// Adds the number formats of a checkpoint to the parameters of a decoder (`weight_bits`, `quantized`, `cache_bits`),
/// from `quantization_config` of its configuration. Matrices that the configuration excludes by name keep 16 bits. A
/// part of which only some blocks are excluded counts as quantized; `notes` says so. Adds a problem for unknown methods
/// and name patterns. Bits of weights include the scales of their groups.
void read_quantization(const JsonNode& configuration, const std::string& file,
                       std::map<std::string, Parameter>& parameters, std::vector<std::string>& notes,
                       ProblemList& problems);

}  // namespace pimsweep::workload::import
