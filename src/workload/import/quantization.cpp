#include "workload/import/quantization.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "workload/import/split.h"

namespace pimsweep::workload::import {

namespace {

/// Part of a model, and the names of its modules in checkpoints, below "model.layers.N.".
struct QuantizedPart {
  std::string_view word;
  std::array<std::string_view, 2> modules;
};

constexpr std::array quantized_parts{
    QuantizedPart{"attention", {"self_attn.q_proj", "self_attn.o_proj"}},
    QuantizedPart{"feed-forward", {"mlp.gate_proj", "mlp.down_proj"}},
    QuantizedPart{"experts", {"mlp.experts.0.gate_proj", "block_sparse_moe.experts.0.w1"}},
    QuantizedPart{"shared-experts", {"mlp.shared_experts.gate_proj", "mlp.shared_expert.gate_proj"}},
};

std::string_view text_at(const JsonNode& node, std::string_view key) {
  const JsonNode* found = node.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->scalar);
  return text == nullptr || found->kind != JsonNode::Kind::scalar ? std::string_view{} : std::string_view(*text);
}

std::optional<double> number_at(const JsonNode& node, std::string_view key) {
  const JsonNode* found = node.find(key);
  if (found == nullptr || found->kind != JsonNode::Kind::scalar) return std::nullopt;
  if (const auto* integer = std::get_if<std::int64_t>(&found->scalar)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&found->scalar)) return *real;
  return std::nullopt;
}

bool flag_at(const JsonNode& node, std::string_view key) {
  const JsonNode* found = node.find(key);
  return found != nullptr && found->kind == JsonNode::Kind::scalar && found->scalar == Value(true);
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  return result;
}

std::vector<std::string> pieces_of(std::string_view text, std::string_view separator) {
  const std::vector<std::string_view> parts = split(text, separator);
  return {parts.begin(), parts.end()};
}

/// Pattern for modules that keep their precision: "re:" with a regular expression of literals, ".*" and at most one
/// group of alternatives; a glob with "*"; or components of a name.
class ModulePattern {
 public:
  explicit ModulePattern(std::string_view text) {
    if (text.starts_with("re:")) {
      read_expression(std::string(text.substr(3)));
    } else if (text.find('*') != std::string_view::npos) {
      globs_ = {pieces_of(text, "*")};
      is_anchored_at_start_ = is_anchored_at_end_ = true;
    } else {
      components_ = pieces_of(text, ".");
    }
  }

  bool is_known() const { return is_known_; }

  bool matches(std::string_view name) const {
    if (!components_.empty()) {
      const std::vector<std::string_view> parts = split(name, ".");
      return std::search(parts.begin(), parts.end(), components_.begin(), components_.end()) != parts.end();
    }
    return std::ranges::any_of(globs_, [&](const auto& pieces) { return matches(name, pieces); });
  }

 private:
  using Pieces = std::vector<std::string>;

  void read_expression(std::string text) {
    if (text.starts_with('^')) {
      is_anchored_at_start_ = true;
      text.erase(0, 1);
    }
    if (text.ends_with('$')) {
      is_anchored_at_end_ = true;
      text.pop_back();
    }
    const std::size_t open = text.find('(');
    const std::size_t close = text.find(')');
    Pieces texts{text};
    if (open != std::string::npos && close != std::string::npos && open < close) {
      texts.clear();
      for (const std::string& choice : pieces_of(std::string_view(text).substr(open + 1, close - open - 1), "|")) {
        texts.push_back(text.substr(0, open) + choice + text.substr(close + 1));
      }
    }
    for (const std::string& each : texts) {
      Pieces pieces = pieces_of(each, ".*");
      for (std::string& piece : pieces) {
        std::erase(piece, '\\');
        is_known_ = is_known_ && piece.find_first_of("()[]{}|+*?^$") == std::string::npos;
      }
      globs_.push_back(std::move(pieces));
    }
  }

  /// True if the name consists of the pieces in order, with any text in between.
  bool matches(std::string_view name, const Pieces& pieces) const {
    std::size_t from = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool is_last = i + 1 == pieces.size();
      std::size_t found = name.find(pieces[i], from);
      if (is_last && is_anchored_at_end_) {
        if (name.size() < from + pieces[i].size()) return false;
        found = name.ends_with(pieces[i]) ? name.size() - pieces[i].size() : std::string_view::npos;
      }
      if (found == std::string_view::npos || (i == 0 && is_anchored_at_start_ && found != 0)) return false;
      from = found + pieces[i].size();
    }
    return true;
  }

  bool is_known_ = true;
  bool is_anchored_at_start_ = false;
  bool is_anchored_at_end_ = false;
  Pieces components_;
  std::vector<Pieces> globs_;
};

/// Bits of a weight, and whether the head is quantized, too, unless a pattern leaves it out.
struct WeightFormat {
  double bits = 16;
  bool head = false;
  bool experts_only = false;
};

double with_scales(double bits, double scale_bits, std::optional<double> group) {
  return group && *group > 0 ? bits + scale_bits / *group : bits;
}

class QuantizationReader {
 public:
  QuantizationReader(const JsonNode& node, const std::string& file, ProblemList& problems)
      : node_(node), file_(file), problems_(problems) {}

  std::optional<WeightFormat> format() {
    const std::string method = lower(text_at(node_, "quant_method"));
    constexpr double fp32 = 32;
    constexpr double fp16 = 16;
    if (method == "fp8" || method == "fbgemm_fp8") return WeightFormat{with_scales(8, fp32, block_size(node_))};
    if (method == "mxfp4") return WeightFormat{.bits = with_scales(4, 8, 32), .experts_only = true};
    if (method == "awq" || method == "gptq") {
      const double bits = number_at(node_, "bits").value_or(number_at(node_, "w_bit").value_or(4));
      std::optional<double> group = number_at(node_, "group_size");
      if (!group) group = number_at(node_, "q_group_size");
      // Each group has a scale and a zero point.
      return WeightFormat{.bits = with_scales(bits, fp16 + bits, group), .head = flag_at(node_, "lm_head")};
    }
    if (method == "bitsandbytes") {
      if (!flag_at(node_, "load_in_4bit") && !flag_at(node_, "_load_in_4bit")) return WeightFormat{8};
      constexpr double group = 64;
      constexpr double scales_of_group = 256;
      if (!flag_at(node_, "bnb_4bit_use_double_quant")) return WeightFormat{with_scales(4, fp32, group)};
      return WeightFormat{with_scales(4, with_scales(8, fp32, scales_of_group), group)};
    }
    if (method == "compressed-tensors" || method == "modelopt") return by_groups();
    problems_.add(at(node_),
                  fmt::format("'quantization_config' has the quant_method '{}', which is not known: expected "
                              "one of fp8, fbgemm_fp8, mxfp4, awq, gptq, bitsandbytes, compressed-tensors, "
                              "modelopt",
                              method));
    return std::nullopt;
  }

  /// Bits of a number in the KV cache; none if the file does not state them.
  std::optional<double> cache_bits() const {
    if (const JsonNode* scheme = node_.find("kv_cache_scheme"); scheme != nullptr) {
      if (const auto bits = number_at(*scheme, "num_bits")) return bits;
    }
    return lower(text_at(node_, "kv_cache_quant_algo")) == "fp8" ? std::optional(8.0) : std::nullopt;
  }

  /// Quantized parts of a model with this number of blocks.
  std::vector<Value> parts(const WeightFormat& format, std::int64_t blocks, std::vector<std::string>& notes) {
    read_patterns();
    std::vector<Value> words;
    for (const QuantizedPart& part : quantized_parts) {
      if (format.experts_only && part.word != "experts") continue;
      const std::size_t left = blocks_left(part, blocks);
      if (left == static_cast<std::size_t>(blocks)) continue;
      words.emplace_back(std::string(part.word));
      if (left > 0) {
        notes.push_back(
            fmt::format("{} of {} blocks keep 16 bits in the checkpoint: counted as quantized", part.word, left));
      }
    }
    const bool leaves_head = std::ranges::any_of(patterns_, [](const auto& p) { return p.matches("lm_head"); });
    if (format.head && !leaves_head) words.emplace_back(std::string("head"));
    return words;
  }

 private:
  SourcePosition at(const JsonNode& node) const { return {file_, node.line, node.column}; }

  static std::optional<double> block_size(const JsonNode& node) {
    const JsonNode* block = node.find("weight_block_size");
    if (block == nullptr) block = node.find("block_structure");
    if (block == nullptr || block->kind != JsonNode::Kind::list || block->items.size() != 2) return std::nullopt;
    double size = 1;
    for (const JsonNode& side : block->items) {
      const auto* integer = std::get_if<std::int64_t>(&side.scalar);
      if (integer == nullptr || *integer < 1) return std::nullopt;
      size *= static_cast<double>(*integer);
    }
    return size;
  }

  std::optional<WeightFormat> by_groups() {
    const std::string algorithm = lower(text_at(node_, "quant_algo"));
    if (algorithm == "nvfp4") return WeightFormat{.bits = with_scales(4, 8, 16), .head = true};
    if (algorithm == "fp8") return WeightFormat{.bits = 8, .head = true};
    const JsonNode* groups = node_.find("config_groups");
    if (groups == nullptr || groups->kind != JsonNode::Kind::object || groups->items.size() != 1) {
      problems_.add(at(groups == nullptr ? node_ : *groups),
                    "'quantization_config' must have one group of weights in 'config_groups'");
      return std::nullopt;
    }
    const JsonNode* weights = groups->items.front().find("weights");
    if (weights == nullptr || weights->kind == JsonNode::Kind::null) return WeightFormat{};
    const std::optional<double> bits = number_at(*weights, "num_bits");
    if (!bits) {
      problems_.add(at(*weights), "'weights' of 'quantization_config' lacks 'num_bits'");
      return std::nullopt;
    }
    const std::string packed = lower(text_at(node_, "format"));
    std::optional<double> group = number_at(*weights, "group_size");
    if (!group) group = block_size(*weights);
    const double scale = packed.starts_with("nvfp4") || packed.starts_with("mxfp4") ? 8 : 16;
    return WeightFormat{.bits = with_scales(*bits, scale, group), .head = true};
  }

  void read_patterns() {
    for (const std::string_view key :
         {"modules_to_not_convert", "ignore", "exclude_modules", "llm_int8_skip_modules", "ignored_layers"}) {
      const JsonNode* list = node_.find(key);
      if (list == nullptr || list->kind != JsonNode::Kind::list) continue;
      for (const JsonNode& item : list->items) {
        const auto* text = std::get_if<std::string>(&item.scalar);
        if (item.kind != JsonNode::Kind::scalar || text == nullptr || text->empty()) continue;
        patterns_.emplace_back(*text);
        if (!patterns_.back().is_known()) {
          problems_.add(at(item), fmt::format("'{}' of 'quantization_config' has the pattern '{}': expected literals, "
                                              "'.*' and at most one group of alternatives",
                                              key, *text));
        }
      }
    }
  }

  /// Number of blocks in which a module of a part keeps 16 bits.
  std::size_t blocks_left(const QuantizedPart& part, std::int64_t blocks) const {
    std::size_t left = 0;
    for (std::int64_t block = 0; block < blocks; ++block) {
      left += std::ranges::any_of(part.modules, [&](std::string_view module) {
        const std::string name = fmt::format("model.layers.{}.{}", block, module);
        return std::ranges::any_of(patterns_, [&](const ModulePattern& p) { return p.matches(name); });
      });
    }
    return left;
  }

  const JsonNode& node_;
  const std::string& file_;
  ProblemList& problems_;
  std::vector<ModulePattern> patterns_;
};

}  // namespace

void read_quantization(const JsonNode& configuration, const std::string& file,
                       std::map<std::string, Parameter>& parameters, std::vector<std::string>& notes,
                       ProblemList& problems) {
  const JsonNode* node = configuration.find("quantization_config");
  if (node == nullptr || node->kind == JsonNode::Kind::null) return;
  const SourcePosition where{file, node->line, node->column};
  if (node->kind != JsonNode::Kind::object) {
    problems.add(where, fmt::format("'quantization_config' is {}, expected an object", describe(*node)));
    return;
  }
  const auto set = [&](const std::string& key, std::vector<Value> values, bool is_list) {
    Parameter& parameter = parameters[key];
    parameter.is_list = is_list;
    parameter.where = where;
    for (const Value& value : values) {
      const auto* text = std::get_if<std::string>(&value);
      parameter.places.push_back({text == nullptr ? std::string{} : *text, where, {}});
    }
    parameter.values = std::move(values);
  };
  QuantizationReader reader(*node, file, problems);
  if (const auto bits = reader.cache_bits()) set("cache_bits", {*bits}, false);
  const std::optional<WeightFormat> format = reader.format();
  if (!format || format->bits == 16) return;
  const auto blocks = parameters.find("blocks");
  const auto* number = blocks == parameters.end() || blocks->second.values.size() != 1
                           ? nullptr
                           : std::get_if<std::int64_t>(&blocks->second.values.front());
  if (number == nullptr || *number < 1 || *number > 1000) return;
  std::vector<Value> parts = reader.parts(*format, *number, notes);
  if (parts.empty()) return;
  set("weight_bits", {format->bits}, false);
  set("quantized", std::move(parts), true);
}

}  // namespace pimsweep::workload::import
