#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "workload/families/architecture.h"
#include "workload/model_file.h"

namespace pimsweep::workload {

/// A network in which only the input size is variable.
struct Model {
  /// Its family ("swin"), or the format of its file ("onnx").
  std::string family;
  /// The input is a sequence of tokens, and the input size is their number; otherwise it is the side of an image in
  /// pixels.
  bool tokens = false;
  /// 0 if the file leaves the size open.
  std::int64_t default_size = 0;
  /// Hash of all that determines its operator graphs, without comments and names.
  Hash128 content;
  /// Assumptions and omissions of the reader, for users: "batch 8 counted as 1".
  std::vector<std::string> notes = {};
  std::shared_ptr<const families::Architecture> architecture;
};

/// Reads a [[model]] of a model file. Adds all problems to `problems`; the model is valid only if there are none, and
/// has no architecture if its family is unknown.
Model read_model(const ModelEntry& entry, ProblemList& problems);

/// True if the models of a family are image models that consist of stages and branches.
bool is_family_of_vision_transformers(std::string_view family);
/// True if the models of a family generate tokens.
bool is_family_of_decoders(std::string_view family);

}  // namespace pimsweep::workload
