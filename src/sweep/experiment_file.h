#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/value.h"

namespace pimsweep {

/// A text of the file and where it stands.
struct PlacedText {
  std::string text;
  SourcePosition where;
};

/// One value that the file gives to an axis. Empty when it is of no type that an axis can have (reported already).
struct AxisEntry {
  std::optional<Value> value;
  SourcePosition where;
};

/// `key = value` or `key = [values]` before anything is known about the key.
struct AxisSetting {
  std::string name;
  SourcePosition where;
  std::vector<AxisEntry> entries;
  /// Why this cannot set an axis, whichever it is. Reported once it is known that there is such an axis.
  std::string malformed;
};

/// `[[study.zip]]`: settings that advance together.
struct ZipBlock {
  SourcePosition where;
  std::vector<AxisSetting> settings;
};

/// `[study.table]`. `csv` has no position if it is missing or no text (reported already).
struct TableBlock {
  PlacedText csv;
  std::vector<PlacedText> labels;
  std::vector<PlacedText> reference;
};

/// `[[study]]` as written.
struct StudyBlock {
  SourcePosition where;
  PlacedText id;
  std::string doc;
  PlacedText system;
  /// Empty when the study has none.
  std::optional<PlacedText> hardware;
  /// Each list in file order.
  std::vector<AxisSetting> fixed;
  std::vector<AxisSetting> axes;
  std::vector<ZipBlock> zips;
  std::optional<TableBlock> table;
};

/// An experiment file's structure, not yet checked against any system.
struct ExperimentFile {
  std::string name;
  std::string doc;
  std::vector<StudyBlock> studies;
};

/// Reads the structure of experiment text; everything that is wrong goes to `problems` and the rest is still read.
ExperimentFile read_experiment(const std::string& text, const std::string& file, ProblemList& problems);

/// The keys of a study that are not axes.
const std::vector<std::string>& study_keys();

}  // namespace pimsweep
