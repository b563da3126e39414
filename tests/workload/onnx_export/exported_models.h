#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "workload/model_library.h"

namespace pimsweep::workload {

/// All built-in models, but of decoders only one of each kind: they differ in sizes alone, and have thousands of
/// operators.
inline std::vector<std::string> exported_models(const ModelLibrary& library) {
  constexpr std::array<std::string_view, 4> kinds{"gpt2", "llama-3.1-8b", "mixtral-8x7b", "deepseek-v3"};
  std::vector<std::string> models;
  for (const std::string& model : library.names()) {
    const bool is_decoder = library.family(model) == "decoder";
    if (!is_decoder || std::ranges::find(kinds, model) != kinds.end()) models.push_back(model);
  }
  return models;
}

}  // namespace pimsweep::workload
