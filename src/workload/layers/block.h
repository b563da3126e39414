#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workload/layers/words.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::layers {

/// A parameter of a block: "channels", or "stride = 1" with the value that holds where none is given.
struct BlockParameter {
  std::string name;
  std::optional<std::string> value;
};

/// Layers under one name, [block.NAME] of a model file, which other layers use like a layer.
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

/// The parameters of a model that hold the block of a name begin with this and the name.
constexpr std::string_view block_prefix = "block.";

/// Reads the blocks that `layers` use, directly or by way of others.
Blocks read_blocks(const std::vector<Sentence>& layers, ParameterReader& reader);
/// Splits the layers of a parameter, each a text.
std::vector<Sentence> read_sentences(const std::string& key, ParameterReader& reader);

}  // namespace pimsweep::workload::layers
