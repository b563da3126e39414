#include "sweep/point_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/csv.h"
#include "base/posix_file.h"
#include "base/quantity.h"
#include "base/trim.h"
#include "sweep/axis_value.h"

namespace pimsweep::sweep {

namespace {

/// Splits "hardware.clock [MHz]" into name and unit.
struct Header {
  std::string name;
  std::string unit;
};

Header split_header(std::string_view text) {
  const std::string_view whole = trim(text);
  const auto bracket = whole.find('[');
  if (bracket == std::string_view::npos || !whole.ends_with(']')) return {std::string(whole), {}};
  return {std::string(trim(whole.substr(0, bracket))),
          std::string(trim(whole.substr(bracket + 1, whole.size() - bracket - 2)))};
}

/// An axis that accepts any number of a dimension.
systems::Axis free_number(std::string name, ValueType type, std::string unit) {
  systems::Axis axis;
  axis.name = std::move(name);
  axis.type = type;
  axis.unit = std::move(unit);
  return axis;
}

class TableReader {
 public:
  TableReader(const std::string& path, const systems::Schema& schema, const ReadCell& read_cell, ProblemList& problems)
      : path_(path), schema_(schema), read_cell_(read_cell), problems_(problems) {}

  PointTable read(const TableBlock& block) {
    csv_ = parse_csv(read_file(path_), path_);
    for (const CsvCell& cell : csv_.header) headers_.push_back(split_header(cell.text));
    if (csv_.rows.empty()) problems_.add({path_, 0, 0}, "the table does not have rows after its header");
    check_headers();
    for (const Header& header : headers_) names_.push_back(header.name);
    table_.factor.size = csv_.rows.size();
    std::vector<bool> done = repeated_;
    for (const PlacedText& name : block.ignore) {
      if (const auto column = find(name)) done[*column] = true;
    }
    ignored_ = done;
    for (const PlacedText& name : block.labels) carry(name, CarriedColumn::Role::label, done);
    for (const PlacedText& name : block.reference) carry(name, CarriedColumn::Role::reference, done);
    for (std::size_t column = 0; column < headers_.size(); ++column) {
      if (!done[column]) read_axis(column);
    }
    return std::move(table_);
  }

 private:
  SourcePosition at(const CsvCell& cell) const { return {path_, cell.line, cell.column}; }

  void check_headers() {
    repeated_.assign(headers_.size(), false);
    for (std::size_t i = 0; i < headers_.size(); ++i) {
      const auto [first, is_new] = first_of_.emplace(headers_[i].name, i);
      if (is_new || headers_[i].name.empty()) continue;
      problems_.add(at(csv_.header[i]), fmt::format("column '{}' occurs twice in the header: first at {}",
                                                    headers_[i].name, at(csv_.header[first->second]).text()));
      repeated_[i] = true;
    }
  }

  std::optional<std::size_t> find(const PlacedText& name) {
    if (const auto found = first_of_.find(name.text); found != first_of_.end()) return found->second;
    // The search for a similar name among thousands, for each of thousands of names, would take minutes.
    constexpr std::size_t max_suggestions = 100;
    problems_.add(name.where, fmt::format("the table {} does not have a column '{}'{}", path_, name.text,
                                          ++unknown_ > max_suggestions ? "" : suggestion(name.text, names_)));
    return std::nullopt;
  }

  void carry(const PlacedText& name, CarriedColumn::Role role, std::vector<bool>& done) {
    const auto found = find(name);
    if (!found) return;
    const std::size_t column = *found;
    done[column] = true;
    if (ignored_[column] && !repeated_[column]) {
      problems_.add(name.where, fmt::format("column '{}' is also named in 'ignore'", name.text));
    } else if (schema_.axis_index(name.text) >= 0) {
      problems_.add(name.where, fmt::format("column '{}' is an axis of system '{}': it is in the results already",
                                            name.text, schema_.name));
    } else if (role == CarriedColumn::Role::label) {
      read_label(column);
    } else {
      read_reference(name, column);
    }
  }

  /// Integers if all cells are, reals if all are numbers (an empty one is missing), else text.
  void read_label(std::size_t column) {
    static const systems::Axis integer_axis = free_number("label", ValueType::integer, "1");
    static const systems::Axis real_axis = free_number("label", ValueType::real, "1");
    const auto try_all = [&](const systems::Axis& type, bool empty_is_missing) -> std::optional<std::vector<Value>> {
      std::vector<Value> values;
      bool any = false;
      for (const auto& row : csv_.rows) {
        if (row[column].text.empty()) {
          if (!empty_is_missing) return std::nullopt;
          values.emplace_back(std::numeric_limits<double>::quiet_NaN());
          continue;
        }
        any = true;
        if (!is_plain_number(row[column].text)) return std::nullopt;
        try {
          values.push_back(convert_text(type, row[column].text));
        } catch (const InputError&) {
          return std::nullopt;
        }
      }
      return any ? std::optional(std::move(values)) : std::nullopt;
    };
    std::optional<std::vector<Value>> values = try_all(integer_axis, false);
    ValueType type = ValueType::integer;
    if (!values) {
      values = try_all(real_axis, true);
      type = ValueType::real;
    }
    if (!values) {
      type = ValueType::text;
      values.emplace();
      for (const auto& row : csv_.rows) values->emplace_back(row[column].text);
    }
    table_.carried.push_back({headers_[column].name, CarriedColumn::Role::label, type});
    table_.carried_values.push_back(std::move(*values));
  }

  void read_reference(const PlacedText& name, std::size_t column) {
    const int metric_index = schema_.metric_index(name.text);
    if (metric_index < 0) {
      std::vector<std::string> metrics;
      for (const systems::Metric& metric : schema_.metrics) metrics.push_back(metric.name);
      problems_.add(name.where, fmt::format("'{}' is not a metric of system '{}'{} and cannot be a reference",
                                            name.text, schema_.name, suggestion(name.text, metrics)));
      return;
    }
    const systems::Metric& metric = schema_.metrics[static_cast<std::size_t>(metric_index)];
    if (metric.type == ValueType::text) {
      problems_.add(name.where, fmt::format("metric '{}' is text: it cannot be a reference", name.text));
      return;
    }
    if (!unit_fits(fmt::format("reference '{}'", name.text), metric.type, metric.unit, column)) return;
    std::vector<Value> values;
    for (const auto& row : csv_.rows) values.emplace_back(reference_value(row[column], headers_[column].unit, metric));
    table_.carried.push_back({name.text, CarriedColumn::Role::reference, ValueType::real});
    table_.carried_values.push_back(std::move(values));
  }

  double reference_value(const CsvCell& cell, const std::string& header_unit, const systems::Metric& metric) {
    if (trim(cell.text).empty()) return std::numeric_limits<double>::quiet_NaN();
    const bool in_si = header_unit.empty() && is_plain_number(cell.text);
    const systems::Axis axis =
        free_number(fmt::format("reference_{}", metric.name), ValueType::real, in_si ? "1" : metric.unit);
    try {
      return to_real(convert_text(axis, cell.text, header_unit));
    } catch (const InputError& error) {
      problems_.add(at(cell), column_message(error.what(), axis.name, metric.name));
      return 0;
    }
  }

  /// Replaces axes by columns in messages about references.
  static std::string column_message(const std::string& message, const std::string& axis, const std::string& column) {
    const std::string spoken = fmt::format("axis '{}'", axis);
    return message.starts_with(spoken) ? fmt::format("reference '{}'{}", column, message.substr(spoken.size()))
                                       : message;
  }

  void read_axis(std::size_t column) {
    const Header& header = headers_[column];
    const int index = schema_.axis_index(header.name);
    if (index < 0) {
      std::vector<std::string> names;
      for (const systems::Axis& axis : schema_.axes) names.push_back(axis.name);
      problems_.add(
          at(csv_.header[column]),
          fmt::format("column '{}' is not an axis of system '{}'{}; name it in labels or reference to carry it "
                      "into the results, or in ignore",
                      header.name, schema_.name, suggestion(header.name, names)));
      return;
    }
    const auto axis_index = static_cast<std::size_t>(index);
    const systems::Axis& axis = schema_.axes[axis_index];
    table_.where.push_back(at(csv_.header[column]));
    Factor::Column& values = table_.factor.columns.emplace_back(Factor::Column{axis_index, {}, nullptr});
    if (!unit_fits(fmt::format("axis '{}'", axis.name), axis.type, axis.unit, column)) return;
    values.values.reserve(csv_.rows.size());
    for (const auto& row : csv_.rows) values.values.push_back(axis_value(axis_index, row[column], header.unit));
  }

  /// True if the header of the column states no unit, or one that the axis or metric `subject` can have.
  bool unit_fits(const std::string& subject, ValueType type, const std::string& own_unit, std::size_t column) {
    const std::string& unit = headers_[column].unit;
    if (unit.empty()) return true;
    const SourcePosition where = at(csv_.header[column]);
    if (type == ValueType::boolean || type == ValueType::text) {
      problems_.add(where, fmt::format("{} is {} and cannot have a unit, got [{}]", subject, name_of(type), unit));
      return false;
    }
    try {
      const double scale = parse_quantity(fmt::format("1 {}", unit), own_unit);
      if (scale == 1 || parse_unit(own_unit).dimension != Dimension{}) return true;
      problems_.add(where, fmt::format("{} is a plain number, got [{}]", subject, unit));
      return false;
    } catch (const InputError& error) {
      problems_.add(where, fmt::format("{}: {}", subject, error.what()));
      return false;
    }
  }

  /// Value of a cell in the column being read.
  Value axis_value(std::size_t axis, const CsvCell& cell, const std::string& unit) {
    if (cell.text.empty()) {
      const std::size_t column = table_.factor.columns.size() - 1;
      table_.empty.push_back({column, table_.factor.columns.back().values.size(), at(cell)});
      return {};
    }
    try {
      return read_cell_(axis, cell.text, unit, at(cell));
    } catch (const InputError& error) {
      problems_.add_at(at(cell), error);
      return {};
    }
  }

  const std::string& path_;
  const systems::Schema& schema_;
  const ReadCell& read_cell_;
  ProblemList& problems_;
  CsvTable csv_;
  std::vector<Header> headers_;
  std::vector<std::string> names_;
  /// By name the first column that has it.
  std::unordered_map<std::string_view, std::size_t> first_of_;
  /// Names that are not found.
  std::size_t unknown_ = 0;
  /// Columns whose name occurs further left, too.
  std::vector<bool> repeated_;
  /// Repeated columns and columns that the block ignores.
  std::vector<bool> ignored_;
  PointTable table_;
};

}  // namespace

PointTable read_point_table(const TableBlock& block, const std::string& path, const systems::Schema& schema,
                            const ReadCell& read_cell, ProblemList& problems) {
  return TableReader(path, schema, read_cell, problems).read(block);
}

}  // namespace pimsweep::sweep
