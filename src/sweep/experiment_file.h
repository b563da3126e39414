#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "base/value.h"
#include "sweep/sample_sequence.h"

namespace pimsweep::sweep {

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

/// `[study.table]`. `csv` is not given if it is missing or no text (reported already).
struct TableBlock {
  PlacedText csv;
  std::vector<PlacedText> labels;
  std::vector<PlacedText> reference;
  /// Columns that the study does without.
  std::vector<PlacedText> ignore;
};

/// One entry of `[study.sample.ranges]`: a list of values, or a range. What the file does not give, or gives wrongly
/// (reported already), is empty.
struct RangeSetting {
  /// Name, place, and the entries of a list.
  AxisSetting axis;
  /// Set when it is a range, `{ from = ..., to = ... }`.
  bool is_range = false;
  std::optional<AxisEntry> from;
  std::optional<AxisEntry> to;
  std::optional<AxisEntry> step;
  bool logarithmic = false;
};

/// `[study.sample]`. What is missing or wrong is reported already.
struct SampleBlock {
  SourcePosition where;
  SampleMethod method = SampleMethod::sobol;
  std::uint64_t points = 0;
  std::int64_t seed = 0;
  std::vector<RangeSetting> ranges;
};

/// `[[study]]` as written. `id` and `system` are not given if they are missing or no texts (reported already).
struct StudyBlock {
  SourcePosition where;
  PlacedText id;
  std::string doc;
  PlacedText system;
  /// One hardware file or several.
  std::optional<AxisSetting> hardware;
  /// Each list in file order.
  std::vector<AxisSetting> fixed;
  std::vector<AxisSetting> axes;
  std::vector<ZipBlock> zips;
  std::optional<TableBlock> table;
  std::optional<SampleBlock> sample;
  /// The expressions of `where`, with the place of each character.
  std::vector<PlacedText> conditions;
};

/// An experiment file's structure, not yet checked against any system.
struct ExperimentFile {
  std::string name;
  std::string doc;
  std::vector<StudyBlock> studies;
};

/// Reads the structure of experiment text, with named lists put where they are used; everything that is wrong goes to
/// `problems` and the rest is still read.
ExperimentFile read_experiment(const std::string& text, const std::string& file, ProblemList& problems);

/// The keys of a study that are not axes.
const std::vector<std::string>& study_keys();

}  // namespace pimsweep::sweep
