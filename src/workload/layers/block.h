#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workload/layers/words.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::layers {

/// A parameter of a block: "channels", or "stride = 1" with a default value.
struct BlockParameter {
  std::string name;
  std::optional<std::string> value;
};

/// Layers with a common name, [block.NAME] of a model file, which can be used like a layer.
struct Block {
  std::string name;
  /// Names of the inputs within the block; "x" if the file names none.
  std::vector<std::string> inputs;
  std::vector<BlockParameter> parameters;
  std::vector<Sentence> layers;
};

using Blocks = std::map<std::string, Block, std::less<>>;

/// The layers of a model as written, with the blocks that they use.
struct NetworkText {
  std::vector<Sentence> layers;
  Blocks blocks;
};

/// Prefix of the model parameters that hold blocks; the name of the block follows.
constexpr std::string_view block_prefix = "block.";

/// Reads the blocks that `layers` use, directly or indirectly.
Blocks read_blocks(const std::vector<Sentence>& layers, ParameterReader& reader);
/// Splits the layers of a parameter, each a text.
std::vector<Sentence> read_sentences(const std::string& key, ParameterReader& reader);

}  // namespace pimsweep::workload::layers
