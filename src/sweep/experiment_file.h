#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "base/value.h"
#include "base/words.h"
#include "sweep/sample_sequence.h"
#include "workload/import/network_import.h"

namespace pimsweep::sweep {

/// One value that the file gives to an axis. Empty if no axis can have its type (reported already).
struct AxisEntry {
  std::optional<Value> value;
  SourcePosition where;
};

/// `key = value` or `key = [values]`, before the key is resolved.
struct AxisSetting {
  std::string name;
  SourcePosition where;
  std::vector<AxisEntry> entries;
  /// Why this cannot set any axis. Reported only if the axis exists.
  std::string malformed;
};

/// `[[study.zip]]`: settings that advance together.
struct ZipBlock {
  SourcePosition where;
  std::vector<AxisSetting> settings;
};

/// `[study.table]`. `csv` is not given if it is missing or not text (reported already).
struct TableBlock {
  PlacedText csv;
  std::vector<PlacedText> labels;
  std::vector<PlacedText> reference;
  /// Columns that the study ignores.
  std::vector<PlacedText> ignore;
};

/// One entry of `[study.sample.ranges]`: a list of values or a range. Members that are missing or invalid (reported
/// already) are empty.
struct RangeSetting {
  /// Name, position, and the entries of a list.
  AxisSetting axis;
  /// True for a range, `{ from = ..., to = ... }`.
  bool is_range = false;
  std::optional<AxisEntry> from;
  std::optional<AxisEntry> to;
  std::optional<AxisEntry> step;
  bool logarithmic = false;
};

/// `[study.sample]`. Missing and invalid keys are reported already.
struct SampleBlock {
  SourcePosition where;
  SampleMethod method = SampleMethod::sobol;
  std::uint64_t points = 0;
  std::int64_t seed = 0;
  std::vector<RangeSetting> ranges;
};

/// How the machines of `[study.uncertainty]` are drawn.
enum class DrawMethod : std::uint8_t {
  sobol,
  lhs,
  random,
  saltelli,      ///< blocks for indices of sensitivity (docs/explore.md)
  one_at_a_time  ///< one constant moves through its range, evenly, while all others have the values of the file
};
inline constexpr std::array draw_method_words{
    Word{"sobol", DrawMethod::sobol}, Word{"lhs", DrawMethod::lhs}, Word{"random", DrawMethod::random},
    Word{"saltelli", DrawMethod::saltelli}, Word{"one-at-a-time", DrawMethod::one_at_a_time}};

/// Most machines of a study.
inline constexpr std::uint64_t max_draws = 1U << 16U;

/// `[study.uncertainty]`, or the option --draws. Invalid keys are reported already.
struct UncertaintyBlock {
  SourcePosition where;
  DrawMethod method = DrawMethod::sobol;
  /// Machines to draw; one at a time: values of each constant. 0 if none are wanted unless --draws asks for them.
  std::uint64_t samples = 0;
  std::int64_t seed = 0;
  /// Only these constants; empty means all that have a range.
  std::vector<PlacedText> constants;
  /// The option --draw-constants: of all these, only those that it names; empty means all.
  std::vector<std::string> only;
  /// Axes that do not vary in the study, constants among them, each with other values that they might have.
  std::vector<AxisSetting> choices;
};

/// How `[study.search]` chooses points.
enum class SearchAlgorithm : std::uint8_t { nsga2, gaco, random, sobol };
inline constexpr std::array search_algorithm_words{
    Word{"nsga2", SearchAlgorithm::nsga2}, Word{"gaco", SearchAlgorithm::gaco}, Word{"random", SearchAlgorithm::random},
    Word{"sobol", SearchAlgorithm::sobol}};

/// Most points that a search evaluates: what it remembers of each is in memory.
inline constexpr std::uint64_t max_search_points = 10'000'000;

/// `[study.search]`. Missing and invalid keys are reported already.
struct SearchBlock {
  SourcePosition where;
  SearchAlgorithm algorithm = SearchAlgorithm::nsga2;
  /// Metrics to minimize and to maximize.
  std::vector<PlacedText> min;
  std::vector<PlacedText> max;
  /// Conditions over metrics and axes.
  std::vector<PlacedText> constraints;
  /// Points of a generation.
  std::optional<std::uint64_t> population;
  /// When the search ends: one of the two.
  std::optional<std::uint64_t> generations;
  std::optional<std::uint64_t> points;
  std::int64_t seed = 0;
  std::vector<RangeSetting> ranges;
  /// Axes that do not vary, with the values for which the front is evaluated once more.
  std::vector<AxisSetting> recheck;
};

/// `[[include]]`: studies of another experiment file of the same folder. Invalid keys are reported already.
struct IncludeBlock {
  SourcePosition where;
  /// Not given if it is missing or no name of a file (reported already).
  PlacedText experiment;
  /// Only these; empty means all.
  std::vector<PlacedText> studies;
  /// Stands in for what the studies have, but for their choices.
  std::optional<UncertaintyBlock> uncertainty;
};

/// `[[study]]` as written. `id` and `system` are not given if they are missing or not text (reported already).
struct StudyBlock {
  SourcePosition where;
  PlacedText id;
  /// The id in the experiment that the study is included from, empty for others.
  std::string origin;
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
  std::optional<UncertaintyBlock> uncertainty;
  std::optional<SearchBlock> search;
  /// How network files are read.
  workload::import::ReadingOptions reading = {};
  /// Expressions of `where`, with the position of each character.
  std::vector<PlacedText> conditions;
};

/// An experiment file's structure, not yet checked against any system.
struct ExperimentFile {
  std::string name;
  std::string doc;
  /// Folders in which names are looked for first, relative to the file.
  std::vector<PlacedText> model_folders;
  std::vector<PlacedText> hardware_folders;
  std::vector<PlacedText> training_folders;
  std::vector<IncludeBlock> includes;
  std::vector<StudyBlock> studies;
};

/// Reports each study whose id another one before it has.
void check_study_ids(const std::vector<StudyBlock>& studies, ProblemList& problems);

/// Reads the structure of an experiment file's text and expands named lists. Errors go to `problems`, and the rest is
/// still read.
ExperimentFile read_experiment(const std::string& text, const std::string& file, ProblemList& problems);

/// Keys of a study that are not axes.
const std::vector<std::string>& study_keys();

}  // namespace pimsweep::sweep
