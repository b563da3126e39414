#include "workload/model_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "workload/families/architecture.h"
#include "workload/import/network_files.h"
#include "workload/model_file.h"

namespace pimsweep::workload {

namespace {

/// What a family takes: images, whose size is their side in pixels; sequences, whose size is the number of tokens; or
/// either, by the key that a model has.
enum class Input : std::uint8_t { image, tokens, either };

struct Family {
  std::string_view name;
  std::unique_ptr<families::Architecture> (*read)(ParameterReader& reader);
  Input input = Input::image;
};

/// All families; a new one adds a line here.
constexpr std::array families{Family{"vit", families::read_vit},
                              Family{"pvt", families::read_pvt},
                              Family{"swin", families::read_swin},
                              Family{"focal", families::read_focal},
                              Family{"twins-svt", families::read_twins_svt},
                              Family{"cswin", families::read_cswin},
                              Family{"layers", families::read_layer_network, Input::either},
                              Family{"conditional-dcgan", families::read_conditional_dcgan},
                              Family{"bert", families::read_bert, Input::tokens},
                              Family{"lstm", families::read_lstm, Input::tokens}};

constexpr std::array renamed_families{
    RenamedKey{"model files", "sequential", "layers"},
    RenamedKey{"model files", "resnet", "written as layers, as in configs/models/resnet.toml,"},
    RenamedKey{"model files", "resnet-cifar", "written as layers, as in configs/models/resnet.toml,"},
    RenamedKey{"model files", "inception-v3", "written as layers, as in configs/models/inception.toml,"},
    RenamedKey{"model files", "inverted-residual", "written as layers, as in configs/models/mobilenet.toml,"},
    RenamedKey{"model files", "skip-gram", "written as layers, as in configs/models/word2vec.toml,"}};

/// A bound that keeps counts within 64-bit integers.
constexpr double max_macs = 4e18;

/// A network of a file. Its graphs are made anew from the nodes of the file for each size.
class ImportedNetwork final : public families::Architecture {
 public:
  explicit ImportedNetwork(std::shared_ptr<const import::NetworkFile> file)
      : file_(std::move(file)), extents_(import::input_extents(file_->model)) {}

  std::int64_t min_input_size() const override { return extents_.size.value_or(1); }
  std::int64_t max_input_size() const override { return extents_.size.value_or(families::max_image_px); }

  OperatorGraph graph(std::int64_t image_px) const override {
    import::ImportOptions options;
    (extents_.is_sequence ? options.tokens : options.image_px) = image_px;
    options.unknown = file_->unknown;
    return import::import_network(file_->model, options);
  }

  const import::InputExtents& extents() const { return extents_; }

 private:
  std::shared_ptr<const import::NetworkFile> file_;
  import::InputExtents extents_;
};

std::vector<std::string> model_paths(const std::string& directory) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator file(directory, error), end; !error && file != end; file.increment(error)) {
    if (file->path().extension() == ".toml") paths.push_back(file->path().string());
  }
  if (error) throw InputError(fmt::format("cannot read the model directory '{}': {}", directory, error.message()));
  if (paths.empty()) throw InputError(fmt::format("the model directory '{}' holds no .toml file", directory));
  std::sort(paths.begin(), paths.end());
  return paths;
}

const Family* find_family(std::string_view name) {
  const auto* found = std::find_if(families.begin(), families.end(), [&](const Family& f) { return f.name == name; });
  return found == families.end() ? nullptr : found;
}

std::vector<std::string> family_names() {
  std::vector<std::string> names(families.size());
  std::transform(families.begin(), families.end(), names.begin(), [](const Family& f) { return f.name; });
  return names;
}

const families::TransformerArchitecture* as_transformer(const families::Architecture& architecture) {
  return dynamic_cast<const families::TransformerArchitecture*>(&architecture);
}

/// Text for a message: the first weighted operator, which no encoder has.
std::string first_layer(const OperatorGraph& graph) {
  for (const OperatorId id : graph.topological_order()) {
    const Operator& node = graph.at(id);
    if (node.weights > 0) return fmt::format(": {} ({}) is no part of an encoder", node.name, name_of(node.kind));
  }
  return {};
}

[[noreturn]] void throw_too_large(std::string_view model, std::int64_t image_px) {
  throw PointError(fmt::format("{} at {} px has more multiply-accumulates than 64-bit counts hold", model, image_px));
}

}  // namespace

struct ModelLibrary::Data {
  struct Model {
    std::string family;
    bool tokens = false;
    std::int64_t default_image_px = 0;
    Hash128 content;
    std::unique_ptr<families::Architecture> architecture;
  };

  std::vector<std::string> names;
  std::map<std::string, Model, std::less<>> models;
  /// Networks of files, from their first use on.
  mutable std::map<std::string, Model, std::less<>> imported;

  static Model read(const ModelEntry& entry, const Family& family, ProblemList& problems);
  static Model imported_model(std::string_view name);
  void add(const ModelEntry& entry, ProblemList& problems);

  const Model& find(std::string_view name) const {
    if (import::is_network_file(name)) {
      const auto known = imported.find(name);
      return known != imported.end() ? known->second : imported.emplace(name, imported_model(name)).first->second;
    }
    const auto found = models.find(name);
    if (found == models.end()) {
      throw InputError(
          fmt::format("there is no model '{}'{}; `pimsweep list models` names all", name, suggestion(name, names)));
    }
    return found->second;
  }

  /// The model; throws PointError if the input size does not suit it.
  const families::Architecture& at_size(std::string_view name, std::int64_t image_px) const {
    const Model& model = find(name);
    if (image_px == 0 && model.default_image_px == 0) {
      throw PointError(
          fmt::format("{} leaves the size of its input open: set axis '{}', or export the network with a "
                      "fixed size for a system without this axis",
                      name, model.tokens ? "tokens" : "image_px"));
    }
    const std::int64_t smallest = model.architecture->min_input_size();
    const std::int64_t largest = model.architecture->max_input_size();
    if (image_px < smallest || image_px > largest) {
      throw PointError(fmt::format("{} takes {} of {} to {} {}: the nearest size to {} is {}", name,
                                   model.tokens ? "sequences" : "images", smallest, largest,
                                   model.tokens ? "tokens" : "px", image_px, std::clamp(image_px, smallest, largest)));
    }
    return *model.architecture;
  }
};

ModelLibrary::Data::Model ModelLibrary::Data::read(const ModelEntry& entry, const Family& family,
                                                   ProblemList& problems) {
  ParameterReader reader(entry.parameters, entry.name, entry.where, problems);
  Model model;
  model.family = entry.family;
  model.tokens = family.input == Input::tokens || (family.input == Input::either && reader.has("tokens"));
  const std::string size_key = model.tokens ? "tokens" : "image_px";
  model.default_image_px = reader.integer(size_key, {1, families::max_image_px});
  model.architecture = family.read(reader);
  if (reader.sound()) {
    const std::int64_t smallest = model.architecture->min_input_size();
    const std::int64_t largest = model.architecture->max_input_size();
    if (model.default_image_px < smallest || model.default_image_px > largest) {
      reader.problem(size_key, fmt::format("'{}' of '{}' must be at least {} and at most {}", size_key, entry.name,
                                           smallest, largest));
    }
  }
  reader.finish();
  model.content = hash128(fmt::format("family = {}\n{}", entry.family, reader.canonical()));
  return model;
}

ModelLibrary::Data::Model ModelLibrary::Data::imported_model(std::string_view name) {
  const std::shared_ptr<const import::NetworkFile> file = import::find_network(name);
  auto network = std::make_unique<ImportedNetwork>(file);
  Model model;
  model.family = "onnx";
  model.tokens = network->extents().is_sequence;
  model.default_image_px = network->extents().size.value_or(0);
  model.content = file->content;
  model.architecture = std::move(network);
  return model;
}

void ModelLibrary::Data::add(const ModelEntry& entry, ProblemList& problems) {
  const Family* family = find_family(entry.family);
  if (family == nullptr) {
    const std::vector<std::string> known = family_names();
    problems.add(
        entry.family_where,
        fmt::format("there is no family '{}'{}; families: {}", entry.family,
                    unknown_name_hint(renamed_families, "model files", entry.family, known), fmt::join(known, ", ")));
    return;
  }
  Model model = read(entry, *family, problems);
  if (models.emplace(entry.name, std::move(model)).second) {
    names.push_back(entry.name);
  } else {
    problems.add(entry.where, fmt::format("a second model is called '{}'", entry.name));
  }
}

ModelLibrary::ModelLibrary(const std::string& model_dir) : data_(std::make_unique<Data>()) {
  ProblemList problems;
  for (const std::string& path : model_paths(model_dir)) {
    for (const ModelEntry& entry : read_model_file(path, problems)) data_->add(entry, problems);
  }
  problems.throw_if_any();
}

ModelLibrary::ModelLibrary(const std::string& text, const std::string& path) : data_(std::make_unique<Data>()) {
  ProblemList problems;
  for (const ModelEntry& entry : parse_model_file(text, path, problems)) data_->add(entry, problems);
  problems.throw_if_any();
}

ModelLibrary::~ModelLibrary() = default;

const std::vector<std::string>& ModelLibrary::names() const { return data_->names; }

const std::string& ModelLibrary::family(std::string_view model) const { return data_->find(model).family; }

std::int64_t ModelLibrary::default_image_px(std::string_view model) const {
  return data_->find(model).default_image_px;
}

std::int64_t ModelLibrary::input_size(std::string_view model, InputSize size) const {
  const Data::Model& found = data_->find(model);
  const std::int64_t given = found.tokens ? size.tokens : size.image_px;
  const std::int64_t of_other_kind = found.tokens ? size.image_px : size.tokens;
  if (of_other_kind != 0) {
    const std::string own = found.default_image_px == 0
                                ? std::string()
                                : fmt::format(", or both to 0 for its own size of {} {}", found.default_image_px,
                                              found.tokens ? "tokens" : "px");
    throw PointError(fmt::format("{} takes {}: set axis '{}' instead of '{}'{}", model,
                                 found.tokens ? "a sequence of tokens" : "images", found.tokens ? "tokens" : "image_px",
                                 found.tokens ? "image_px" : "tokens", own));
  }
  return given == 0 ? found.default_image_px : given;
}

Hash128 ModelLibrary::content(std::string_view model) const { return data_->find(model).content; }

OperatorGraph ModelLibrary::graph(std::string_view model, std::int64_t image_px) const {
  try {
    return data_->at_size(model, image_px).graph(image_px);
  } catch (const OverflowError&) {
    throw_too_large(model, image_px);
  }
}

std::vector<std::string> ModelLibrary::vision_transformers() const {
  std::vector<std::string> transformers;
  std::copy_if(data_->names.begin(), data_->names.end(), std::back_inserter(transformers),
               [&](const std::string& name) {
                 const Data::Model& model = data_->find(name);
                 return !model.tokens && as_transformer(*model.architecture) != nullptr;
               });
  return transformers;
}

VisionTransformer ModelLibrary::vision_transformer(std::string_view model, std::int64_t image_px) const {
  const families::TransformerArchitecture* architecture = as_transformer(*data_->find(model).architecture);
  if (architecture == nullptr) {
    throw PointError(fmt::format(
        "{} (family {}) has no stages and branches, which this policy works on{}; only visual Transformers and BERT "
        "have: {}",
        model, data_->find(model).family, first_layer(graph(model, image_px)), fmt::join(vision_transformers(), ", ")));
  }
  data_->at_size(model, image_px);
  VisionTransformer result;
  result.stages = architecture->stages(image_px);
  if (encoder_macs(result.stages) > max_macs) throw_too_large(model, image_px);
  result.name = model;
  result.family = data_->find(model).family;
  result.image_px = image_px;
  return result;
}

}  // namespace pimsweep::workload
