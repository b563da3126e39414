#include "workload/layers/block.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "workload/layers/layer_type.h"

namespace pimsweep::workload::layers {

namespace {

/// A bound on the work of expanding a block at each of its uses.
constexpr std::size_t max_characters = 2000;

/// Words of the language, which are not allowed as parameter names.
constexpr std::array reserved_words{"repeat", "first", "same_stage", "from", "if"};

std::string key_of(std::string_view block, std::string_view key) {
  return fmt::format("{}{}.{}", block_prefix, block, key);
}

std::vector<std::string> read_inputs(const std::string& block, ParameterReader& reader) {
  const std::string key = key_of(block, "inputs");
  if (!reader.has(key)) return {"x"};
  std::vector<std::string> names;
  for (const PlacedText& text : reader.texts(key, {1, 16}, "names")) {
    if (!is_name(text.text)) {
      reader.problem(
          text.where,
          fmt::format("'{}' is not a valid name: expected letters, digits, '_', '-' and '.', starting with a letter",
                      text.text));
    } else if (std::ranges::find(names, text.text) != names.end()) {
      reader.problem(text.where, fmt::format("two inputs of block '{}' are called '{}'", block, text.text));
    }
    names.push_back(text.text);
  }
  if (names.empty()) names.emplace_back("x");
  return names;
}

std::vector<BlockParameter> read_parameters(const std::string& block, ParameterReader& reader) {
  const std::string key = key_of(block, "parameters");
  if (!reader.has(key)) return {};
  std::vector<BlockParameter> parameters;
  for (const PlacedText& text : reader.texts(key, {0, 64}, "parameters, each as \"NAME\" or \"NAME = VALUE\"")) {
    const std::vector<Word> words = split(text).words;
    const bool has_value = words.size() == 3 && words[1].text == "=";
    if ((!has_value && words.size() != 1) || !is_name(words.front().text)) {
      reader.problem(text.at(0),
                     fmt::format("\"{}\" is not a parameter: write \"NAME\" or \"NAME = VALUE\"", text.text));
      continue;
    }
    const std::string& name = words.front().text;
    const bool twice = std::ranges::find(parameters, name, &BlockParameter::name) != parameters.end();
    if (twice) reader.problem(text.at(0), fmt::format("two parameters of block '{}' are called '{}'", block, name));
    if (std::ranges::find(reserved_words, name) != reserved_words.end()) {
      reader.problem(text.at(0), fmt::format("no parameter can be called '{}': that is a word of the language", name));
    }
    parameters.push_back({name, has_value ? std::optional(words[2].text) : std::nullopt});
  }
  return parameters;
}

Block read_block(const std::string& name, ParameterReader& reader) {
  Block block;
  block.name = name;
  block.inputs = read_inputs(name, reader);
  block.parameters = read_parameters(name, reader);
  block.layers = read_sentences(key_of(name, "layers"), reader);
  return block;
}

}  // namespace

std::vector<Sentence> read_sentences(const std::string& key, ParameterReader& reader) {
  std::vector<Sentence> sentences;
  for (const PlacedText& text : reader.texts(key, {1, 1000}, "layers, each a text")) {
    if (text.text.size() <= max_characters) {
      sentences.push_back(split(text));
    } else {
      reader.problem(text.at(0), fmt::format("a layer has at most {} characters, but this one {}", max_characters,
                                             text.text.size()));
    }
  }
  return sentences;
}

Blocks read_blocks(const std::vector<Sentence>& layers, ParameterReader& reader) {
  Blocks blocks;
  std::vector<const Sentence*> waiting;
  waiting.reserve(layers.size());
  for (const Sentence& layer : layers) waiting.push_back(&layer);
  while (!waiting.empty()) {
    const Sentence& layer = *waiting.back();
    waiting.pop_back();
    for (const Word& word : layer.words) {
      if (blocks.contains(word.text) || !reader.has(key_of(word.text, "layers"))) continue;
      const Block& block = blocks.emplace(word.text, read_block(word.text, reader)).first->second;
      for (const Sentence& inner : block.layers) waiting.push_back(&inner);
    }
  }
  return blocks;
}

}  // namespace pimsweep::workload::layers
