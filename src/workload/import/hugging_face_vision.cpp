#include "workload/import/hugging_face_vision.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>

#include "base/checked.h"
#include "base/error.h"

namespace pimsweep::workload::import {

namespace {

/// Integers of a JSON object.
class VisionSizes {
 public:
  explicit VisionSizes(const JsonNode& node) : node_(node) {}

  /// Throws PointError if the value is not from 1 to 2^20.
  Count operator()(std::string_view key, std::int64_t otherwise) const {
    constexpr std::int64_t max_size = 1 << 20;
    const JsonNode* found = node_.find(key);
    if (found == nullptr || found->kind == JsonNode::Kind::null) return otherwise;
    const auto* size = std::get_if<std::int64_t>(&found->scalar);
    if (found->kind != JsonNode::Kind::scalar || size == nullptr || *size < 1 || *size > max_size) {
      throw PointError("not a size");
    }
    return *size;
  }

  bool flag(std::string_view key, bool otherwise) const {
    const JsonNode* found = node_.find(key);
    return found == nullptr ? otherwise : found->scalar == Value(true);
  }

  Count length(std::string_view key, std::int64_t otherwise) const {
    const JsonNode* found = node_.find(key);
    return found == nullptr ? otherwise : static_cast<std::int64_t>(found->items.size());
  }

 private:
  const JsonNode& node_;
};

Count dense_layer(Count inputs, Count outputs) { return inputs * outputs + outputs; }

/// A layer of attention and a feed-forward network, with biases and two layer normalizations.
Count encoder_layer(Count hidden, Count inner) {
  return 4 * dense_layer(hidden, hidden) + dense_layer(hidden, inner) + dense_layer(inner, hidden) + 4 * hidden;
}

/// SigLIP with the projector of Gemma 3.
Count gemma3_vision(const VisionSizes& /*outer*/, const VisionSizes& vision, Count hidden) {
  const Count width = vision("hidden_size", 768);
  const Count inner = vision("intermediate_size", 3072);
  const Count patch = vision("patch_size", 16);
  const Count side = vision("image_size", 224) / patch;
  Count sum = dense_layer(vision("num_channels", 3) * patch * patch, width) + side * side * width;
  sum += vision("num_hidden_layers", 12) * encoder_layer(width, inner) + 2 * width;
  // Pooling by attention of a learned token.
  if (vision.flag("vision_use_head", true)) sum += encoder_layer(width, inner) - width;
  return sum + width * hidden + width;
}

/// Llama 4's encoder, its adapter and the projector, both without biases.
Count llama4_vision(const VisionSizes& /*outer*/, const VisionSizes& vision, Count hidden) {
  const Count width = vision("hidden_size", 768);
  const Count inner = vision("intermediate_size", 5632);
  const Count patch = vision("patch_size", 14);
  const Count side = vision("image_size", 448) / patch;
  const Count adapted = vision("projector_output_dim", 4096);
  Count sum = vision("num_channels", 3) * patch * patch * width + width + (side * side + 1) * width + 4 * width;
  sum += vision("num_hidden_layers", 34) * encoder_layer(width, inner);
  sum += inner * vision("projector_input_dim", 4096) + adapted * adapted;
  return sum + vision("vision_output_dim", 7680) * hidden;
}

/// Pixtral and the projector of Mistral 3, which merges patches; no biases in the encoder.
Count mistral3_vision(const VisionSizes& outer, const VisionSizes& vision, Count hidden) {
  const Count width = vision("hidden_size", 1024);
  const Count inner = vision("intermediate_size", 4096);
  const Count patch = vision("patch_size", 16);
  const Count merged = outer("spatial_merge_size", 2);
  const Count biases = outer.flag("multimodal_projector_bias", false) ? 2 * hidden : Count{0};
  Count sum = vision("num_channels", 3) * patch * patch * width + width;
  sum += vision("num_hidden_layers", 24) * (4 * width * width + 3 * width * inner + 2 * width);
  return sum + width + merged * merged * width * width + width * hidden + hidden * hidden + biases;
}

/// Qwen3-VL's encoder, and the mergers of patches after its last layer and after those of `deepstack_visual_indexes`.
Count qwen3_vl_vision(const VisionSizes& /*outer*/, const VisionSizes& vision, Count /*hidden*/) {
  const Count width = vision("hidden_size", 1152);
  const Count patch = vision("patch_size", 16);
  const Count merge = vision("spatial_merge_size", 2);
  const Count merged = merge * merge * width;
  const Count merger = dense_layer(merged, merged) + dense_layer(merged, vision("out_hidden_size", 3584));
  Count sum = dense_layer(vision("in_channels", 3) * vision("temporal_patch_size", 2) * patch * patch, width);
  sum += vision("num_position_embeddings", 2304) * width;
  sum += vision("depth", 27) * encoder_layer(width, vision("intermediate_size", 4304));
  return sum + merger + 2 * width + vision.length("deepstack_visual_indexes", 3) * (merger + 2 * merged);
}

struct VisionEncoder {
  /// Type of the whole model, and the one that `vision_config` states if any.
  std::string_view model_type;
  std::string_view vision_type;
  Count (*parameters)(const VisionSizes& outer, const VisionSizes& vision, Count hidden);
};

constexpr std::array vision_encoders{
    VisionEncoder{"gemma3", "siglip_vision_model", gemma3_vision},
    VisionEncoder{"llama4", "llama4_vision_model", llama4_vision},
    VisionEncoder{"mistral3", "pixtral", mistral3_vision},
    VisionEncoder{"qwen3_vl", "qwen3_vl", qwen3_vl_vision},
    VisionEncoder{"qwen3_vl_moe", "qwen3_vl_moe", qwen3_vl_vision},
};

std::string_view stated_type(const JsonNode& node) {
  const JsonNode* found = node.find("model_type");
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->scalar);
  return text == nullptr ? std::string_view{} : std::string_view(*text);
}

}  // namespace

std::optional<std::int64_t> vision_parameters(const JsonNode& configuration, std::int64_t hidden) {
  const JsonNode* vision = configuration.find("vision_config");
  if (vision == nullptr || vision->find("hidden_size") == nullptr) return std::nullopt;
  const auto encoder = std::ranges::find(vision_encoders, stated_type(configuration), &VisionEncoder::model_type);
  const std::string_view type = stated_type(*vision);
  if (encoder == vision_encoders.end() || (!type.empty() && type != encoder->vision_type)) return std::nullopt;
  try {
    return encoder->parameters(VisionSizes(configuration), VisionSizes(*vision), hidden);
  } catch (const PointError&) {
    return std::nullopt;
  }
}

}  // namespace pimsweep::workload::import
