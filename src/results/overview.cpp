#include "results/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <sstream>

#include "results/column_reader.h"
#include "results/columns.h"
#include "results/hdf5_read.h"
#include "results/open_results.h"
#include "results/point_cells.h"

namespace pimsweep::results {

std::vector<std::string> main_metrics(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  std::istringstream words(hdf5::read_text_attribute(group.get(), "main_metrics"));
  std::vector<std::string> names;
  for (std::string word; words >> word;) names.push_back(word);
  return names;
}

namespace {

/// Calls `use` with the point and the number of each point that has one.
template <typename Use>
void for_each_number(ColumnReader& status, std::optional<ColumnReader>& draw, ColumnReader& metric, const Use& use) {
  for (std::uint64_t row = 0; row < status.rows(); ++row) {
    if ((draw && draw->integer(row) != 0) || status.integer(row) != 0) continue;
    if (std::isfinite(metric.real(row))) use(row, metric.real(row));
  }
}

/// An integer that is ordered as the numbers are.
std::uint64_t ordered_bits(double number) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

double number_of(std::uint64_t ordered) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  return std::bit_cast<double>((ordered & sign) != 0 ? ordered & ~sign : ~ordered);
}

}  // namespace

namespace {

/// Overview of one metric; empty if no point has a number.
std::optional<Overview> overview_of(hid_t group, const std::string& results_file, const std::string& study,
                                    const std::string& name) {
  ColumnReader status(group, results_file, "status");
  ColumnReader metric(group, results_file, name);
  std::optional<ColumnReader> draw;
  if (H5Lexists(group, draw_column, H5P_DEFAULT) > 0) draw.emplace(group, results_file, draw_column);
  if (metric.type() != ValueType::real || (draw && draw->type() != ValueType::integer)) return std::nullopt;
  Overview result{.study = study, .metric = name, .unit = metric.unit()};
  for_each_number(status, draw, metric, [&](std::uint64_t point, double number) {
    if (result.points == 0 || number < result.best) {
      result.best = number;
      result.best_point = point;
    }
    result.worst = result.points == 0 ? number : std::max(result.worst, number);
    ++result.points;
  });
  if (result.points == 0) return std::nullopt;
  // The median by its digits of 16 bits, the highest first: the numbers are counted instead of sorted.
  constexpr unsigned digit_bits = 16;
  std::uint64_t prefix = 0;
  std::uint64_t rank = result.points / 2;
  for (unsigned shift = 64; shift > 0;) {
    std::vector<std::uint64_t> counts(std::size_t{1} << digit_bits);
    const unsigned above = shift;
    shift -= digit_bits;
    for_each_number(status, draw, metric, [&](std::uint64_t, double number) {
      const std::uint64_t bits = ordered_bits(number);
      if (above == 64 || (bits >> above) == prefix) ++counts[(bits >> shift) & (counts.size() - 1)];
    });
    std::size_t digit = 0;
    for (; rank >= counts[digit]; ++digit) rank -= counts[digit];
    prefix = prefix << digit_bits | digit;
  }
  result.median = number_of(prefix);
  return result;
}

}  // namespace

std::optional<Overview> overview(const std::string& results_file, const std::string& study) {
  std::vector<std::string> metrics = main_metrics(results_file, study);
  const Hdf5Handle file = open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  // A system may have other answers to some questions, as the time of a prompt instead of that of a token.
  constexpr const char* general_metric = "time";
  if (!metrics.empty() && H5Lexists(group.get(), general_metric, H5P_DEFAULT) > 0)
    metrics.insert(metrics.begin() + 1, general_metric);
  for (const std::string& metric : metrics) {
    if (auto found = overview_of(group.get(), results_file, study, metric)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> message_without_ok(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  ColumnReader status(group.get(), results_file, "status");
  for (std::uint64_t row = 0; row < status.rows(); ++row) {
    if (status.integer(row) == 0) return std::nullopt;
  }
  if (status.rows() == 0) return std::nullopt;
  return std::string(ColumnReader(group.get(), results_file, "message").text(0));
}

std::string overview_text(const Overview& overview, const std::string& place) {
  const auto value = [&](double number) { return brief(number, overview.unit); };
  std::string text = fmt::format("{} {}", overview.metric, value(overview.best));
  if (overview.points == 1) return text;
  if (overview.best == overview.worst) return fmt::format("{} at all {} points", text, overview.points);
  return fmt::format("best {}{}{} (point {}); up to {}, median {}", text, place.empty() ? "" : " at ", place,
                     overview.best_point, value(overview.worst), value(overview.median));
}

}  // namespace pimsweep::results
