#include "sweep/study_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "sweep/axis_value.h"
#include "sweep/condition.h"
#include "sweep/derived_metrics.h"
#include "sweep/experiment_file.h"
#include "sweep/hardware_axis.h"
#include "sweep/point_filter.h"
#include "sweep/point_table.h"
#include "sweep/study_calibration.h"
#include "sweep/study_data.h"
#include "sweep/study_draws.h"
#include "sweep/study_search.h"
#include "workload/import/network_files.h"

namespace pimsweep::sweep {

namespace {

/// Builds one study from its block: converts settings to values, collects factors, and reports every problem.
///
/// The order of the steps in build() is that of precedence. An override replaces everything else. Then every setting of
/// the file claims its axis, so that a second one is an error: fixed keys, sample, hardware, axes, ranges of a search,
/// zips, table. Hardware files and defaults fill the remaining axes, sampled machines replace constants, and conditions
/// exclude points. An invalid value leaves a gap, so that positions match the file and reading can continue; a study
/// with problems is not built. Used once per study, by build_study().
class Builder {
 public:
  Builder(const StudyBlock& block, const std::shared_ptr<const systems::Schema>& schema, StudyFiles& files,
          ProblemList& problems)
      : block_(block),
        directory_(files.directory),
        models_(files.models),
        shard_(files.shard),
        problems_(problems),
        data_(make_data(block, schema)),
        machines_(files.hardware, *data_, problems) {
    given_.resize(axes().size());
  }

  std::optional<Study> build(const std::vector<Override>& overrides) {
    const std::size_t before = problems_.problems().size();
    for (const Override& change : overrides) apply(change);
    for (const AxisSetting& setting : block_.fixed) add_fixed(setting);
    if (block_.sample) add_sample(*block_.sample);
    if (block_.hardware) add_hardware(*block_.hardware);
    for (const AxisSetting& setting : block_.axes) add_axis(setting);
    if (block_.search) add_ranges(*block_.search);
    for (const ZipBlock& zip : block_.zips) add_zip(zip);
    if (block_.table) add_table(*block_.table);
    fill_the_rest();
    add_derived();
    if (block_.uncertainty) add_draws(*block_.uncertainty);
    if (block_.search) add_search(*block_.search);
    if (block_.calibration) add_calibration(*block_.calibration);
    std::vector<Condition> conditions = block_.search ? std::vector<Condition>{} : compile_conditions();
    if (problems_.problems().size() != before || !is_whole(*data_) || !multiply(*data_, block_.where, problems_))
      return std::nullopt;
    if (data_->search) set_dimensions(*data_, *data_->search);
    if (!conditions.empty()) filter_points(*data_, std::move(conditions), problems_);
    if (problems_.problems().size() != before) return std::nullopt;
    if (shard_ && !take_shard(*data_, *shard_, block_.where, problems_)) return std::nullopt;
    return Study(data_);
  }

 private:
  static std::shared_ptr<StudyData> make_data(const StudyBlock& block,
                                              const std::shared_ptr<const systems::Schema>& schema) {
    auto data = std::make_shared<StudyData>();
    data->where = block.where;
    data->id = block.id.text;
    data->origin = block.origin.empty() ? block.id.text : block.origin;
    data->doc = block.doc;
    data->schema = schema;
    data->constants.resize(schema->axes.size());
    data->origins.resize(schema->axes.size(), {systems::ValueOrigin::Kind::hardware});
    data->varies.resize(schema->axes.size(), false);
    return data;
  }

  const std::vector<systems::Axis>& axes() const { return data_->schema->axes; }

  std::vector<std::string> axis_names() const {
    std::vector<std::string> names;
    for (const systems::Axis& axis : axes()) names.push_back(axis.name);
    return names;
  }

  void apply(const Override& change) {
    const int index = data_->schema->axis_index(change.axis);
    if (index < 0) return;  // another study's axis
    const auto axis = static_cast<std::size_t>(index);
    try {
      // Paths on the command line are relative to where the program runs.
      data_->constants[axis] = read_text(axis, change.text, {}, {}, change.where);
    } catch (const InputError& error) {
      problems_.add(change.where, error.what());
    }
    data_->origins[axis] = {systems::ValueOrigin::Kind::experiment, "experiment"};
    overridden_.push_back(axis);
  }

  /// Converts a value of an axis, with what it names.
  Value read_value(std::size_t axis, const Value& value, const std::string& directory, const SourcePosition& where) {
    try {
      return with_file(axis, convert_value(axes()[axis], value), directory, where);
    } catch (const InputError& error) {
      const auto* name = std::get_if<std::string>(&value);
      if (name != nullptr && !is_network(axis, value)) models_.explain_unknown(axes()[axis], *name, error);
      throw;
    }
  }

  /// Likewise a text that is not typed; `unit` as for convert_text().
  Value read_text(std::size_t axis, const std::string& text, const std::string& unit, const std::string& directory,
                  const SourcePosition& where) {
    if (axes()[axis].type == ValueType::text) return read_value(axis, text, directory, where);
    return convert_text(axes()[axis], text, unit);
  }

  /// A hardware file is read and represented by its short name, a network by the name of its file.
  Value with_file(std::size_t axis, Value value, const std::string& directory, const SourcePosition& where) {
    const bool is_file = is_network(axis, value);
    if (is_file) value = read_network(std::get<std::string>(value), directory);
    if (axes()[axis].kind == systems::AxisKind::model) data_->model_places.emplace(std::get<std::string>(value), where);
    if (axis == hardware_.axis()) return hardware_.add(std::get<std::string>(value), directory, where);
    StudyHardware& memories = machines_.memories;
    if (axis == memories.axis() && !std::get<std::string>(value).empty())
      return memories.add(std::get<std::string>(value), directory, where);
    const auto* name = std::get_if<std::string>(&value);
    if (name != nullptr && !is_file) models_.add_texts(axes()[axis], *name, data_->definitions);
    return value;
  }

  bool is_network(std::size_t axis, const Value& value) const {
    const auto* text = std::get_if<std::string>(&value);
    return text != nullptr && axes()[axis].kind == systems::AxisKind::model && workload::import::is_network_file(*text);
  }

  /// Reads a network; it is represented by the name of its file.
  Value read_network(const std::string& path, const std::string& directory) {
    const std::string full = (std::filesystem::path(directory) / path).lexically_normal().string();
    const auto network = find_network(full, directory);
    if (std::find(data_->networks.begin(), data_->networks.end(), network) == data_->networks.end()) {
      data_->networks.push_back(network);
    }
    return network->name;
  }

  std::shared_ptr<const workload::import::NetworkFile> find_network(const std::string& path,
                                                                    const std::string& directory) const {
    try {
      return workload::import::read_network_file(path, block_.reading);
    } catch (const InputError& error) {
      // Other errors are those of the file itself.
      if (!std::string_view(error.what()).starts_with("cannot read '")) throw;
      throw InputError(fmt::format("{}; paths of networks are relative to {}", error.what(),
                                   directory.empty() ? "the current folder" : "'" + directory + "'"));
    }
  }

  bool is_overridden(std::size_t axis) const {
    return std::find(overridden_.begin(), overridden_.end(), axis) != overridden_.end();
  }

  /// Finds the axis of a setting and marks it as given. Empty if there is no such axis or it cannot be set here.
  std::optional<std::size_t> claim(const std::string& name, const SourcePosition& where) {
    const int index = data_->schema->axis_index(name);
    const auto axis = static_cast<std::size_t>(index);
    if (given_[axis]) {
      problems_.add(where, fmt::format("axis '{}' is set twice: first at {}", name, given_[axis]->text()));
      return std::nullopt;
    }
    given_[axis] = where;
    data_->origins[axis] = {systems::ValueOrigin::Kind::experiment, "experiment"};
    return axis;
  }

  std::optional<std::size_t> claim(const AxisSetting& setting, bool among_study_keys) {
    if (data_->schema->axis_index(setting.name) < 0) {
      if (setting.name == hardware_axis) {
        problems_.add(setting.entries.empty() ? setting.where : setting.entries.front().where,
                      fmt::format("system '{}' has no hardware constants: remove 'hardware'", data_->schema->name));
        return std::nullopt;
      }
      // A key whose table has another meaning than an axis of its name, which this system lacks.
      if (among_study_keys && std::ranges::find(study_keys(), setting.name) != study_keys().end()) {
        problems_.add(setting.entries.empty() ? setting.where : setting.entries.front().where,
                      fmt::format("'{0}' needs a table [study.{0}]", setting.name));
        return std::nullopt;
      }
      if (!among_study_keys && std::ranges::find(study_keys(), setting.name) != study_keys().end()) {
        problems_.add(setting.where, fmt::format("'{}' is a key of the study and not an axis: move it above the first "
                                                 "table of the study, such as [study.axes]",
                                                 setting.name));
        return std::nullopt;
      }
      std::vector<std::string> names = axis_names();
      if (among_study_keys) names.insert(names.end(), study_keys().begin(), study_keys().end());
      problems_.add(setting.where,
                    fmt::format("unknown key '{}': {} of system '{}'{}", setting.name,
                                among_study_keys ? "neither a key of a study nor an axis" : "not an axis",
                                data_->schema->name, suggestion(setting.name, names)));
      return std::nullopt;
    }
    if (setting.malformed.empty()) return claim(setting.name, setting.where);
    problems_.add(setting.where, setting.malformed);
    // A table `hardware` was meant to set a constant: hardware.clock without quotes.
    if (setting.name != hardware_axis) claim(setting.name, setting.where);
    return std::nullopt;
  }

  /// Converts the entries. An invalid one leaves a gap, so that positions match the file.
  std::vector<std::optional<Value>> convert(std::size_t axis, const std::vector<AxisEntry>& entries) {
    std::vector<std::optional<Value>> values;
    for (const AxisEntry& entry : entries) {
      values.emplace_back();
      if (!entry.value) continue;
      try {
        values.back() = read_value(axis, *entry.value, directory_, entry.where);
      } catch (const InputError& error) {
        problems_.add(entry.where, error.what());
      }
    }
    return values;
  }

  Factor::Column column(std::size_t axis, const std::vector<std::optional<Value>>& values) const {
    Factor::Column result{axis, {}, nullptr};
    for (const auto& value : values) result.values.push_back(value.value_or(Value{}));
    return result;
  }

  void add_fixed(const AxisSetting& setting) {
    const std::optional<std::size_t> axis = claim(setting, true);
    if (!axis) return;
    const auto values = convert(*axis, setting.entries);
    if (!is_overridden(*axis) && values.front()) data_->constants[*axis] = *values.front();
  }

  void add_hardware(const AxisSetting& setting) {
    if (setting.entries.size() == 1) {
      add_fixed(setting);
    } else {
      add_axis(setting);
    }
  }

  void add_axis(const AxisSetting& setting) {
    const std::optional<std::size_t> axis = claim(setting, false);
    if (!axis) return;
    const auto values = convert_distinct(*axis, setting);
    if (!is_overridden(*axis)) data_->factors.push_back({values.size(), {column(*axis, values)}, {}});
  }

  /// Values of a list that must not contain duplicates.
  std::vector<std::optional<Value>> convert_distinct(std::size_t axis, const AxisSetting& setting) {
    auto values = convert(axis, setting.entries);
    std::map<Value, std::size_t> seen;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i]) continue;
      const auto [first, added] = seen.emplace(*values[i], i);
      if (added) continue;
      problems_.add(setting.entries[i].where,
                    fmt::format("axis '{}' has the value {} twice: first at {}", setting.name, to_text(*values[i]),
                                setting.entries[first->second].where.text()));
    }
    return values;
  }

  /// The first factor.
  void add_sample(const SampleBlock& block) {
    std::vector<std::string> names;
    for (const RangeSetting& setting : block.ranges) names.push_back(setting.axis.name);
    if (names.size() > axes().size()) {
      // Some are not axes, and a sequence does not support as many dimensions as a file can have ranges.
      for (const RangeSetting& setting : block.ranges) claim(setting.axis, false);
      return;
    }
    // Different studies and seeds give different draws.
    const std::vector<SampleSequence> sequences = sample_sequences(
        block.method, std::max(block.points, std::uint64_t{1}), fmt::format("{} {}", block.seed, data_->id), names);
    Factor factor{block.points, {}, {}};
    for (std::size_t i = 0; i < block.ranges.size(); ++i) {
      const RangeSetting& setting = block.ranges[i];
      const std::optional<std::size_t> axis = claim(setting.axis, false);
      if (!axis) continue;
      const std::optional<SampleRange> range =
          setting.is_range ? make_range(axes()[*axis], setting, problems_) : list_range(*axis, setting.axis);
      if (is_overridden(*axis)) continue;
      const std::string method(name_of(block.method));
      data_->origins[*axis] = {systems::ValueOrigin::Kind::sample,
                               fmt::format("sample ({}, seed {})", method, block.seed), method, block.seed};
      if (range) factor.sampled.push_back({*axis, sequences[i], *range});
    }
    // A sample whose axes are all overridden has nothing left to draw.
    if (factor.sampled.empty()) return;
    data_->sample = {block.method, block.seed};
    data_->factors.push_back(std::move(factor));
  }

  /// Nothing for an empty list, which has been reported.
  std::optional<SampleRange> list_range(std::size_t axis, const AxisSetting& setting) {
    std::vector<Value> values = column(axis, convert_distinct(axis, setting)).values;
    if (values.empty()) return std::nullopt;
    return values;
  }

  /// Schema for conditions, with all names that texts may have.
  systems::Schema condition_schema() const {
    systems::Schema schema = *data_->schema;
    // Includes files that --set replaces, because a condition may name them.
    if (hardware_.axis()) schema.axes[*hardware_.axis()].choices = hardware_.names();
    if (const auto memory = machines_.memories.axis()) {
      schema.axes[*memory].choices = machines_.memories.names();
      schema.axes[*memory].choices.emplace_back();
    }
    if (const int model = schema.axis_index(systems::AxisKind::model); model >= 0) {
      for (const auto& network : data_->networks) {
        schema.axes[static_cast<std::size_t>(model)].choices.push_back(network->name);
      }
    }
    return schema;
  }

  void add_derived() {
    if (block_.derived.empty()) return;
    if (block_.calibration) {
      problems_.add(block_.derived.front().where, "a study has either [study.derived] or [study.calibration]");
      return;
    }
    data_->derived =
        resolve_derived(block_.derived, *data_->schema, with_metrics_as_axes(condition_schema()), problems_);
  }

  std::vector<Condition> compile_conditions() {
    std::vector<Condition> conditions;
    if (block_.conditions.empty()) return conditions;
    const systems::Schema schema = condition_schema();
    for (const PlacedText& text : block_.conditions) {
      std::optional<Condition> condition = Condition::compile(text, schema, problems_);
      if (condition) conditions.push_back(std::move(*condition));
    }
    return conditions;
  }

  void add_zip(const ZipBlock& zip) {
    Factor factor;
    for (const AxisSetting& setting : zip.settings) {
      const std::optional<std::size_t> axis = claim(setting, false);
      if (!axis) continue;
      const auto values = convert(*axis, setting.entries);
      if (is_overridden(*axis)) continue;
      factor.size = values.size();
      factor.columns.push_back(column(*axis, values));
    }
    // A zip whose axes are all overridden has nothing left that advances.
    if (!factor.columns.empty()) data_->factors.push_back(std::move(factor));
  }

  void add_table(const TableBlock& block) {
    if (!block.csv.is_given()) {  // reported already
      table_unread_ = true;
      return;
    }
    const std::string path = (std::filesystem::path(directory_) / block.csv.text).lexically_normal().string();
    PointTable table;
    try {
      const ReadCell read_cell = [this](std::size_t axis, const std::string& text, const std::string& unit,
                                        const SourcePosition& where) {
        return read_text(axis, text, unit, directory_, where);
      };
      table = read_point_table(block, path, *data_->schema, read_cell, problems_);
    } catch (const InputError& error) {
      problems_.add_at(block.csv.where, error);
      table_unread_ = true;
      return;
    }
    fill_empty_cells(table);
    Factor factor{table.factor.size, {}, {}};
    for (std::size_t i = 0; i < table.factor.columns.size(); ++i) {
      Factor::Column& values = table.factor.columns[i];
      if (claim(axes()[values.axis].name, table.where[i]) && !is_overridden(values.axis)) {
        factor.columns.push_back(std::move(values));
      }
    }
    data_->table_factor = data_->factors.size();
    data_->factors.push_back(std::move(factor));
    data_->carried = std::move(table.carried);
    data_->carried_values = std::move(table.carried_values);
  }

  /// Fills empty cells with the value that their axis has without the table.
  void fill_empty_cells(PointTable& table) {
    hardware_.find_values();
    std::vector<Factor::Column>& columns = table.factor.columns;
    const auto names_of = [&](const PointTable::EmptyCell& cell) {
      const auto machine = std::find_if(columns.begin(), columns.end(),
                                        [&](const Factor::Column& column) { return column.axis == hardware_.axis(); });
      if (machine == columns.end() || is_overridden(machine->axis)) return hardware_.values();
      if (cell.row >= machine->values.size()) return std::vector<std::string>{};  // an unreadable column
      const auto* name = std::get_if<std::string>(&machine->values[cell.row]);
      return name == nullptr ? std::vector<std::string>{} : std::vector<std::string>{*name};
    };
    // The axis `hardware` comes first, because the constants depend on it.
    std::stable_partition(table.empty.begin(), table.empty.end(), [&](const PointTable::EmptyCell& cell) {
      return columns[cell.column].axis == hardware_.axis();
    });
    for (const PointTable::EmptyCell& cell : table.empty) {
      Factor::Column& column = columns[cell.column];
      if (std::optional<Value> value = without_table(column.axis, names_of(cell), cell.where)) {
        column.values[cell.row] = std::move(*value);
      }
    }
  }

  /// Value of an axis on the machines of these names. Empty if it has none or several, which is reported at `where`.
  std::optional<Value> without_table(std::size_t index, const std::vector<std::string>& names,
                                     const SourcePosition& where) {
    if (is_overridden(index)) return data_->constants[index];
    const systems::Axis& axis = axes()[index];
    if (!is_hardware_constant(axis) && !hardware_.sets(axis, names)) {
      if (!axis.default_value)
        problems_.add(where, fmt::format("axis '{}' has no default: this cell cannot be empty", axis.name));
      return axis.default_value;
    }
    const std::optional<std::vector<Value>> values = hardware_.constants(axis, names);
    if (!values || values->empty()) return axis.default_value;  // a missing file is reported once
    if (!all_equal(*values)) {
      problems_.add(
          where, fmt::format("the hardware files have several values of '{}': this cell cannot be empty", axis.name));
    }
    return values->front();
  }

  void fill_the_rest() {
    const auto is_open = [&](std::size_t axis) { return !given_[axis] && !is_overridden(axis); };
    if (hardware_.axis() && is_open(*hardware_.axis())) take_default(*hardware_.axis());
    hardware_.find_values();
    machines_.memories.find_values();
    data_->hardware = hardware_.files();
    for (const auto& memory : machines_.memories.files()) data_->hardware.push_back(memory);
    for (std::size_t i = 0; i < axes().size(); ++i) {
      if (!is_open(i) || i == hardware_.axis()) continue;
      if (is_hardware_constant(axes()[i]) || hardware_.sets(axes()[i], hardware_.values())) {
        machines_.of(axes()[i]).follow(i);
      } else {
        take_default(i);
      }
    }
  }

  void add_draws(const UncertaintyBlock& block) {
    if (block_.sample) {
      problems_.add(block.where, "a study has either [study.sample] or [study.uncertainty]");
      return;
    }
    const auto draw = static_cast<std::size_t>(data_->schema->axis_index(draw_axis));
    if (given_[draw] || is_overridden(draw)) {
      problems_.add(given_[draw].value_or(block.where), "[study.uncertainty] sets the axis 'draw' itself");
      return;
    }
    StudyDraws draws(block, *data_, machines_, problems_);
    const auto is_choice = [&](const systems::Axis& axis) {
      return std::ranges::any_of(block.choices, [&](const AxisSetting& choice) { return choice.name == axis.name; });
    };
    for (std::size_t axis = 0; axis < axes().size(); ++axis) {
      if (follows_hardware(axis) && !is_choice(axes()[axis])) draws.add_constant(axis);
    }
    for (const AxisSetting& setting : block.choices) {
      if (const std::optional<std::size_t> axis = find_axis(setting))
        draws.add_choice(*axis, setting, convert_distinct(*axis, setting));
    }
    draws.finish();
  }

  /// The axis of a setting that changes a value of the study. Reports unknown axes and malformed settings.
  std::optional<std::size_t> find_axis(const AxisSetting& setting) {
    const int index = data_->schema->axis_index(setting.name);
    if (index < 0) {
      problems_.add(setting.where, fmt::format("'{}' is not an axis of system '{}'{}", setting.name,
                                               data_->schema->name, suggestion(setting.name, axis_names())));
      return std::nullopt;
    }
    if (!setting.malformed.empty()) {
      problems_.add(setting.where, setting.malformed);
      return std::nullopt;
    }
    return static_cast<std::size_t>(index);
  }

  /// Ranges of a search, which are lists of their values.
  void add_ranges(const SearchBlock& block) {
    for (const RangeSetting& setting : block.ranges) {
      if (!setting.is_range) {
        add_axis(setting.axis);
        continue;
      }
      const std::optional<std::size_t> axis = claim(setting.axis, false);
      if (!axis) continue;
      const auto values = range_values(axes()[*axis], setting, problems_);
      if (values && !is_overridden(*axis)) data_->factors.push_back({values->size(), {{*axis, *values, nullptr}}, {}});
    }
  }

  void add_calibration(const CalibrationBlock& block) {
    data_->calibration = resolve_calibration(block, *data_, hardware_, problems_);
    if (block_.table) data_->calibration->table = block_.table->csv.text;
  }

  void add_search(const SearchBlock& block) {
    if (block_.sample || block_.uncertainty) {
      problems_.add(block.where, fmt::format("a study has either [study.search] or [study.{}]",
                                             block_.sample ? "sample" : "uncertainty"));
      return;
    }
    data_->search = resolve_search(block, condition_schema(), block_.conditions, data_->derived, problems_);
    if (data_->factors.empty())
      problems_.add(block.where, "the study varies nothing: a search needs lists in [study.axes] or ranges");
    if (!block.recheck.empty()) add_recheck(block);
  }

  /// The slowest factor: the values of the study, then those of the recheck.
  void add_recheck(const SearchBlock& block) {
    Factor factor{2, {}, {}};
    for (const AxisSetting& setting : block.recheck) {
      const std::optional<std::size_t> found = find_axis(setting);
      if (!found) continue;
      const std::size_t axis = *found;
      if (follows_hardware(axis) || axis == hardware_.axis()) {
        problems_.add(setting.where, fmt::format("'{}' is given by the hardware file: a recheck changes axes that the "
                                                 "study sets to one value",
                                                 setting.name));
      } else if (is_in_factor(axis)) {
        problems_.add(setting.where,
                      fmt::format("'{}' varies in the search: a recheck changes axes that the study sets "
                                  "to one value",
                                  setting.name));
      } else if (const auto values = convert(axis, setting.entries); values.front()) {
        if (*values.front() == data_->constants[axis])
          problems_.add(setting.where, fmt::format("the recheck of '{}' has the value of the search", setting.name));
        factor.columns.push_back({axis, {data_->constants[axis], *values.front()}, nullptr});
      }
    }
    data_->factors.insert(data_->factors.begin(), std::move(factor));
    ++data_->table_factor;
  }

  bool follows_hardware(std::size_t axis) const {
    return data_->origins[axis].kind == systems::ValueOrigin::Kind::hardware;
  }

  bool is_in_factor(std::size_t axis) const {
    return std::ranges::any_of(data_->factors, [&](const Factor& factor) {
      return std::ranges::any_of(factor.columns, [&](const Factor::Column& column) { return column.axis == axis; });
    });
  }

  void take_default(std::size_t index) {
    const systems::Axis& axis = axes()[index];
    if (axis.default_value) {
      data_->constants[index] = *axis.default_value;
      data_->origins[index] = {systems::ValueOrigin::Kind::built_in, "default"};
    } else if (!table_unread_ && !hardware_.may_set_axes()) {  // what could not be read may set it
      problems_.add(block_.where, index == hardware_.axis() ? missing_hardware() : missing_value(axis));
    }
  }

  std::string missing_hardware() const {
    return fmt::format("system '{}' needs a hardware file: hardware = \"...\"; available: {}", data_->schema->name,
                       hardware_.available());
  }

  static std::string missing_value(const systems::Axis& axis) {
    return fmt::format("the study does not set axis '{}', and it has no default{}", axis.name,
                       axis.doc.empty() ? std::string{} : fmt::format(" ({})", axis.doc));
  }

  const StudyBlock& block_;
  const std::string& directory_;
  ModelNames& models_;
  const std::optional<Shard> shard_;
  ProblemList& problems_;
  std::shared_ptr<StudyData> data_;
  /// Position at which the experiment sets each axis.
  std::vector<std::optional<SourcePosition>> given_;
  std::vector<std::size_t> overridden_;
  bool table_unread_ = false;
  StudyMachines machines_;
  StudyHardware& hardware_ = machines_.hardware;
};

}  // namespace

std::optional<Study> build_study(const StudyBlock& block, const std::shared_ptr<const systems::Schema>& schema,
                                 StudyFiles& files, const std::vector<Override>& overrides, ProblemList& problems) {
  return Builder(block, schema, files, problems).build(overrides);
}

}  // namespace pimsweep::sweep
