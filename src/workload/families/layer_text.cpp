#include "workload/families/layer_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace pimsweep::workload::families {

namespace {

// The upper bounds only reject mistyped numbers and keep 64-bit counts in range.
constexpr Range kernel_range{1, 255};
constexpr Range stride_range{1, 255};
constexpr Range output_range{1, 1000000};
constexpr Range channel_range{1, 65536};

/// The grammar of a layer after its first word.
struct Form {
  std::string_view word;
  OperatorKind kind;
  /// "KxK" or "HxW" comes first.
  bool extent = false;
  /// The number that follows: "CHANNELS" or "OUTPUTS"; empty for none.
  std::string_view outputs;
  /// Named numbers and flags that may follow, in any order.
  std::vector<std::string> options;
  std::string_view usage;
};

const std::vector<Form>& forms() {
  using Kind = OperatorKind;
  static const std::vector<Form> all{
      {"conv",
       Kind::convolution,
       true,
       "CHANNELS",
       {"stride", "pad", "groups", "no_bias"},
       "conv KxK CHANNELS [stride S] [pad P | pad same] [groups G] [no_bias]"},
      {"conv_transpose",
       Kind::transposed_convolution,
       true,
       "CHANNELS",
       {"stride", "pad", "groups", "no_bias"},
       "conv_transpose KxK CHANNELS [stride S] [pad P | pad same] [groups G] [no_bias]"},
      {"max_pool", Kind::max_pool, true, "", {"stride", "pad"}, "max_pool KxK [stride S] [pad P | pad same]"},
      {"average_pool",
       Kind::average_pool,
       true,
       "",
       {"stride", "pad"},
       "average_pool KxK [stride S] [pad P | pad same]"},
      {"global_pool", Kind::global_pool, false, "", {}, "global_pool"},
      {"fc", Kind::linear, false, "OUTPUTS", {"no_bias"}, "fc OUTPUTS [no_bias]"},
      {"reshape", Kind::reshape, true, "CHANNELS", {}, "reshape HxW CHANNELS"},
      {"batch_norm", Kind::batch_norm, false, "", {}, "batch_norm"},
      {"layer_norm", Kind::layer_norm, false, "", {}, "layer_norm"},
      {"response_norm", Kind::response_norm, false, "", {}, "response_norm"},
      {"softmax", Kind::softmax, false, "", {}, "softmax"},
      {"relu", Kind::activation, false, "", {}, "relu"},
      {"relu6", Kind::activation, false, "", {}, "relu6"},
      {"leaky_relu", Kind::activation, false, "", {}, "leaky_relu"},
      {"gelu", Kind::activation, false, "", {}, "gelu"},
      {"silu", Kind::activation, false, "", {}, "silu"},
      {"sigmoid", Kind::activation, false, "", {}, "sigmoid"},
      {"tanh", Kind::activation, false, "", {}, "tanh"}};
  return all;
}

std::vector<std::string> words_of_forms() {
  std::vector<std::string> words(forms().size());
  std::transform(forms().begin(), forms().end(), words.begin(), [](const Form& form) { return form.word; });
  return words;
}

struct PlacedWord {
  std::string text;
  std::size_t offset = 0;
};

/// Splits a text at blanks; '=' is a word of its own.
std::vector<PlacedWord> split(const std::string& text) {
  std::vector<PlacedWord> words;
  bool open = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char character = text[i];
    if (std::isspace(static_cast<unsigned char>(character)) != 0) {
      open = false;
    } else if (character == '=' || !open) {
      words.push_back({{character}, i});
      open = character != '=';
    } else {
      words.back().text += character;
    }
  }
  return words;
}

std::optional<std::int64_t> integer(std::string_view text, Range range) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value < range.min || value > range.max ? std::nullopt : std::optional(value);
}

std::optional<Extent> extent(std::string_view text) {
  const std::size_t cross = text.find('x');
  if (cross == std::string_view::npos) return std::nullopt;
  const auto height = integer(text.substr(0, cross), kernel_range);
  const auto width = integer(text.substr(cross + 1), kernel_range);
  return height && width ? std::optional(Extent(*height, *width)) : std::nullopt;
}

bool is_name(const std::string& text) {
  return std::isalpha(static_cast<unsigned char>(text.front())) != 0 &&
         std::all_of(text.begin(), text.end(), [](unsigned char character) {
           return std::isalnum(character) != 0 || character == '_' || character == '-';
         });
}

/// Reads one layer word by word and reports every problem at the position of its word.
class LayerReader {
 public:
  LayerReader(const PlacedText& text, ParameterReader& reader)
      : text_(text), words_(split(text.text)), reader_(reader) {}

  /// The layer; nothing if its kind is unknown.
  std::optional<Layer> read() {
    Layer layer;
    layer.text = text_;
    read_name(layer);
    const Form* form = read_form();
    if (form == nullptr) return std::nullopt;
    layer.kind = form->kind;
    layer.word = form->word;
    if (form->extent) read_extent(*form, layer);
    if (!form->outputs.empty()) read_outputs(*form, layer);
    while (next_ < words_.size()) read_option(*form, layer);
    complete_window(*form, layer);
    return layer;
  }

 private:
  void problem(std::size_t word, const std::string& message) {
    const std::size_t offset = word < words_.size() ? words_[word].offset : text_.text.size();
    reader_.problem(text_.at(offset), fmt::format("layer \"{}\": {}", text_.text, message));
  }

  void read_name(Layer& layer) {
    const auto equals =
        std::find_if(words_.begin(), words_.end(), [](const PlacedWord& word) { return word.text == "="; });
    if (equals == words_.end()) return;
    if (equals != words_.begin() + 1) {
      problem(static_cast<std::size_t>(equals - words_.begin()),
              "one name stands before '=', as in \"conv1 = conv 3x3 64\"");
    } else if (!is_name(words_.front().text)) {
      problem(0, fmt::format("'{}' is no name: letters, digits, '_' and '-', a letter first", words_.front().text));
    } else {
      layer.name = words_.front().text;
    }
    next_ = static_cast<std::size_t>(equals - words_.begin()) + 1;
  }

  const Form* read_form() {
    const std::vector<std::string> known = words_of_forms();
    if (next_ >= words_.size()) {
      problem(next_, fmt::format("a layer is needed here; layers: {}", fmt::join(known, ", ")));
      return nullptr;
    }
    const std::string& word = words_[next_].text;
    const auto form = std::find_if(forms().begin(), forms().end(), [&](const Form& f) { return f.word == word; });
    if (form == forms().end()) {
      problem(next_, fmt::format("there is no layer '{}'{}; layers: {}", word, suggestion(word, known),
                                 fmt::join(known, ", ")));
      return nullptr;
    }
    ++next_;
    return &*form;
  }

  /// The next word, if there is one.
  const std::string* word() const { return next_ < words_.size() ? &words_[next_].text : nullptr; }

  void read_extent(const Form& form, Layer& layer) {
    const std::string* text = word();
    const auto size = text == nullptr ? std::nullopt : extent(*text);
    if (size) {
      layer.window.kernel = *size;
      ++next_;
      return;
    }
    problem(next_, fmt::format("{} is no height x width such as 5x5, each from {} to {}; write {}", quoted(text),
                               kernel_range.min, kernel_range.max, form.usage));
    // The largest kernel allows every padding, so that no second problem is reported for the padding.
    layer.window.kernel = kernel_range.max;
    // A word that was meant to be the size is skipped; one that belongs to what follows is not.
    const bool is_outputs = text != nullptr && integer(*text, output_range) &&
                            (next_ + 1 >= words_.size() || !integer(words_[next_ + 1].text, output_range));
    if (text != nullptr && !is_option(form, *text) && !is_outputs) ++next_;
  }

  void read_outputs(const Form& form, Layer& layer) {
    const Range range = form.extent ? channel_range : output_range;
    const std::string* text = word();
    const auto number = text == nullptr ? std::nullopt : integer(*text, range);
    layer.outputs = number.value_or(1);
    if (number) {
      ++next_;
      return;
    }
    problem(next_, fmt::format("{} is no number of {} from {} to {}; write {}", quoted(text),
                               form.extent ? "channels" : "outputs", range.min, range.max, form.usage));
    if (text != nullptr && !is_option(form, *text)) ++next_;
  }

  void read_option(const Form& form, Layer& layer) {
    const std::string& name = words_[next_].text;
    if (!is_option(form, name)) {
      problem(next_,
              fmt::format("'{}' does not belong here{}; write {}", name, suggestion(name, form.options), form.usage));
      // If it was meant to be an option, its value is skipped too.
      while (++next_ < words_.size() && !is_option(form, words_[next_].text)) {
      }
      return;
    }
    if (!given_.insert(name).second) problem(next_, fmt::format("'{}' is given twice", name));
    ++next_;
    if (name == "no_bias") {
      layer.bias = false;
    } else if (name == "stride") {
      layer.window.stride = option_value(form, stride_range);
    } else if (name == "groups") {
      layer.window.groups = option_value(form, channel_range);
    } else if (word() != nullptr && *word() == "same") {
      layer.same = true;
      ++next_;
    } else {
      read_padding(form, layer);
    }
  }

  void read_padding(const Form& form, Layer& layer) {
    // Padding is smaller than the kernel, so that every window covers a part of the map.
    const Extent& kernel = layer.window.kernel;
    layer.window.padding = option_value(form, {0, std::min(kernel.height, kernel.width) - 1});
  }

  std::int64_t option_value(const Form& form, Range range) {
    const std::string* text = word();
    const auto number = text == nullptr ? std::nullopt : integer(*text, range);
    if (!number) {
      problem(next_, fmt::format("{} is no '{}' from {} to {}; write {}", quoted(text), words_[next_ - 1].text,
                                 range.min, range.max, form.usage));
    }
    if (text != nullptr && (number || !is_option(form, *text))) ++next_;
    return number.value_or(range.min);
  }

  void complete_window(const Form& form, Layer& layer) {
    ConvolutionWindow& window = layer.window;
    if (layer.same) {
      if (window.kernel.height % 2 == 0 || window.kernel.width % 2 == 0) {
        problem(next_, fmt::format("'pad same' needs a kernel of odd sides, not {}x{}", window.kernel.height,
                                   window.kernel.width));
      }
      window.padding = {(window.kernel.height - 1) / 2, (window.kernel.width - 1) / 2};
    }
    const bool pool = form.kind == OperatorKind::max_pool || form.kind == OperatorKind::average_pool;
    if (!pool || given_.contains("stride")) return;
    if (window.kernel.height != window.kernel.width) {
      problem(next_, fmt::format("a window that is no square needs its stride; write {}", form.usage));
    }
    window.stride = window.kernel.height;
  }

  static bool is_option(const Form& form, const std::string& text) {
    return std::find(form.options.begin(), form.options.end(), text) != form.options.end();
  }

  static std::string quoted(const std::string* text) {
    return text == nullptr ? "its end" : fmt::format("'{}'", *text);
  }

  const PlacedText& text_;
  std::vector<PlacedWord> words_;
  ParameterReader& reader_;
  std::size_t next_ = 0;
  std::set<std::string> given_;
};

}  // namespace

std::vector<Layer> read_layers(const std::vector<PlacedText>& texts, ParameterReader& reader) {
  std::vector<Layer> layers;
  std::map<std::string, int> counts;
  // The input of the network has this name.
  std::set<std::string> names{"image"};
  for (const PlacedText& text : texts) {
    std::optional<Layer> layer = LayerReader(text, reader).read();
    if (!layer) continue;
    const int number = ++counts[layer->word];
    if (layer->name.empty()) layer->name = fmt::format("{}{}", layer->word, number);
    if (!names.insert(layer->name).second) {
      reader.problem(text.at(0), fmt::format("layer \"{}\": the name '{}' is taken", text.text, layer->name));
    }
    layers.push_back(std::move(*layer));
  }
  return layers;
}

}  // namespace pimsweep::workload::families
