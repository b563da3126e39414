#include "sweep/sample_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace pimsweep::sweep {

namespace {

bool read_scale(const toml::key& key, const toml::node& node, TomlReader& toml) {
  static const std::vector<std::string> scales{"linear", "log"};
  const std::optional<PlacedText> scale = toml.word(key, node, "scale", scales);
  return scale && scale->text == "log";
}

RangeSetting read_range(const toml::key& key, const toml::node& node, SettingReader& settings) {
  TomlReader& toml = settings.toml();
  RangeSetting range;
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    range.axis = settings.list(key, node);
    if (!range.axis.malformed.empty()) {
      range.axis.malformed =
          fmt::format("'{}' needs a range {{ from = ..., to = ... }} or a list, read {}", key.str(), describe(node));
    }
    return range;
  }
  range.axis = {std::string(key.str()), toml.at(key), {}, {}};
  range.is_range = true;
  if (has_only_tables(*table)) {
    range.axis.malformed = fmt::format("'{}' has tables in it; {}", key.str(), dotted_axis_hint);
    return range;
  }
  const auto into = [&](std::optional<AxisEntry>& entry) {
    return [&](const toml::key&, const toml::node& value) { entry = settings.value(key.str(), value); };
  };
  toml.entries(
      *table, fmt::format("the range of '{}'", key.str()),
      {{"from", into(range.from)},
       {"to", into(range.to)},
       {"scale", [&](const auto& name, const auto& value) { range.logarithmic = read_scale(name, value, toml); }},
       {"step", into(range.step)}});
  for (const char* needed : {"from", "to"}) {
    if (!table->contains(needed)) toml.problem(node, fmt::format("the range of '{}' needs '{}'", key.str(), needed));
  }
  return range;
}

void read_method(const toml::key& key, const toml::node& node, TomlReader& toml, SampleBlock& sample) {
  const std::vector<std::string>& names = sample_method_names();
  const std::optional<PlacedText> method = toml.word(key, node, "sample method", names);
  if (!method) return;
  sample.method = static_cast<SampleMethod>(std::find(names.begin(), names.end(), method->text) - names.begin());
}

}  // namespace

std::vector<RangeSetting> read_ranges(const toml::key& key, const toml::node& node, SettingReader& settings,
                                      std::string_view section) {
  std::vector<RangeSetting> ranges;
  const toml::table* table = settings.toml().table(key, node, fmt::format("a table {}", section));
  if (table == nullptr) return ranges;
  for (const auto& [axis, value] : in_file_order(*table)) ranges.push_back(read_range(*axis, *value, settings));
  if (ranges.empty()) settings.toml().problem(node, fmt::format("{} has no axes", section));
  return ranges;
}

SampleBlock read_sample(const toml::key& key, const toml::node& node, SettingReader& settings) {
  TomlReader& toml = settings.toml();
  SampleBlock sample;
  sample.where = toml.at(node);
  if (const toml::table* table = toml.table(key, node, "a table [study.sample]")) {
    toml.entries(
        *table, "[study.sample]",
        {{"method", [&](const auto& name, const auto& value) { read_method(name, value, toml, sample); }},
         {"points", [&](const auto& name,
                        const auto& value) { sample.points = toml.count(name, value, max_sample_points).value_or(0); }},
         {"seed", [&](const auto& name, const auto& value) { sample.seed = toml.integer(name, value).value_or(0); }},
         {"ranges", [&](const auto& name, const auto& value) {
            sample.ranges = read_ranges(name, value, settings, "[study.sample.ranges]");
          }}});
    if (!table->contains("method")) {
      toml.problem(node,
                   fmt::format("[study.sample] needs 'method': one of {}", fmt::join(sample_method_names(), ", ")));
    }
    if (!table->contains("points")) toml.problem(node, "[study.sample] needs 'points': how many to draw");
    if (!table->contains("ranges")) toml.problem(node, "[study.sample] needs [study.sample.ranges]");
  }
  return sample;
}

}  // namespace pimsweep::sweep
