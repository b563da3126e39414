#include "workload/model_library.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

#include "workload/families/architecture.h"
#include "workload/import/network_files.h"
#include "workload/model.h"
#include "workload/model_file.h"

namespace pimsweep::workload {

namespace {

/// A bound that keeps counts within 64-bit integers.
constexpr double max_macs = 4e18;

const families::TransformerArchitecture* as_transformer(const families::Architecture& architecture) {
  return dynamic_cast<const families::TransformerArchitecture*>(&architecture);
}

const families::DecoderArchitecture* as_decoder(const families::Architecture& architecture) {
  return dynamic_cast<const families::DecoderArchitecture*>(&architecture);
}

/// Text for a message: the first weighted operator, which no encoder has.
std::string first_layer(const OperatorGraph& graph) {
  for (const OperatorId id : graph.topological_order()) {
    const Operator& node = graph.at(id);
    if (node.weights > 0) return fmt::format(": {} ({}) is not part of an encoder", node.name, name_of(node.kind));
  }
  return {};
}

[[noreturn]] void throw_too_large(std::string_view model, std::int64_t image_px) {
  throw PointError(fmt::format("{} at {} px has more multiply-accumulates than 64-bit counts hold", model, image_px));
}

}  // namespace

/// The definitions of all files. Several threads may request models, which are parsed at their first use.
struct ModelDefinitions {
  DefinitionIndex index{"model", [this](const ModelEntry& entry, ProblemList& problems) {
                          Model model = read_model(entry, problems);
                          const std::scoped_lock lock(mutex);
                          models.emplace(entry.name, std::move(model));
                        }};
  mutable std::mutex mutex;
  /// Parsed models, valid and invalid.
  std::map<std::string, Model, std::less<>> models;

  ModelDefinitions() = default;
  ModelDefinitions(const ModelDefinitions&) = delete;
  ModelDefinitions& operator=(const ModelDefinitions&) = delete;

  /// The model if it has been parsed; nullptr if it does not exist.
  const Model* find_read(std::string_view name) const {
    const std::scoped_lock lock(mutex);
    const auto found = models.find(name);
    return found == models.end() ? nullptr : &found->second;
  }

  const Model& find(std::string_view name) const {
    if (import::is_network_file(name)) return import::find_network(name)->model;
    index.require_sound(name);
    const Model* found = find_read(name);
    if (found == nullptr) {
      throw InputError(fmt::format("unknown model '{}'{}; `pimsweep list models` names all; {}", name,
                                   suggestion(name, index.names()), index.searched()));
    }
    return *found;
  }

  /// The model; throws PointError if the input size does not suit it.
  const families::Architecture& at_size(std::string_view name, std::int64_t image_px) const {
    const Model& model = find(name);
    if (image_px == 0 && model.default_size == 0) {
      throw PointError(fmt::format("{} leaves the size of its input open: set axis '{}'", name,
                                   model.tokens ? "tokens" : "image_px"));
    }
    const std::int64_t smallest = model.architecture->min_input_size();
    const std::int64_t largest = model.architecture->max_input_size();
    if (image_px < smallest || image_px > largest) {
      const std::string_view things = model.tokens ? "sequences" : "images";
      const std::string_view unit = model.tokens ? "tokens" : "px";
      if (smallest == largest) throw PointError(fmt::format("{} takes {} of {} {} only", name, things, smallest, unit));
      throw PointError(fmt::format("{} takes {} of {} to {} {}: the nearest size to {} is {}", name, things, smallest,
                                   largest, unit, image_px, std::clamp(image_px, smallest, largest)));
    }
    return *model.architecture;
  }
};

namespace {

/// Number, size and time of a file, which change when it does; its text would have to be read.
std::string state_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {} {}", status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// All inputs of the definitions: the folders, and the files in them with their states.
std::string state_of(const std::vector<ConfigFolder>& folders) {
  std::string state;
  const auto add = [&](std::string_view part) { state.append(std::to_string(part.size())).append(" ").append(part); };
  for (const ConfigFolder& folder : folders) {
    add(folder.path);
    add(folder.is_installed ? "installed" : "own");
    for (const auto& [name, text] : folder.kept) {
      add(name);
      add(text);
    }
    if (!folder.kept.empty()) continue;
    try {
      for (const std::string& path : toml_files(folder.path, "model")) {
        add(path);
        add(state_of(path));
      }
    } catch (const InputError& error) {
      add(error.what());
    }
  }
  return state;
}

/// Each system has its own library, and so have the readers of experiments; libraries of the same files share their
/// contents.
std::shared_ptr<const ModelDefinitions> definitions_of(const std::vector<ConfigFolder>& folders) {
  static std::mutex mutex;
  static std::string last_state;
  static std::shared_ptr<const ModelDefinitions> last;
  std::string state = state_of(folders);
  const std::scoped_lock lock(mutex);
  if (last && state == last_state) return last;
  auto definitions = std::make_shared<ModelDefinitions>();
  definitions->index.read(folders, DefinitionIndex::Installed::when_used);
  last = definitions;
  last_state = std::move(state);
  return definitions;
}

/// ModelDefinitions that must be valid.
template <typename Read>
std::shared_ptr<const ModelDefinitions> sound_definitions(const Read& read) {
  auto definitions = std::make_shared<ModelDefinitions>();
  read(definitions->index);
  definitions->index.problems().throw_if_any();
  return definitions;
}

}  // namespace

struct ModelLibrary::Data {
  std::shared_ptr<const ModelDefinitions> definitions;
  std::vector<std::string> names;

  const ModelDefinitions* operator->() const { return definitions.get(); }
};

ModelLibrary::ModelLibrary(const std::vector<ConfigFolder>& folders, DefinitionIndex::Installed installed)
    : data_(std::make_unique<Data>(Data{definitions_of(folders), {}})) {
  data_->names = installed == DefinitionIndex::Installed::at_once ? index().sound_names() : index().names();
  if (names().empty()) throw InputError(fmt::format("no models found: {}", index().searched()));
}

ModelLibrary::ModelLibrary(const std::string& directory)
    : data_(std::make_unique<Data>(Data{sound_definitions([&](DefinitionIndex& index) {
                                          index.read(std::vector{ConfigFolder{directory}},
                                                     DefinitionIndex::Installed::at_once);
                                        }),
                                        {}})) {
  data_->names = index().names();
  if (names().empty()) throw InputError(fmt::format("the model directory '{}' holds no .toml file", directory));
}

ModelLibrary::ModelLibrary(const std::string& text, const std::string& path)
    : data_(std::make_unique<Data>(
          Data{sound_definitions([&](DefinitionIndex& index) { index.read_text(text, path); }), {}})) {
  data_->names = index().names();
}

ModelLibrary::~ModelLibrary() = default;

const std::vector<std::string>& ModelLibrary::names() const { return data_->names; }

const DefinitionIndex& ModelLibrary::index() const { return (*data_)->index; }

const std::string& ModelLibrary::family(std::string_view model) const { return (*data_)->find(model).family; }

std::int64_t ModelLibrary::default_image_px(std::string_view model) const { return (*data_)->find(model).default_size; }

InputSize ModelLibrary::own_size(std::string_view model) const {
  const Model& found = (*data_)->find(model);
  return found.tokens ? InputSize{.tokens = found.default_size} : InputSize{.image_px = found.default_size};
}

std::int64_t ModelLibrary::input_size(std::string_view model, InputSize size) const {
  const Model& found = (*data_)->find(model);
  const std::int64_t given = found.tokens ? size.tokens : size.image_px;
  const std::int64_t of_other_kind = found.tokens ? size.image_px : size.tokens;
  constexpr std::int64_t vector_size = 1;
  if (of_other_kind != 0 && found.architecture->max_input_size() == vector_size) {
    throw PointError(fmt::format("{} takes inputs of a fixed size: set axes 'image_px' and 'tokens' to 0", model));
  }
  if (of_other_kind != 0) {
    const std::string own = found.default_size == 0 ? std::string()
                                                    : fmt::format(", or both to 0 for its own size of {} {}",
                                                                  found.default_size, found.tokens ? "tokens" : "px");
    throw PointError(fmt::format("{} takes {}: set axis '{}' instead of '{}'{}", model,
                                 found.tokens ? "a sequence of tokens" : "images", found.tokens ? "tokens" : "image_px",
                                 found.tokens ? "image_px" : "tokens", own));
  }
  return given == 0 ? found.default_size : given;
}

Hash128 ModelLibrary::content(std::string_view model) const { return (*data_)->find(model).content; }

OperatorGraph ModelLibrary::graph(std::string_view model, std::int64_t image_px) const {
  try {
    return (*data_)->at_size(model, image_px).graph(image_px);
  } catch (const OverflowError&) {
    throw_too_large(model, image_px);
  }
}

std::vector<std::string> ModelLibrary::vision_transformers() const {
  std::vector<std::string> transformers;
  std::copy_if(names().begin(), names().end(), std::back_inserter(transformers),
               [&](const std::string& name) { return is_family_of_vision_transformers(index().family_of(name)); });
  return transformers;
}

VisionTransformer ModelLibrary::vision_transformer(std::string_view model, std::int64_t image_px) const {
  const families::TransformerArchitecture* architecture = as_transformer(*(*data_)->find(model).architecture);
  if (architecture == nullptr) {
    throw PointError(fmt::format(
        "{} (family {}) has no stages and branches, which this policy requires{}; only vision Transformers and BERT "
        "have: {}",
        model, (*data_)->find(model).family, first_layer(graph(model, image_px)),
        fmt::join(vision_transformers(), ", ")));
  }
  (*data_)->at_size(model, image_px);
  VisionTransformer result;
  result.stages = architecture->stages(image_px);
  if (encoder_macs(result.stages) > max_macs) throw_too_large(model, image_px);
  result.name = model;
  result.family = (*data_)->find(model).family;
  result.image_px = image_px;
  return result;
}

std::vector<std::string> ModelLibrary::decoders() const {
  std::vector<std::string> decoders;
  std::copy_if(names().begin(), names().end(), std::back_inserter(decoders),
               [&](const std::string& name) { return is_family_of_decoders(index().family_of(name)); });
  return decoders;
}

const decoder::Decoder& ModelLibrary::decoder(std::string_view model) const {
  const Model& found = (*data_)->find(model);
  const families::DecoderArchitecture* architecture = as_decoder(*found.architecture);
  if (architecture == nullptr) {
    throw PointError(fmt::format("{} (family {}) does not generate tokens, as models of the family decoder do: {}",
                                 model, found.family, fmt::join(decoders(), ", ")));
  }
  return architecture->decoder();
}

}  // namespace pimsweep::workload
