#include "results/point_cells.h"

#include "results/study_columns.h"

namespace pimsweep::results {

std::vector<std::string> varying_axes(const std::string& results_file, const std::string& study) {
  return StudyColumns(results_file, study).varying_axes();
}

struct PointCells::Columns {
  StudyColumns study;
  std::vector<ColumnReader> readers = {};
  std::vector<std::string> units = {};
  Value value = {};
};

PointCells::PointCells(const std::string& results_file, const std::string& study, const std::vector<std::string>& names)
    : columns_(new Columns{StudyColumns(results_file, study)}) {
  for (const std::string& name : names) {
    columns_->readers.push_back(columns_->study.column(name));
    columns_->units.push_back(columns_->readers.back().unit());
  }
}

PointCells::~PointCells() = default;

const std::string& PointCells::unit(std::size_t column) const { return columns_->units[column]; }

std::vector<std::string> PointCells::numbers() const {
  std::vector<std::string> names{"point"};
  for (const ColumnReader& reader : columns_->readers) {
    if (reader.type() != ValueType::text) names.push_back(reader.name());
  }
  return names;
}

std::vector<std::string> PointCells::row(std::uint64_t point, bool si) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < columns_->readers.size(); ++i) {
    columns_->readers[i].get(point, columns_->value);
    texts.push_back(si ? to_text(columns_->value) : readable(columns_->value, columns_->units[i]));
  }
  return texts;
}

std::vector<std::string> PointCells::brief(std::uint64_t point) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < columns_->readers.size(); ++i) {
    columns_->readers[i].get(point, columns_->value);
    texts.push_back(results::brief(columns_->value, columns_->units[i]));
  }
  return texts;
}

}  // namespace pimsweep::results
