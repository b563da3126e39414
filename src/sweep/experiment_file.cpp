#include "sweep/experiment_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sweep/string_places.h"
#include "sweep/toml_input.h"

namespace pimsweep::sweep {

namespace {

constexpr std::string_view dotted_hint =
    "an axis whose name has dots is written in quotes, as in \"hardware.node_array.rows\" = 8";

/// Names become file names, HDF5 groups and words on a command line.
bool is_identifier(std::string_view text) {
  const bool letters = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  });
  return letters && text.find_first_not_of('.') != std::string_view::npos;
}

class Reader {
 public:
  Reader(const std::string& text, const std::string& file, ProblemList& problems)
      : text_(text), file_(file), problems_(problems) {}

  ExperimentFile read(const toml::table& root) {
    static const std::vector<std::string> kAllowed{"name", "doc", "study"};
    ExperimentFile experiment;
    for (const auto& [key, node] : in_file_order(root)) {
      if (key->str() == "name") {
        experiment.name = read_identifier(*key, *node).text;
      } else if (key->str() == "doc") {
        experiment.doc = read_text(*key, *node).text;
      } else if (key->str() == "study") {
        read_studies(*node, experiment);
      } else {
        unknown_key(*key, "an experiment file", kAllowed);
      }
    }
    if (!root.contains("name")) problems_.add({file_, 0, 0}, "the experiment needs a name: name = \"...\"");
    if (!root.contains("study"))
      problems_.add({file_, 0, 0}, "the experiment has no study: write at least one [[study]]");
    return experiment;
  }

 private:
  SourcePosition at(const toml::node& node) const { return position_of(node, file_); }

  void unknown_key(const toml::key& key, std::string_view owner, const std::vector<std::string>& allowed) {
    problems_.add(position_of(key, file_), fmt::format("unknown key '{}' in {}{}; allowed: {}", key.str(), owner,
                                                       suggestion(key.str(), allowed), fmt::join(allowed, ", ")));
  }

  PlacedText read_text(const toml::key& key, const toml::node& node) {
    if (const auto* text = node.as_string()) return {text->get(), at(node)};
    problems_.add(at(node), fmt::format("'{}' needs text, read {}", key.str(), describe(node)));
    return {};
  }

  PlacedText read_identifier(const toml::key& key, const toml::node& node) {
    PlacedText name = read_text(key, node);
    if (!name.where.file.empty() && !is_identifier(name.text)) {
      problems_.add(name.where,
                    fmt::format("{} '{}' is not allowed: use letters, digits, '_', '.' and '-'", key.str(), name.text));
      return {};
    }
    return name;
  }

  void read_studies(const toml::node& node, ExperimentFile& experiment) {
    const toml::array* studies = node.as_array();
    if (studies == nullptr) {
      problems_.add(at(node), fmt::format("'study' needs [[study]] blocks, read {}", describe(node)));
      return;
    }
    if (studies->empty()) problems_.add(at(node), "the experiment has no study: write at least one [[study]]");
    std::map<std::string, SourcePosition> ids;
    for (const toml::node& study : *studies) {
      const toml::table* table = study.as_table();
      if (table == nullptr) {
        problems_.add(at(study), fmt::format("'study' needs [[study]] blocks, read {}", describe(study)));
        continue;
      }
      const StudyBlock& block = experiment.studies.emplace_back(read_study(*table));
      if (block.id.text.empty()) continue;
      const auto [first, added] = ids.emplace(block.id.text, block.id.where);
      if (!added) {
        problems_.add(block.id.where,
                      fmt::format("study id '{}' is used twice: first at {}", block.id.text, first->second.text()));
      }
    }
  }

  StudyBlock read_study(const toml::table& table) {
    StudyBlock study;
    study.where = at(table);
    for (const auto& [key, node] : in_file_order(table)) {
      const std::string_view name = key->str();
      if (name == "id") {
        study.id = read_identifier(*key, *node);
        if (study.id.text == "provenance") {
          problems_.add(study.id.where, "a study cannot be called 'provenance': results files use that name");
        }
      } else if (name == "system") {
        study.system = read_text(*key, *node);
      } else if (name == "doc") {
        study.doc = read_text(*key, *node).text;
      } else if (name == "hardware") {
        study.hardware = read_hardware(*node);
      } else if (name == "axes") {
        study.axes = read_axes(*node);
      } else if (name == "zip") {
        study.zips = read_zips(*node);
      } else if (name == "table") {
        study.table = read_table(*node);
      } else if (name == "sample") {
        study.sample = read_sample(*node);
      } else if (name == "where") {
        study.conditions = read_conditions(*node);
      } else {
        study.fixed.push_back(read_fixed(*key, *node));
      }
    }
    for (const char* needed : {"id", "system"}) {
      if (!table.contains(needed))
        problems_.add(study.where, fmt::format("the study needs '{0}': {0} = \"...\"", needed));
    }
    return study;
  }

  PlacedText read_hardware(const toml::node& node) {
    if (const auto* text = node.as_string()) return {text->get(), at(node)};
    const std::string hint = node.is_table() ? fmt::format("; {}", dotted_hint) : std::string{};
    problems_.add(at(node),
                  fmt::format("'hardware' needs the name or path of a hardware file, read {}{}", describe(node), hint));
    return {};
  }

  /// An entry that must be a scalar.
  AxisEntry read_entry(std::string_view name, const toml::node& node) {
    AxisEntry entry{scalar_of(node), at(node)};
    if (!entry.value) {
      problems_.add(entry.where,
                    fmt::format("axis '{}' needs numbers, text, true or false, read {}", name, describe(node)));
    }
    return entry;
  }

  AxisSetting read_fixed(const toml::key& key, const toml::node& node) {
    AxisSetting setting{std::string(key.str()), position_of(key, file_), {}, {}};
    if (node.is_array()) {
      setting.malformed = fmt::format("'{}' is a list: lists of values belong in [study.axes]", key.str());
    } else if (node.is_table()) {
      setting.malformed = fmt::format("'{}' is a table; {}", key.str(), dotted_hint);
    } else {
      setting.entries.push_back(read_entry(key.str(), node));
    }
    return setting;
  }

  AxisSetting read_list(const toml::key& key, const toml::node& node, bool scalar_allowed) {
    AxisSetting setting{std::string(key.str()), position_of(key, file_), {}, {}};
    if (const toml::array* list = node.as_array()) {
      if (list->empty())
        problems_.add(at(node), fmt::format("axis '{}' has an empty list: it needs at least one value", key.str()));
      for (const toml::node& element : *list) setting.entries.push_back(read_entry(key.str(), element));
    } else if (node.is_table()) {
      setting.malformed = fmt::format("'{}' is a table; {}", key.str(), dotted_hint);
    } else if (scalar_allowed) {
      setting.entries.push_back(read_entry(key.str(), node));
    } else {
      setting.malformed = fmt::format("'{}' needs a list in [[study.zip]], read {}", key.str(), describe(node));
    }
    return setting;
  }

  std::vector<AxisSetting> read_axes(const toml::node& node) {
    std::vector<AxisSetting> axes;
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      problems_.add(at(node), fmt::format("'axes' needs a table [study.axes], read {}", describe(node)));
      return axes;
    }
    for (const auto& [key, values] : in_file_order(*table)) axes.push_back(read_list(*key, *values, true));
    return axes;
  }

  std::vector<ZipBlock> read_zips(const toml::node& node) {
    std::vector<ZipBlock> zips;
    const toml::array* blocks = node.as_array();
    if (blocks == nullptr) {
      problems_.add(at(node), fmt::format("'zip' needs [[study.zip]] blocks, read {}", describe(node)));
      return zips;
    }
    for (const toml::node& block : *blocks) {
      const toml::table* table = block.as_table();
      if (table == nullptr) {
        problems_.add(at(block), fmt::format("'zip' needs [[study.zip]] blocks, read {}", describe(block)));
        continue;
      }
      zips.push_back(read_zip(*table));
    }
    return zips;
  }

  ZipBlock read_zip(const toml::table& table) {
    ZipBlock zip{at(table), {}};
    std::vector<std::string> lengths;
    bool equal = true;
    std::optional<std::size_t> common;
    for (const auto& [key, node] : in_file_order(table)) {
      zip.settings.push_back(read_list(*key, *node, false));
      if (!zip.settings.back().malformed.empty()) continue;
      const std::size_t length = zip.settings.back().entries.size();
      lengths.push_back(fmt::format("'{}' has {}", key->str(), length));
      equal = equal && length == common.value_or(length);
      common = length;
    }
    if (table.empty()) problems_.add(zip.where, "[[study.zip]] has no axes");
    if (!equal) {
      problems_.add(zip.where,
                    fmt::format("the lists of a [[study.zip]] must be equally long: {}", fmt::join(lengths, ", ")));
    }
    return zip;
  }

  std::vector<PlacedText> read_columns(const toml::key& key, const toml::node& node) {
    std::vector<PlacedText> columns;
    const toml::array* list = node.as_array();
    if (list == nullptr) {
      problems_.add(at(node), fmt::format("'{}' needs a list of column names, read {}", key.str(), describe(node)));
      return columns;
    }
    for (const toml::node& element : *list) {
      const PlacedText column = read_text(key, element);
      const auto same = [&](const PlacedText& other) { return other.text == column.text; };
      if (std::any_of(columns.begin(), columns.end(), same)) {
        problems_.add(column.where, fmt::format("column '{}' is named twice in '{}'", column.text, key.str()));
      } else if (!column.where.file.empty()) {
        columns.push_back(column);
      }
    }
    return columns;
  }

  TableBlock read_table(const toml::node& node) {
    static const std::vector<std::string> kAllowed{"csv", "labels", "reference", "ignore"};
    const toml::table* table = node.as_table();
    TableBlock block;
    if (table == nullptr) {
      problems_.add(at(node), fmt::format("'table' needs a table [study.table], read {}", describe(node)));
      return block;
    }
    for (const auto& [key, value] : in_file_order(*table)) {
      if (key->str() == "csv") {
        block.csv = read_text(*key, *value);
      } else if (key->str() == "labels") {
        block.labels = read_columns(*key, *value);
      } else if (key->str() == "reference") {
        block.reference = read_columns(*key, *value);
      } else if (key->str() == "ignore") {
        block.ignore = read_columns(*key, *value);
      } else {
        unknown_key(*key, "[study.table]", kAllowed);
      }
    }
    if (!table->contains("csv")) problems_.add(at(*table), "[study.table] needs a file: csv = \"points.csv\"");
    return block;
  }

  std::optional<std::int64_t> read_integer(const toml::key& key, const toml::node& node) {
    if (const auto* integer = node.as_integer()) return integer->get();
    problems_.add(at(node), fmt::format("'{}' needs an integer, read {}", key.str(), describe(node)));
    return std::nullopt;
  }

  SampleBlock read_sample(const toml::node& node) {
    static const std::vector<std::string> kAllowed{"method", "points", "seed", "ranges"};
    SampleBlock sample;
    sample.where = at(node);
    const std::size_t before = problems_.problems().size();
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      problems_.add(at(node), fmt::format("'sample' needs a table [study.sample], read {}", describe(node)));
      sample.complete = false;
      return sample;
    }
    for (const auto& [key, value] : in_file_order(*table)) {
      if (key->str() == "method") {
        read_method(*key, *value, sample);
      } else if (key->str() == "points") {
        read_points(*key, *value, sample);
      } else if (key->str() == "seed") {
        sample.seed = read_integer(*key, *value).value_or(0);
      } else if (key->str() == "ranges") {
        sample.ranges = read_ranges(*value);
      } else {
        unknown_key(*key, "[study.sample]", kAllowed);
      }
    }
    if (!table->contains("method")) {
      problems_.add(sample.where,
                    fmt::format("[study.sample] needs 'method': one of {}", fmt::join(sample_method_names(), ", ")));
    }
    if (!table->contains("points")) problems_.add(sample.where, "[study.sample] needs 'points': how many to draw");
    if (!table->contains("ranges")) problems_.add(sample.where, "[study.sample] needs [study.sample.ranges]");
    sample.complete = problems_.problems().size() == before;
    return sample;
  }

  void read_method(const toml::key& key, const toml::node& node, SampleBlock& sample) {
    const PlacedText method = read_text(key, node);
    if (method.where.file.empty()) return;
    const std::vector<std::string>& names = sample_method_names();
    const auto found = std::find(names.begin(), names.end(), method.text);
    if (found == names.end()) {
      problems_.add(method.where, fmt::format("there is no sample method '{}'{}; allowed: {}", method.text,
                                              suggestion(method.text, names), fmt::join(names, ", ")));
    } else {
      sample.method = static_cast<SampleMethod>(found - names.begin());
    }
  }

  void read_points(const toml::key& key, const toml::node& node, SampleBlock& sample) {
    const std::optional<std::int64_t> points = read_integer(key, node);
    if (!points) return;
    if (*points < 1 || static_cast<std::uint64_t>(*points) > max_sample_points) {
      problems_.add(at(node), fmt::format("'points' must be from 1 to {}, read {}", max_sample_points, *points));
    } else {
      sample.points = static_cast<std::uint64_t>(*points);
    }
  }

  std::vector<RangeSetting> read_ranges(const toml::node& node) {
    std::vector<RangeSetting> ranges;
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      problems_.add(at(node), fmt::format("'ranges' needs a table [study.sample.ranges], read {}", describe(node)));
      return ranges;
    }
    for (const auto& [key, value] : in_file_order(*table)) ranges.push_back(read_range(*key, *value));
    if (ranges.empty()) problems_.add(at(node), "[study.sample.ranges] has no axes");
    return ranges;
  }

  RangeSetting read_range(const toml::key& key, const toml::node& node) {
    static const std::vector<std::string> kAllowed{"from", "to", "scale", "step"};
    RangeSetting range;
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      range.axis = read_list(key, node, false);
      if (!node.is_array()) {
        range.axis.malformed =
            fmt::format("'{}' needs a range {{ from = ..., to = ... }} or a list, read {}", key.str(), describe(node));
      }
      return range;
    }
    range.axis = {std::string(key.str()), position_of(key, file_), {}, {}};
    range.is_range = true;
    const bool dotted = !table->empty() &&
                        std::all_of(table->begin(), table->end(), [](auto&& entry) { return entry.second.is_table(); });
    if (dotted) {
      range.axis.malformed = fmt::format("'{}' has tables in it; {}", key.str(), dotted_hint);
      return range;
    }
    for (const auto& [name, value] : in_file_order(*table)) {
      if (name->str() == "from") {
        range.from = read_entry(key.str(), *value);
      } else if (name->str() == "to") {
        range.to = read_entry(key.str(), *value);
      } else if (name->str() == "step") {
        range.step = read_entry(key.str(), *value);
      } else if (name->str() == "scale") {
        range.logarithmic = read_scale(*name, *value);
      } else {
        unknown_key(*name, fmt::format("the range of '{}'", key.str()), kAllowed);
      }
    }
    for (const char* needed : {"from", "to"}) {
      if (!table->contains(needed)) {
        problems_.add(at(node), fmt::format("the range of '{}' needs '{}'", key.str(), needed));
      }
    }
    return range;
  }

  bool read_scale(const toml::key& key, const toml::node& node) {
    static const std::vector<std::string> scales{"linear", "log"};
    const PlacedText scale = read_text(key, node);
    if (!scale.where.file.empty() && std::find(scales.begin(), scales.end(), scale.text) == scales.end()) {
      problems_.add(scale.where, fmt::format("there is no scale '{}'{}; allowed: {}", scale.text,
                                             suggestion(scale.text, scales), fmt::join(scales, ", ")));
    }
    return scale.text == "log";
  }

  std::vector<ConditionText> read_conditions(const toml::node& node) {
    std::vector<ConditionText> conditions;
    const auto read = [&](const toml::node& element) {
      if (const auto* text = element.as_string()) {
        conditions.push_back({text->get(), at(element), string_places(text_, at(element), text->get())});
      } else {
        problems_.add(at(element), fmt::format("'where' needs a condition in quotes, as in \"batch <= 8\", read {}",
                                               describe(element)));
      }
    };
    const toml::array* list = node.as_array();
    if (list == nullptr) {
      read(node);
      return conditions;
    }
    if (list->empty()) problems_.add(at(node), "'where' has an empty list: it needs at least one condition");
    for (const toml::node& element : *list) read(element);
    return conditions;
  }

  const std::string& text_;
  const std::string& file_;
  ProblemList& problems_;
};

}  // namespace

ExperimentFile read_experiment(const std::string& text, const std::string& file, ProblemList& problems) {
  return Reader(text, file, problems).read(parse_toml(text, file));
}

const std::vector<std::string>& study_keys() {
  static const std::vector<std::string> keys{"id",  "system", "doc",    "hardware", "axes",
                                             "zip", "table",  "sample", "where"};
  return keys;
}

}  // namespace pimsweep::sweep
