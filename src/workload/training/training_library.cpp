#include "workload/training/training_library.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "base/error.h"
#include "workload/import/network_files.h"
#include "workload/model_file.h"

namespace pimsweep::workload::training {

namespace {

constexpr std::string_view family = "training-step";
constexpr std::string_view inference_suffix = ":inference";
constexpr std::int64_t max_batch = 65536;

constexpr std::array trains_adversary_words{Word{"model", false}, Word{"adversary", true}};
constexpr std::array loss_words{Word{"softmax", Loss::softmax}, Word{"nce", Loss::nce}};
constexpr std::array optimizer_words{Word{"gradient_descent", Optimizer::gradient_descent},
                                     Word{"momentum", Optimizer::momentum}, Word{"adam", Optimizer::adam},
                                     Word{"rmsprop", Optimizer::rmsprop}};
constexpr std::array layout_words{Word{"tensorflow", Layout::tensorflow}, Word{"mkl", Layout::mkl}};
constexpr std::array fused_batch_norm_words{Word{"fused", true}, Word{"elementary", false}};
constexpr std::array plain_linear_bias_words{Word{"BiasAdd", false}, Word{"Add", true}};

TrainingStep read_step(ParameterReader& reader, const std::vector<std::string>& models) {
  TrainingStep step;
  step.model = reader.choice("model", models);
  std::vector<std::string> adversaries = models;
  adversaries.insert(adversaries.begin(), "none");
  step.adversary = reader.choice("adversary", adversaries);
  if (step.adversary == "none") step.adversary.clear();
  step.trains_adversary = reader.choice("trains", trains_adversary_words);
  if (reader.sound() && step.trains_adversary && step.adversary.empty()) {
    reader.problem("trains", "'trains' is \"adversary\", but 'adversary' is \"none\"");
  }
  step.batch = reader.integer("batch", {1, max_batch});
  step.loss = reader.choice("loss", loss_words);
  step.sampled_classes = reader.integer("sampled_classes", {1, 1000000});
  step.optimizer = reader.choice("optimizer", optimizer_words);
  step.layout = reader.choice("layout", layout_words);
  step.fused_batch_norm = reader.choice("batch_norm", fused_batch_norm_words);
  step.plain_linear_bias = reader.choice("linear_bias", plain_linear_bias_words);
  step.output_relu = reader.boolean("output_relu");
  step.gate_gradients = reader.boolean("gate_gradients");
  step.weight_decay = reader.boolean("weight_decay");
  step.clip_gradients = reader.boolean("clip_gradients");
  for (const PlacedText& place : reader.texts("dropout", {0, 1000}, "names or roles of operators, each a text")) {
    step.dropout.push_back(place.text);
  }
  return step;
}

/// A step is unusable if the file of its model has errors; its problems are then those of that file.
void add_problems_of_model(const ModelEntry& entry, const char* key, const DefinitionIndex& models,
                           ProblemList& problems) {
  const auto parameter = entry.parameters.find(key);
  if (parameter == entry.parameters.end() || parameter->second.values.size() != 1) return;
  const auto* name = std::get_if<std::string>(&parameter->second.values.front());
  if (name == nullptr) return;
  const std::vector<Problem> found = models.problems_of(*name);
  if (found.empty()) return;
  problems.add(parameter->second.where, fmt::format("model '{}' cannot be used because of errors in its file", *name));
  for (const Problem& problem : found) problems.add(problem.where, problem.message);
}

}  // namespace

void TrainingLibrary::add(const ModelEntry& entry, const DefinitionIndex& models, ProblemList& problems) {
  if (entry.family != family) {
    problems.add(entry.family_where,
                 fmt::format("family '{}': files of training steps have family = \"{}\"", entry.family, family));
    return;
  }
  for (const char* key : {"model", "adversary"}) add_problems_of_model(entry, key, models, problems);
  if (!problems.empty()) return;
  ParameterReader reader(entry.parameters, entry.name, entry.where, problems);
  TrainingStep step = read_step(reader, models_);
  reader.finish();
  if (std::find(models_.begin(), models_.end(), entry.name) != models_.end()) {
    problems.add(entry.where, fmt::format("'{}' is the name of a model; a training step needs its own", entry.name));
  } else {
    steps_.emplace(entry.name, std::move(step));
  }
}

TrainingLibrary::TrainingLibrary(const ModelLibrary& models)
    : index_("training step",
             [this, &models](const ModelEntry& entry, ProblemList& problems) { add(entry, models.index(), problems); }),
      models_(models.names()) {}

TrainingLibrary::TrainingLibrary(const std::vector<ConfigFolder>& folders, const ModelLibrary& models)
    : TrainingLibrary(models) {
  index_.read(folders, DefinitionIndex::Installed::at_once);
}

TrainingLibrary::TrainingLibrary(const std::string& directory, const ModelLibrary& models) : TrainingLibrary(models) {
  index_.read(std::vector{ConfigFolder{directory}}, DefinitionIndex::Installed::at_once);
  index_.problems().throw_if_any();
}

TrainingLibrary::TrainingLibrary(const std::string& text, const std::string& path, const ModelLibrary& models)
    : TrainingLibrary(models) {
  index_.read_text(text, path);
  index_.problems().throw_if_any();
}

TrainingStep TrainingLibrary::find(std::string_view name) const {
  if (name.ends_with(inference_suffix)) {
    TrainingStep step = find(name.substr(0, name.size() - inference_suffix.size()));
    step.inference = true;
    return step;
  }
  index_.require_sound(name);
  const auto found = steps_.find(name);
  if (found != steps_.end()) return found->second;
  if (import::is_network_file(name) || std::find(models_.begin(), models_.end(), name) != models_.end()) {
    TrainingStep step;
    step.model = name;
    return step;
  }
  std::vector<std::string> known = names();
  known.insert(known.end(), models_.begin(), models_.end());
  throw InputError(
      fmt::format("unknown training step or model '{}'{}; training steps: {}; `pimsweep list models` "
                  "names the models; {}",
                  name, suggestion(name, known), fmt::join(names(), ", "), index_.searched()));
}

}  // namespace pimsweep::workload::training
