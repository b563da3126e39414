#include "results/results_reader.h"

#include <algorithm>
#include <cmath>

#include "results/frame.h"

namespace pimsweep {

namespace {

Value cell(const FrameColumn& column, ValueType type, std::size_t row) {
  switch (type) {
    case ValueType::text:
      return column.texts[row];
    case ValueType::integer:
      return static_cast<std::int64_t>(column.numbers[row]);
    case ValueType::boolean:
      return column.numbers[row] != 0;
    case ValueType::real:
      break;
  }
  return column.numbers[row];
}

/// The columns of `metrics` in their order; empty if one is missing or has another type.
std::vector<const FrameColumn*> find_columns(const Frame& frame, const std::vector<Metric>& metrics) {
  std::vector<const FrameColumn*> columns;
  for (const Metric& metric : metrics) {
    const auto found = frame.columns.find(metric.name);
    if (found == frame.columns.end()) return {};
    if (frame.rows > 0 && found->second.is_text() != (metric.type == ValueType::text)) return {};
    columns.push_back(&found->second);
  }
  return columns;
}

/// A detail table with the rows of each point together, as they were written.
struct Detail {
  Frame frame;
  std::vector<const FrameColumn*> columns;
  const Table* table;
  std::size_t next_row = 0;

  void take_rows_of(std::size_t point, std::vector<Value>& cells) {
    const std::vector<double>& owner = frame.columns.at("point").numbers;
    for (; next_row < owner.size() && owner[next_row] == static_cast<double>(point); ++next_row) {
      for (std::size_t i = 0; i < columns.size(); ++i)
        cells.push_back(cell(*columns[i], table->columns[i].type, next_row));
    }
  }
};

void read_one_study(const std::string& file, const std::string& id, const Schema& schema,
                    const std::function<void(const JournalEntry&)>& use) {
  const Frame points = read_study(file, id);
  const std::vector<const FrameColumn*> metrics = find_columns(points, schema.metrics);
  if (metrics.size() != schema.metrics.size()) return;
  std::vector<Detail> details(schema.tables.size());
  for (std::size_t i = 0; i < details.size(); ++i) {
    details[i].table = &schema.tables[i];
    details[i].frame = read_table(file, id, schema.tables[i].name);
    details[i].columns = find_columns(details[i].frame, schema.tables[i].columns);
    if (details[i].columns.size() != schema.tables[i].columns.size()) return;
  }
  const std::vector<Hash128> identities = read_identities(file, id);
  const std::vector<double> seconds = read_seconds(file, id);
  const auto& status = points.columns.at("status").numbers;
  const auto& message = points.columns.at("message").texts;
  JournalEntry entry;
  for (std::size_t row = 0; row < points.rows; ++row) {
    entry.record.reset(schema);
    for (std::size_t i = 0; i < details.size(); ++i) details[i].take_rows_of(row, entry.record.tables[i]);
    entry.record.status = static_cast<Status>(status[row]);
    if (entry.record.status == Status::not_run) continue;
    entry.record.message = message[row];
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      const bool text = schema.metrics[i].type == ValueType::text;
      entry.record.metrics[i] = cell(*metrics[i], text ? ValueType::text : ValueType::real, row);
    }
    entry.identity = identities[row];
    entry.seconds = seconds[row];
    use(entry);
  }
}

}  // namespace

void for_each_result(const std::string& results_file, const std::function<const Schema*(std::string_view)>& schema_of,
                     const std::function<void(const JournalEntry&)>& use) {
  for (const std::string& id : study_ids(results_file)) {
    if (const Schema* schema = schema_of(study_system(results_file, id)))
      read_one_study(results_file, id, *schema, use);
  }
}

}  // namespace pimsweep
