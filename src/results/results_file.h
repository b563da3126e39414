#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "results/study_view.h"

namespace pimsweep::results {

/// Attributes of the results file's root that depend on the experiment and the program alone.
struct ResultsInfo {
  std::string experiment;
  std::string experiment_text;
  /// Name and text of each hardware file.
  std::map<std::string, std::string> hardware;
};

/// Attributes of /provenance: whatever depends on when, where and on how many ranks the run was made.
using Provenance = std::map<std::string, std::string>;

/// Writes `path` in one go: a temporary file beside it, closed, synced, renamed. A reader never meets a half file.
/// Layout: docs/results-format.md. Throws std::runtime_error if HDF5 or the file system refuses.
/// Returns the digest of the data part as hexadecimal digits.
std::string write_results(const std::string& path, const ResultsInfo& info,
                          const std::vector<std::unique_ptr<StudyView>>& studies, const Provenance& provenance);

}  // namespace pimsweep::results
