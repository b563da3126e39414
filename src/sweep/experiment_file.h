#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "sweep/study_blocks.h"

namespace pimsweep::sweep {

/// Structure of an experiment file before it is checked against any system.
struct ExperimentFile {
  std::string name;
  std::string doc;
  /// Folders that are searched first, relative to the file.
  std::vector<PlacedText> model_folders;
  std::vector<PlacedText> hardware_folders;
  std::vector<PlacedText> training_folders;
  std::vector<IncludeBlock> includes;
  std::vector<StudyBlock> studies;
};

/// Reports each study whose id an earlier study already has.
void check_study_ids(const std::vector<StudyBlock>& studies, ProblemList& problems);

/// Reads the structure of an experiment file's text and expands named lists. Adds errors to `problems` and
/// continues with the rest.
ExperimentFile read_experiment(const std::string& text, const std::string& file, ProblemList& problems);

/// Keys of `[[study]]` that are not axes.
const std::vector<std::string>& study_keys();

}  // namespace pimsweep::sweep
