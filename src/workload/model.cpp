#include "workload/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/layers/network.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload {

namespace {

/// Input of a family: images, whose size is their side in pixels; sequences, whose size is the number of tokens; or
/// either, depending on a key of the model.
enum class Input : std::uint8_t { image, tokens, either };

/// Structure of its models beyond operators: stages (TransformerArchitecture) or steps that generate tokens
/// (DecoderArchitecture).
enum class Structure : std::uint8_t { operators, stages, steps };

struct Family {
  std::string_view name;
  std::unique_ptr<families::Architecture> (*read)(ParameterReader& reader);
  Input input = Input::image;
  Structure structure = Structure::operators;
};

/// All families; add a line for a new one.
constexpr std::array families{Family{"vit", families::read_vit, Input::image, Structure::stages},
                              Family{"pvt", families::read_pvt, Input::image, Structure::stages},
                              Family{"swin", families::read_swin, Input::image, Structure::stages},
                              Family{"focal", families::read_focal, Input::image, Structure::stages},
                              Family{"twins-svt", families::read_twins_svt, Input::image, Structure::stages},
                              Family{"cswin", families::read_cswin, Input::image, Structure::stages},
                              Family{"layers", families::read_layer_network, Input::either},
                              Family{"conditional-dcgan", families::read_conditional_dcgan},
                              Family{"bert", families::read_bert, Input::tokens, Structure::stages},
                              Family{"decoder", families::read_decoder, Input::tokens, Structure::steps},
                              Family{"lstm", families::read_lstm, Input::tokens}};

const Family* find_family(std::string_view name) {
  const auto* found = std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.name == name; });
  return found == families.end() ? nullptr : found;
}

std::vector<std::string> family_names() {
  std::vector<std::string> names(families.size());
  std::transform(families.begin(), families.end(), names.begin(), [](const Family& f) { return f.name; });
  return names;
}

}  // namespace

Model read_model(const ModelEntry& entry, ProblemList& problems) {
  Model model;
  const Family* family = find_family(entry.family);
  if (family == nullptr) {
    const std::vector<std::string> known = family_names();
    problems.add(entry.family_where, fmt::format("unknown family '{}'{}; families: {}", entry.family,
                                                 suggestion(entry.family, known), fmt::join(known, ", ")));
    return model;
  }
  ParameterReader reader(entry.parameters, entry.name, entry.where, problems);
  model.family = entry.family;
  const bool is_vector = family->input == Input::either && reader.has(layers::features_key);
  model.tokens =
      !is_vector && (family->input == Input::tokens || (family->input == Input::either && reader.has("tokens")));
  const std::string size_key = model.tokens ? "tokens" : "image_px";
  model.default_size = is_vector ? 1 : reader.integer(size_key, {1, families::max_image_px});
  model.architecture = family->read(reader);
  if (reader.sound()) {
    const std::int64_t smallest = model.architecture->min_input_size();
    const std::int64_t largest = model.architecture->max_input_size();
    if (model.default_size < smallest || model.default_size > largest) {
      reader.problem(size_key, fmt::format("'{}' of '{}' must be at least {} and at most {}", size_key, entry.name,
                                           smallest, largest));
    }
  }
  reader.finish();
  model.content = hash128(fmt::format("family = {}\n{}", entry.family, reader.canonical()));
  return model;
}

bool is_family_of_vision_transformers(std::string_view family) {
  const Family* found = find_family(family);
  return found != nullptr && found->input == Input::image && found->structure == Structure::stages;
}

bool is_family_of_decoders(std::string_view family) {
  const Family* found = find_family(family);
  return found != nullptr && found->structure == Structure::steps;
}

}  // namespace pimsweep::workload
