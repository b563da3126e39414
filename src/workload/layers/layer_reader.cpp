#include "workload/layers/layer_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace pimsweep::workload::layers {

namespace {

// The upper bounds only reject mistyped numbers and keep counts within 64 bits.
constexpr Range kernel_range{1, 255};
constexpr Range stride_range{1, 255};
constexpr Range group_range{1, 65536};
constexpr Range row_range{1, 10000000};

}  // namespace

bool LayerReader::read(Layer& layer) {
  layer.type = &type_;
  if (type_.extent) read_extent(layer);
  for (const Number& number : type_.numbers) read_number(number, layer);
  while (next_ < end_) read_option(layer);
  complete_window(layer);
  if (has_norm()) layer.bias = false;
  return sound_;
}

void LayerReader::problem(std::size_t word, const std::string& message) {
  sound_ = false;
  reporter_.problem(sentence_, word, message);
}

std::string LayerReader::usage() const {
  return fmt::format("{}{}{}", type_.usage, type_.takes_norm ? " [norm]" : "",
                     type_.takes_function ? " [FUNCTION]" : "");
}

std::string LayerReader::quoted(const Word* word) {
  return word == nullptr ? "its end" : fmt::format("'{}'", word->text);
}

bool LayerReader::is_function(const std::string& text) const {
  if (!type_.takes_function) return false;
  const LayerType* type = find_type(text);
  return type != nullptr && type->kind == OperatorKind::activation;
}

bool LayerReader::is_option(const std::string& text) const {
  return std::ranges::find(type_.options, text) != type_.options.end() || (type_.takes_norm && text == "norm") ||
         is_function(text);
}

void LayerReader::read_extent(Layer& layer) {
  const Word* text = word();
  const auto size = text == nullptr ? std::nullopt : extent_of(text->text, kernel_range);
  if (size) {
    layer.window.kernel = *size;
    ++next_;
    return;
  }
  // The largest kernel allows every padding, so that the padding is not reported as a second problem.
  layer.window.kernel = kernel_range.max;
  if (text != nullptr && !text->is_known) {
    ++next_;
    return;
  }
  problem(next_, fmt::format("{} is not a height x width such as 5x5, each from {} to {}; write {}", quoted(text),
                             kernel_range.min, kernel_range.max, usage()));
  // A malformed size is skipped; a word that belongs to what follows is not.
  const auto is_number = [&](std::size_t at) {
    return at < end_ && !type_.numbers.empty() && integer_of(words_[at].text, type_.numbers.front().range);
  };
  const bool is_outputs = is_number(next_) && !is_number(next_ + 1);
  if (text != nullptr && !is_option(text->text) && !is_outputs) ++next_;
}

void LayerReader::read_number(const Number& number, Layer& layer) {
  const Word* text = word();
  const auto value = text == nullptr ? std::nullopt : integer_of(text->text, number.range);
  layer.*number.member = value.value_or(number.range.min);
  const bool is_known = text == nullptr || text->is_known;
  if (!value && is_known) {
    problem(next_, fmt::format("{} is not a valid {} from {} to {}; write {}", quoted(text), number.meaning,
                               number.range.min, number.range.max, usage()));
  }
  if (value || !is_known || (text != nullptr && !is_option(text->text))) ++next_;
}

void LayerReader::read_option(Layer& layer) {
  const std::string& name = words_[next_].text;
  if (!words_[next_].is_known) {
    ++next_;
    return;
  }
  if (!is_option(name)) {
    std::vector<std::string> known = type_.options;
    if (type_.takes_norm) known.emplace_back("norm");
    problem(next_, fmt::format("'{}' does not belong here{}; write {}", name, suggestion(name, known), usage()));
    // The value of a malformed option is skipped too.
    while (++next_ < end_ && !is_option(words_[next_].text)) {
    }
    return;
  }
  if (!given_.insert(is_function(name) ? "FUNCTION" : name).second) {
    problem(next_,
            is_function(name) ? "a layer has one activation function" : fmt::format("'{}' is given twice", name));
  }
  ++next_;
  if (is_function(name)) {
    function_ = find_type(name);
  } else if (name == "no_bias") {
    layer.bias = false;
  } else if (name == "stride") {
    layer.window.stride = option_value(stride_range);
  } else if (name == "groups") {
    layer.window.groups = option_value(group_range);
  } else if (name == "kv_heads") {
    layer.kv_heads = option_value(group_range);
  } else if (name == "rows") {
    layer.rows = option_value(row_range);
  } else if (name == "pad") {
    read_padding(layer);
  }
}

void LayerReader::read_padding(Layer& layer) {
  if (word() != nullptr && word()->text == "same") {
    layer.same = true;
    ++next_;
    return;
  }
  // Padding is smaller than the kernel, so every window covers a part of the map.
  const Extent& kernel = layer.window.kernel;
  layer.window.padding = option_value({0, std::min(kernel.height, kernel.width) - 1});
}

std::int64_t LayerReader::option_value(Range range) {
  const Word* text = word();
  const auto number = text == nullptr ? std::nullopt : integer_of(text->text, range);
  if (!number && (text == nullptr || text->is_known)) {
    problem(next_, fmt::format("{} is not a valid '{}' from {} to {}; write {}", quoted(text), words_[next_ - 1].text,
                               range.min, range.max, usage()));
  }
  if (text != nullptr && (number || !is_option(text->text))) ++next_;
  return number.value_or(range.min);
}

void LayerReader::complete_window(Layer& layer) {
  ConvolutionWindow& window = layer.window;
  if (layer.same) {
    if (window.kernel.height % 2 == 0 || window.kernel.width % 2 == 0) {
      problem(next_, fmt::format("'pad same' needs a kernel of odd sides, not {}x{}", window.kernel.height,
                                 window.kernel.width));
    }
    window.padding = {(window.kernel.height - 1) / 2, (window.kernel.width - 1) / 2};
  }
  const bool pool = type_.kind == OperatorKind::max_pool || type_.kind == OperatorKind::average_pool;
  if (!pool || given_.contains("stride")) return;
  if (window.kernel.height != window.kernel.width) {
    problem(next_, fmt::format("a window that is not square needs a stride; write {}", usage()));
  }
  window.stride = window.kernel.height;
}

}  // namespace pimsweep::workload::layers
