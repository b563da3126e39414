#include "sweep/include.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/posix_file.h"

namespace pimsweep::sweep {

namespace {

void append_new(const std::vector<PlacedText>& from, std::vector<PlacedText>& to) {
  for (const PlacedText& folder : from) {
    if (std::ranges::find(to, folder.text, &PlacedText::text) == to.end()) to.push_back(folder);
  }
}

/// The studies that a block names, by default all.
std::vector<StudyBlock> wanted_studies(std::vector<StudyBlock> studies, const IncludeBlock& include,
                                       ProblemList& problems) {
  if (include.studies.empty()) return studies;
  std::vector<std::string> ids;
  for (const StudyBlock& study : studies) ids.push_back(study.id.text);
  std::vector<StudyBlock> wanted;
  for (const PlacedText& id : include.studies) {
    const auto found = std::ranges::find(ids, id.text);
    if (found != ids.end()) {
      wanted.push_back(studies[static_cast<std::size_t>(found - ids.begin())]);
    } else {
      problems.add(id.where, fmt::format("unknown study of '{}'{}; studies: {}", include.experiment.text,
                                         suggestion(id.text, ids), fmt::join(ids, ", ")));
    }
  }
  return wanted;
}

void take_uncertainty(const UncertaintyBlock& from, StudyBlock& study) {
  if (study.sample || study.search) return;
  UncertaintyBlock taken = from;
  if (study.uncertainty) {
    taken.choices.insert(taken.choices.end(), study.uncertainty->choices.begin(), study.uncertainty->choices.end());
    if (taken.constants.empty()) taken.constants = study.uncertainty->constants;
  }
  study.uncertainty = std::move(taken);
}

}  // namespace

void add_included(ExperimentFile& experiment, const std::string& directory, std::string& text, ProblemList& problems) {
  for (const IncludeBlock& include : experiment.includes) {
    if (!include.experiment.is_given()) continue;
    const std::string path = (std::filesystem::path(directory) / include.experiment.text).string();
    ExperimentFile other;
    std::string other_text;
    try {
      other_text = read_file(path);
      other = read_experiment(other_text, path, problems);
    } catch (const InputError& error) {
      problems.add_at(include.experiment.where, error);
      continue;
    }
    text += fmt::format("\n# {}, which is included above:\n{}", include.experiment.text, other_text);
    if (!other.includes.empty())
      problems.add(include.experiment.where,
                   fmt::format("'{}' includes other experiments: include them here directly", include.experiment.text));
    append_new(other.model_folders, experiment.model_folders);
    append_new(other.hardware_folders, experiment.hardware_folders);
    append_new(other.training_folders, experiment.training_folders);
    for (StudyBlock& study : wanted_studies(std::move(other.studies), include, problems)) {
      study.origin = study.id.text;
      study.id.text = fmt::format("{}-{}", other.name, study.id.text);
      if (include.uncertainty) take_uncertainty(*include.uncertainty, study);
      experiment.studies.push_back(std::move(study));
    }
  }
}

}  // namespace pimsweep::sweep
