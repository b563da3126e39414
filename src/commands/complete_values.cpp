#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>

#include "base/words.h"
#include "commands/commands.h"
#include "commands/complete.h"
#include "results/point_cells.h"
#include "results/stored_table.h"
#include "sweep/find_configs.h"
#include "sweep/hardware_file.h"
#include "systems/system.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::commands {

namespace {

/// Request for completion: the words of the line and the locations of files.
struct WordsOfLine {
  const std::vector<std::string>& words;
  const ConfigFolders& configs;
};

/// The first word that is a file, the program aside.
std::string file_of(const WordsOfLine& line) {
  const auto found = std::find_if(line.words.begin() + 1, line.words.end(),
                                  [](const std::string& word) { return std::filesystem::is_regular_file(word); });
  return found == line.words.end() ? "" : *found;
}

std::vector<std::string> find_studies(const WordsOfLine& line) {
  const std::string file = file_of(line);
  if (file.empty()) return {};
  if (!file.ends_with(".toml")) return results::chosen_studies(file, {});
  sweep::PlanOptions options;
  options.configs = line.configs;
  std::vector<std::string> ids;
  for (const sweep::Study& study : sweep::load_plan(file, options).studies) ids.push_back(study.id());
  return ids;
}

std::vector<std::string> find_columns(const WordsOfLine& line) {
  std::vector<std::string> names;
  const std::string file = file_of(line);
  if (file.empty()) return names;
  for (const std::string& study : results::chosen_studies(file, {})) {
    const results::StoredTable table(file, study);
    names.insert(names.end(), table.names().begin(), table.names().end());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<std::string> find_models(const WordsOfLine& line) {
  return workload::ModelLibrary(line.configs.models).names();
}

std::vector<std::string> find_systems(const WordsOfLine&) {
  std::vector<std::string> names;
  for (const systems::SystemEntry& entry : systems::systems()) names.push_back(entry.name);
  return names;
}

/// Names that `pimsweep list WHAT NAME` accepts.
std::vector<std::string> find_names(const WordsOfLine& line) {
  const auto is = [&](const char* word) {
    return std::find(line.words.begin(), line.words.end(), word) != line.words.end();
  };
  if (is("models")) return find_models(line);
  return is("hardware") ? sweep::hardware_names(line.configs) : find_systems(line);
}

std::vector<std::string> find_steps(const WordsOfLine& line) {
  const workload::ModelLibrary library(line.configs.models);
  std::vector<std::string> all = workload::training::TrainingLibrary(line.configs.training, library).names();
  all.insert(all.end(), library.names().begin(), library.names().end());
  return all;
}

constexpr std::array name_kinds{Word{"studies", +[](const WordsOfLine& l) { return find_studies(l); }},
                                Word{"columns", +[](const WordsOfLine& l) { return find_columns(l); }},
                                Word{"models", +[](const WordsOfLine& l) { return find_models(l); }},
                                Word{"names", +[](const WordsOfLine& l) { return find_names(l); }},
                                Word{"steps", +[](const WordsOfLine& l) { return find_steps(l); }},
                                Word{"systems", +[](const WordsOfLine& l) { return find_systems(l); }},
                                Word{"subjects", +[](const WordsOfLine&) { return list_subjects(); }}};

}  // namespace

std::vector<std::string> values_of(std::string_view kind, const std::vector<std::string>& words) {
  const auto find = value_of(name_kinds, kind);
  if (!find) return {};
  try {
    const ConfigFolders configs = sweep::all_folders(sweep::find_configs());
    return (*find)({words, configs});
  } catch (const std::exception&) {
    // A shell waits for words, not for messages.
    return {};
  }
}

}  // namespace pimsweep::commands
