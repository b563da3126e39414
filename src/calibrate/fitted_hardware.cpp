#include "calibrate/fitted_hardware.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

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

std::string source_of(const sweep::Study& rows, const Report& report) {
  const sweep::Calibration& fit = *rows.calibration();
  const std::string table = fit.table.empty() ? std::filesystem::path(fit.where.file).filename().string() : fit.table;
  constexpr std::size_t digits = 12;
  return fmt::format(
      "fitted by pimsweep calibrate to {} rows of {} (digest {}); median error on rows that were not "
      "fitted {}, with the constants before {}",
      report.rows, table, report.content.substr(0, digits), error_text(report, report.held_out.after.median),
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

}  // namespace

std::string fitted_hardware(const sweep::Study& rows, const Report& report, const std::string& base) {
  std::string text = fmt::format("{}base = {}\n", fitted_mark, toml_string(base));
  for (const ConstantReport& constant : report.constants) {
    if (constant.is_fitted) text += '\n' + table_of(constant, rows, report);
  }
  return text;
}

}  // namespace pimsweep::calibrate
