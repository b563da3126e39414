#include "calibrate/fitted_hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "base/plural.h"
#include "sweep/hardware_axis.h"

namespace pimsweep::calibrate {

namespace {

/// A text as a TOML string.
std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

/// A value of a hardware file, with all digits.
std::string value_text(const ConstantReport& constant, ValueType type, double value) {
  const std::string number = type == ValueType::integer ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
  return constant.unit == "1" ? number : toml_string(fmt::format("{} {}", number, constant.unit));
}

/// Name of the table of rows, or of the experiment.
std::string rows_name(const sweep::Study& rows) {
  const sweep::Calibration& fit = *rows.calibration();
  return fit.table.empty() ? std::filesystem::path(fit.where.file).filename().string() : fit.table;
}

std::string source_of(const sweep::Study& rows, const Report& report) {
  constexpr std::size_t digits = 12;
  const std::string fit = fmt::format("fitted by pimsweep calibrate to {} of {} (digest {})",
                                      count_of(report.rows, "row"), rows_name(rows), report.content.substr(0, digits));
  if (report.splits.empty()) return fit + "; no row was held out";
  return fmt::format("{}; median error on rows that were not fitted {}, with the constants before {}", fit,
                     error_text(report, report.held_out.after.median),
                     error_text(report, report.held_out.before.median));
}

/// The table of a fitted constant.
std::string table_of(const ConstantReport& constant, const sweep::Study& rows, const Report& report) {
  const std::string key = constant.name.substr(sweep::hardware_prefix.size());
  const auto axis = static_cast<std::size_t>(rows.schema().axis_index(constant.name));
  const ValueType type = rows.schema().axes[axis].type;
  const bool has_confidence = rows.calibration()->profile;
  double low = has_confidence ? constant.confidence.first : constant.range_low;
  double high = has_confidence ? constant.confidence.second : constant.range_high;
  // A range has two ends, with the value in it.
  constexpr double min_width = 1e-6;
  if (low >= constant.after) low = constant.after - min_width * (constant.range_high - constant.range_low);
  if (high <= constant.after) high = constant.after + min_width * (constant.range_high - constant.range_low);
  if (type == ValueType::integer) {
    low = std::min(low, constant.after - 1);
    high = std::max(high, constant.after + 1);
  }
  return fmt::format(
      "[{}]\nvalue = {}\nbasis = \"calibrated\"\nsource = {}\nlow = {}\nhigh = {}\nrange = {}\n", key,
      value_text(constant, type, constant.after), toml_string(source_of(rows, report)), value_text(constant, type, low),
      value_text(constant, type, high),
      toml_string(has_confidence ? "95 % range of the fit: the wider one of its profile and of a jackknife by groups"
                                 : "range in which it was fitted"));
}

std::string_view description_of(ErrorFactor::Part part) {
  switch (part) {
    case ErrorFactor::Part::all:
      return "holds 90 % of measured / modeled values around their median";
    case ErrorFactor::Part::common:
      return "90 % of the medians of measured / modeled values of a class";
    case ErrorFactor::Part::by_shape:
      break;
  }
  return "holds 90 % of measured / modeled values around the median of their class";
}

/// The table of a factor for the error of the model.
std::string table_of(const ErrorFactor& factor, const sweep::Study& rows) {
  constexpr int digits = 4;
  return fmt::format(
      "[{}]\nvalue = 1\nbasis = \"calibrated\"\nsource = \"the model with the fitted constants\"\n"
      "distribution = \"log-normal\"\nlow = {:.{}g}\nhigh = {:.{}g}\nrange = {}\n",
      factor.name.substr(sweep::hardware_prefix.size()), factor.low, digits, factor.high, digits,
      toml_string(fmt::format("{}, over {} of {} that were not fitted", description_of(factor.part),
                              count_of(factor.values, "value"), rows_name(rows))));
}

}  // namespace

std::string fitted_hardware(const sweep::Study& rows, const Report& report, const std::string& base) {
  std::string text = fmt::format("{}base = {}\n", fitted_mark, toml_string(base));
  for (const ConstantReport& constant : report.constants) {
    if (constant.is_fitted) text += '\n' + table_of(constant, rows, report);
  }
  for (const ErrorFactor& factor : report.error_factors) text += '\n' + table_of(factor, rows);
  return text;
}

}  // namespace pimsweep::calibrate
