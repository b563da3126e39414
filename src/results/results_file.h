#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "results/study_view.h"

namespace pimsweep::results {

/// Root attributes of the results file that depend on the experiment and the program alone.
struct ResultsInfo {
  std::string experiment;
  std::string experiment_text;
  /// Name and text of each hardware file.
  std::map<std::string, std::string> hardware;
  /// Name of each network that a file defines, and all that is needed to make it again.
  std::map<std::string, std::string> networks = {};
  /// Name of each of them of which the reader assumed or left out something, and what, a line each.
  std::map<std::string, std::string> readings = {};
  /// Name of each model and of each training step that is not installed, and the text of the file that defines it.
  std::map<std::string, std::string> models = {};
  std::map<std::string, std::string> training = {};
};

/// Attributes of /provenance: everything that depends on the time, the hosts and the number of ranks of the run.
using Provenance = std::map<std::string, std::string>;

/// Attribute of a study that is included from another experiment: its id there.
inline constexpr auto origin_attribute = "origin";

/// True if a study cannot have this name, because the root of a results file has a member of its own of that name.
bool is_reserved_in_results(std::string_view name);

/// Writes a temporary file next to `path`, syncs it and renames it, so that no reader sees an incomplete file. Layout:
/// docs/results-format.md. A second thread reads the rows of the studies and fills columns; the calling thread
/// compresses and writes full blocks. Throws what StudyView::row() throws, and std::runtime_error if HDF5 or the file
/// system refuses. Returns the digest of the data part as hexadecimal digits.
std::string write_results(const std::string& path, const ResultsInfo& info,
                          const std::vector<std::unique_ptr<StudyView>>& studies, const Provenance& provenance);

/// Spares the first reader of a file that this process has just written the check whether it is whole.
void trust_written(const std::string& path);

}  // namespace pimsweep::results
