#include "results/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "results/draws.h"
#include "results/hdf5_read.h"
#include "results/point_places.h"
#include "results/study_columns.h"

namespace pimsweep::results {

std::vector<std::string> main_metrics(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = hdf5::open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  std::istringstream words(hdf5::read_text_attribute(group.get(), "main_metrics"));
  std::vector<std::string> names;
  for (std::string word; words >> word;) names.push_back(word);
  return names;
}

std::optional<Overview> overview(const std::string& results_file, const std::string& study) {
  const std::vector<std::string> metrics = main_metrics(results_file, study);
  if (metrics.empty()) return std::nullopt;
  StudyColumns columns(results_file, study);
  ProblemList problems;
  columns.check_metric(metrics.front(), problems);
  problems.throw_if_any();
  ColumnReader column = columns.column(metrics.front());
  Overview result{.study = study, .metric = metrics.front(), .unit = column.unit()};
  std::vector<double> numbers;
  for (std::uint64_t row = 0; row < columns.rows(); ++row) {
    if (!columns.is_on_file(row) || !columns.is_ok(row) || !std::isfinite(column.real(row))) continue;
    if (numbers.empty() || column.real(row) < result.best) {
      result.best = column.real(row);
      result.best_point = row;
    }
    numbers.push_back(column.real(row));
  }
  if (numbers.empty()) return std::nullopt;
  result.points = numbers.size();
  result.worst = *std::max_element(numbers.begin(), numbers.end());
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::nth_element(numbers.begin(), middle, numbers.end());
  result.median = *middle;
  return result;
}

std::string overview_text(const std::string& results_file, const Overview& overview) {
  const auto value = [&](double number) { return brief(number, overview.unit); };
  std::string text = fmt::format("{} {}", overview.metric, value(overview.best));
  if (overview.points == 1) return text;
  if (overview.best == overview.worst) return fmt::format("{} at all {} points", text, overview.points);
  constexpr std::size_t max_axes = 6;
  const std::string place =
      PointPlaces(results_file, overview.study, {draw_column}, max_axes).text(overview.best_point);
  return fmt::format("best {}{}{} (point {}); up to {}, median {}", text, place.empty() ? "" : " at ", place,
                     overview.best_point, value(overview.worst), value(overview.median));
}

}  // namespace pimsweep::results
