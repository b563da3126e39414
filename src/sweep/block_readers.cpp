#include "sweep/block_readers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

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
          fmt::format("'{}': expected a range {{ from = ..., to = ... }} or a list, got {}", key.str(), describe(node));
    }
    return range;
  }
  range.axis = {std::string(key.str()), toml.at(key), {}, {}};
  range.is_range = true;
  if (has_only_tables(*table)) {
    range.axis.malformed = fmt::format("'{}' contains tables; {}", key.str(), dotted_axis_hint);
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
    if (!table->contains(needed))
      toml.problem(node, fmt::format("the range of '{}' does not have '{}'", key.str(), needed));
  }
  return range;
}

void read_method(const toml::key& key, const toml::node& node, TomlReader& toml, SampleBlock& sample) {
  const std::vector<std::string>& names = sample_method_names();
  const std::optional<PlacedText> method = toml.word(key, node, "sample method", names);
  if (!method) return;
  sample.method = static_cast<SampleMethod>(std::find(names.begin(), names.end(), method->text) - names.begin());
}

/// Reads a table of ranges and lists; `section` is its name, as "[study.sample.ranges]".
std::vector<RangeSetting> read_ranges(const toml::key& key, const toml::node& node, SettingReader& settings,
                                      std::string_view section) {
  std::vector<RangeSetting> ranges;
  const toml::table* table = settings.toml().table(key, node, fmt::format("a table {}", section));
  if (table == nullptr) return ranges;
  for (const auto& [axis, value] : in_file_order(*table)) ranges.push_back(read_range(*axis, *value, settings));
  if (ranges.empty()) settings.toml().problem(node, fmt::format("{} does not set any axis", section));
  return ranges;
}

void read_algorithm(const toml::key& key, const toml::node& node, TomlReader& toml, SearchBlock& search) {
  const std::vector<std::string> names = names_of(search_algorithm_words);
  if (const auto word = toml.word(key, node, "search algorithm", names))
    search.algorithm = *value_of(search_algorithm_words, word->text);
}

void read_recheck(const toml::key& key, const toml::node& node, SettingReader& settings, SearchBlock& search) {
  const toml::table* table = settings.toml().table(key, node, "a table [study.search.recheck]");
  if (table == nullptr) return;
  for (const auto& [axis, value] : in_file_order(*table)) search.recheck.push_back(settings.fixed(*axis, *value));
  if (search.recheck.empty()) settings.toml().problem(node, "[study.search.recheck] does not set any axis");
}

void check_budget(const toml::table& table, TomlReader& toml) {
  const bool has_points = table.contains("points");
  const bool has_generations = table.contains("generations");
  if (!has_points && !has_generations)
    toml.problem(table, "[study.search] does not have a budget: add 'points' or 'generations'");
  if (has_points && has_generations)
    toml.problem(*table.get("generations"), "[study.search] cannot have both 'points' and 'generations'");
}

/// Word for all constants that have a range.
constexpr std::string_view all_constants = "assumed";

void read_draw_method(const toml::key& key, const toml::node& node, TomlReader& toml, UncertaintyBlock& block) {
  const std::vector<std::string> names = names_of(draw_method_words);
  if (const auto word = toml.word(key, node, "sampling method", names))
    block.method = *value_of(draw_method_words, word->text);
}

void read_choices(const toml::key& key, const toml::node& node, SettingReader& settings, UncertaintyBlock& block) {
  const toml::table* table = settings.toml().table(key, node, "a table [study.uncertainty.choices]");
  if (table == nullptr) return;
  for (const auto& [axis, values] : in_file_order(*table)) block.choices.push_back(settings.list(*axis, *values));
}

/// A number in a range; reports anything else.
std::optional<double> number_within(const toml::key& key, const toml::node& node, double low, double high,
                                    TomlReader& toml) {
  const std::optional<Value> value = scalar_of(node);
  const bool is_number = value && (type_of(*value) == ValueType::real || type_of(*value) == ValueType::integer);
  if (is_number && to_real(*value) >= low && to_real(*value) <= high) return to_real(*value);
  toml.problem(node,
               fmt::format("'{}': expected a number from {} to {}, got {}", key.str(), low, high, describe(node)));
  return std::nullopt;
}

constexpr double max_weight = 1e9;

/// `"metric"` or `{ metric = "time", weight = 2, floor = 0.01 }`.
void read_observation(const toml::key& key, const toml::node& node, TomlReader& toml, CalibrationBlock& block) {
  ObservationSetting observation;
  if (const toml::table* table = node.as_table()) {
    toml.entries(*table, "an observation",
                 {{"metric",
                   [&](const auto& name, const auto& value) {
                     observation.metric = toml.nonempty_text(name, value).value_or(PlacedText{});
                   }},
                  {"weight",
                   [&](const auto& name, const auto& value) {
                     if (value.is_string())
                       observation.row_weight = toml.nonempty_text(name, value).value_or(PlacedText{});
                     else
                       observation.weight = number_within(name, value, 0, max_weight, toml).value_or(1);
                   }},
                  {"floor", [&](const auto& name, const auto& value) {
                     observation.floor =
                         number_within(name, value, 0, std::numeric_limits<double>::max(), toml).value_or(0);
                   }}});
    if (!table->contains("metric")) toml.problem(node, "an observation does not name a metric: add metric = \"time\"");
  } else {
    observation.metric = toml.nonempty_text(key, node).value_or(PlacedText{});
  }
  if (observation.metric.is_given()) block.observe.push_back(std::move(observation));
}

void read_observations(const toml::key& key, const toml::node& node, TomlReader& toml, CalibrationBlock& block) {
  const toml::array* list = node.as_array();
  if (list == nullptr) return read_observation(key, node, toml, block);
  if (list->empty()) toml.problem(node, "'observe' needs at least one metric");
  for (const toml::node& item : *list) read_observation(key, item, toml, block);
}

/// A name or a list of them.
std::vector<PlacedText> read_names(const toml::key& key, const toml::node& node, SettingReader& settings) {
  if (!node.is_string() || NamedLists::is_list(node)) return settings.columns(key, node);
  const std::optional<PlacedText> name = settings.toml().nonempty_text(key, node);
  return name ? std::vector{*name} : std::vector<PlacedText>{};
}

void check_splits(const toml::table& table, TomlReader& toml) {
  if (table.contains("folds") && table.contains("holdout"))
    toml.problem(*table.get("holdout"), "[study.calibration] has both 'folds' and 'holdout'");
  if (table.contains("splits") && !table.contains("holdout"))
    toml.problem(*table.get("splits"), "'splits' needs 'holdout', the share of groups that each of them holds out");
}

void read_folds(const toml::key& key, const toml::node& node, TomlReader& toml, CalibrationBlock& block) {
  const std::optional<std::int64_t> folds = toml.integer(key, node);
  if (!folds) return;
  if (*folds >= 0 && *folds != 1 && *folds <= static_cast<std::int64_t>(max_splits)) {
    block.folds = static_cast<std::uint64_t>(*folds);
  } else {
    toml.problem(node,
                 fmt::format("'folds' must be from 2 to {}, or 0 to hold out nothing, got {}", max_splits, *folds));
  }
}

}  // namespace

CalibrationBlock read_calibration(const toml::key& key, const toml::node& node, SettingReader& settings) {
  TomlReader& toml = settings.toml();
  CalibrationBlock block;
  block.where = toml.at(node);
  const toml::table* table = toml.table(key, node, "a table [study.calibration]");
  if (table == nullptr) return block;
  const auto count = [&](std::uint64_t& number, std::uint64_t max) {
    return [&, max](const toml::key& name, const toml::node& value) {
      number = toml.count(name, value, max).value_or(number);
    };
  };
  const auto read_error = [&](const toml::key& name, const toml::node& value) {
    if (const auto word = toml.word(name, value, "error", names_of(fit_error_words)))
      block.error = *value_of(fit_error_words, word->text);
  };
  const auto read_loss = [&](const toml::key& name, const toml::node& value) {
    if (const auto word = toml.word(name, value, "loss", names_of(fit_loss_words)))
      block.loss = *value_of(fit_loss_words, word->text);
  };
  const auto read_profile = [&](const toml::key& name, const toml::node& value) {
    if (const auto* flag = value.as_boolean())
      block.profile = flag->get();
    else
      toml.problem(value, fmt::format("'{}': expected true or false, got {}", name.str(), describe(value)));
  };
  constexpr double min_share = 0.01;
  toml.entries(
      *table, "[study.calibration]",
      {{"observe", [&](const auto& name, const auto& value) { read_observations(name, value, toml, block); }},
       {"error", read_error},
       {"loss", read_loss},
       {"constants", [&](const auto& name, const auto& value) { block.constants = read_names(name, value, settings); }},
       {"ranges",
        [&](const auto& name, const auto& value) {
          block.ranges = read_ranges(name, value, settings, "[study.calibration.ranges]");
        }},
       {"group", [&](const auto& name, const auto& value) { block.group = read_names(name, value, settings); }},
       {"class", [&](const auto& name,
                     const auto& value) { block.kind = toml.nonempty_text(name, value).value_or(PlacedText{}); }},
       {"folds", [&](const auto& name, const auto& value) { read_folds(name, value, toml, block); }},
       {"holdout",
        [&](const auto& name, const auto& value) {
          block.holdout = number_within(name, value, min_share, 1 - min_share, toml);
        }},
       {"splits", count(block.splits, max_splits)},
       {"at_most", count(block.at_most, max_fitted)},
       {"starts", count(block.starts, max_starts)},
       {"profile", read_profile},
       {"seed", [&](const auto& name, const auto& value) { block.seed = toml.integer(name, value).value_or(0); }}});
  if (!table->contains("observe"))
    toml.problem(node, "[study.calibration] does not have 'observe': the metric to fit, as in observe = \"time\"");
  if (block.loss == FitLoss::bounded && block.error == FitError::absolute)
    toml.problem(*table->get("loss"), "'loss' = \"bounded\" needs an error without a unit: log or relative");
  check_splits(*table, toml);
  return block;
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
      toml.problem(node, fmt::format("[study.sample] does not have 'method': one of {}",
                                     fmt::join(sample_method_names(), ", ")));
    }
    if (!table->contains("points")) toml.problem(node, "[study.sample] does not have 'points': the number of points");
    if (!table->contains("ranges")) toml.problem(node, "[study.sample] does not have [study.sample.ranges]");
  }
  return sample;
}

SearchBlock read_search(const toml::key& key, const toml::node& node, SettingReader& settings) {
  TomlReader& toml = settings.toml();
  SearchBlock search;
  search.where = toml.at(node);
  const toml::table* table = toml.table(key, node, "a table [study.search]");
  if (table == nullptr) return search;
  const auto count = [&](std::optional<std::uint64_t>& number) {
    return [&](const toml::key& name, const toml::node& value) { number = toml.count(name, value, max_search_points); };
  };
  toml.entries(
      *table, "[study.search]",
      {{"min", [&](const auto& name, const auto& value) { search.min = settings.columns(name, value); }},
       {"max", [&](const auto& name, const auto& value) { search.max = settings.columns(name, value); }},
       {"constraints",
        [&](const auto& name, const auto& value) { search.constraints = settings.conditions(name.str(), value); }},
       {"algorithm", [&](const auto& name, const auto& value) { read_algorithm(name, value, toml, search); }},
       {"population", count(search.population)},
       {"generations", count(search.generations)},
       {"points", count(search.points)},
       {"seed", [&](const auto& name, const auto& value) { search.seed = toml.integer(name, value).value_or(0); }},
       {"ranges",
        [&](const auto& name, const auto& value) {
          search.ranges = read_ranges(name, value, settings, "[study.search.ranges]");
        }},
       {"recheck", [&](const auto& name, const auto& value) { read_recheck(name, value, settings, search); }}});
  if (!table->contains("min") && !table->contains("max"))
    toml.problem(*table,
                 "[study.search] does not have 'min' or 'max': the metrics to optimize, as in min = [\"time\"]");
  check_budget(*table, toml);
  return search;
}

UncertaintyBlock read_uncertainty(const toml::key& key, const toml::node& node, SettingReader& settings) {
  TomlReader& toml = settings.toml();
  UncertaintyBlock block;
  block.where = toml.at(node);
  const auto read_constants = [&](const toml::key& name, const toml::node& value) {
    const auto* word = value.as_string();
    if (word == nullptr || word->get() != all_constants) block.constants = settings.columns(name, value);
  };
  if (const toml::table* table = toml.table(key, node, "a table [study.uncertainty]")) {
    toml.entries(
        *table, "[study.uncertainty]",
        {{"method", [&](const auto& name, const auto& value) { read_draw_method(name, value, toml, block); }},
         {"samples",
          [&](const auto& name, const auto& value) { block.samples = toml.count(name, value, max_draws).value_or(0); }},
         {"seed", [&](const auto& name, const auto& value) { block.seed = toml.integer(name, value).value_or(0); }},
         {"constants", read_constants},
         {"choices", [&](const auto& name, const auto& value) { read_choices(name, value, settings, block); }}});
  }
  return block;
}

}  // namespace pimsweep::sweep
