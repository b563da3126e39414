#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "base/hash.h"

namespace pimsweep {

/// A column of a results file in memory: numbers (NaN where missing) or texts.
struct FrameColumn {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::string unit;
  /// axis, label, reference, metric or detail.
  std::string role;
  bool is_text() const { return !texts.empty(); }
};

/// A study of a results file, or one of its detail tables, as named columns of equal length.
struct Frame {
  std::size_t rows = 0;
  std::map<std::string, FrameColumn> columns;
};

/// The ids of the studies of a results file. Throws InputError if the file is missing or not one of ours.
std::vector<std::string> study_ids(const std::string& results_file);

/// All columns over `point`: axes, labels, references, metrics, status.
Frame read_study(const std::string& results_file, const std::string& study);

/// The system that a study was evaluated with.
std::string study_system(const std::string& results_file, const std::string& study);

/// The identity of each point of a study.
std::vector<Hash128> read_identities(const std::string& results_file, const std::string& study);

/// How long each point's evaluation took (NaN where it was not run), from /provenance.
std::vector<double> read_seconds(const std::string& results_file, const std::string& study);

/// A detail table with its own columns and `point`.
Frame read_table(const std::string& results_file, const std::string& study, const std::string& table);

/// A detail table, each row joined with the axes, metrics and status of its point (the table's own columns win).
Frame read_detail(const std::string& results_file, const std::string& study, const std::string& table);

}  // namespace pimsweep
