#pragma once

#include <cstdint>
#include <optional>

#include "base/json.h"

namespace pimsweep::workload::import {

/// Parameters of what the configuration of a multimodal model describes for images: the encoder of `vision_config` and
/// the projector to the language part, whose width is `hidden`. Layers and defaults of missing keys are those of the
/// transformers library. None for other encoders than those of gemma3, llama4, mistral3, qwen3_vl and qwen3_vl_moe, and
/// where the file does not state the width of the encoder, or has a size that is not a positive integer.
std::optional<std::int64_t> vision_parameters(const JsonNode& configuration, std::int64_t hidden);

}  // namespace pimsweep::workload::import
