#include "results/point_cells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/quantity.h"
#include "results/results_reader.h"
#include "results/study_columns.h"

namespace pimsweep::results {

std::vector<std::string> varying_axes(const std::string& results_file, const std::string& study) {
  return StudyColumns(results_file, study).varying_axes();
}

std::vector<std::string> chosen_studies(const std::string& results_file, const std::vector<std::string>& studies) {
  return chosen_studies(results_file, study_ids(results_file), studies);
}

std::vector<std::string> chosen_studies(const std::string& file, std::vector<std::string> ids,
                                        const std::vector<std::string>& studies) {
  if (studies.empty()) return ids;
  ProblemList problems;
  for (const std::string& study : studies) {
    if (std::ranges::find(ids, study) != ids.end()) continue;
    problems.add({}, fmt::format("'{}' has no study '{}'{}; it has {}", file, study, suggestion(study, ids),
                                 fmt::join(ids, ", ")));
  }
  problems.throw_if_any();
  std::erase_if(ids, [&](const std::string& id) { return std::ranges::find(studies, id) == studies.end(); });
  return ids;
}

std::string readable(const Value& value, const std::string& unit) {
  if (const auto* real = std::get_if<double>(&value)) return format_quantity(*real, unit);
  return to_text(value);
}

std::string brief(const Value& value, const std::string& unit) {
  constexpr int digits = 4;
  constexpr double large = 1e5;
  const auto* real = std::get_if<double>(&value);
  if (real == nullptr) return to_text(value);
  if (std::isnan(*real)) return "-";
  if (unit != "1" || std::fabs(*real) < large) return format_quantity(*real, unit, digits);
  // A count: the letter is that of the same number of hertz.
  std::string text = format_quantity(*real, "Hz", digits);
  text.erase(text.size() - 2);
  return text;
}

struct PointCells::Columns {
  StudyColumns study;
  std::vector<PointColumn> readers = {};
  Value value = {};
};

PointCells::PointCells(const std::string& results_file, const std::string& study, const std::vector<std::string>& names)
    : columns_(new Columns{StudyColumns(results_file, study)}) {
  for (const std::string& name : names) {
    columns_->readers.push_back(columns_->study.column_or_expression(name));
  }
}

PointCells::~PointCells() = default;

const std::string& PointCells::unit(std::size_t column) const { return columns_->readers[column].unit(); }

std::vector<std::string> PointCells::numbers() const {
  std::vector<std::string> names{"point"};
  for (const PointColumn& reader : columns_->readers) {
    if (reader.type() != ValueType::text) names.push_back(reader.name());
  }
  return names;
}

std::vector<std::string> PointCells::row(std::uint64_t point, bool si) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < columns_->readers.size(); ++i) {
    columns_->readers[i].get(point, columns_->value);
    texts.push_back(si ? to_text(columns_->value) : readable(columns_->value, columns_->readers[i].unit()));
  }
  return texts;
}

std::vector<std::string> PointCells::brief(std::uint64_t point) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < columns_->readers.size(); ++i) {
    columns_->readers[i].get(point, columns_->value);
    texts.push_back(results::brief(columns_->value, columns_->readers[i].unit()));
  }
  return texts;
}

}  // namespace pimsweep::results
