#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

#include "base/output_file.h"
#include "base/plural.h"
#include "base/print.h"
#include "base/quantity.h"
#include "calibrate/fitted_hardware.h"
#include "commands/command_line.h"
#include "commands/commands.h"
#include "commands/json.h"
#include "driver/launch.h"
#include "results/results_reader.h"

namespace pimsweep::commands {

namespace {

using calibrate::Comparison;
using calibrate::ConstantReport;
using calibrate::ErrorSummary;
using calibrate::Report;

constexpr double percent = 100;
/// First columns of a table of rows.
constexpr std::string_view csv_mark = "row,metric,";

struct CalibrateOptions {
  RunArguments arguments;
  /// The fitted hardware file.
  std::string output;
  OutputForm form;
};

std::string results_of(const std::string& output) {
  return std::filesystem::path(output).replace_extension(".h5").string();
}

using HardwareFiles = std::vector<std::shared_ptr<const sweep::HardwareFile>>;

/// The hardware files of the rows: conditions may exclude those of others.
HardwareFiles hardware_of(const sweep::Study& rows) {
  const auto axis = static_cast<std::size_t>(rows.schema().axis_index("hardware"));
  std::set<std::string> used;
  systems::Point point(rows.schema().axes.size());
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    rows.point(row, point);
    used.insert(sweep::short_hardware_name(point.text(axis)));
  }
  HardwareFiles files = rows.hardware();
  std::erase_if(files, [&](const auto& file) { return !used.contains(file->short_name); });
  return files;
}

/// The fitted file of each hardware file: with several, its name tells them apart.
std::vector<std::string> paths_of(const std::string& output, const HardwareFiles& files) {
  std::vector<std::string> paths;
  const std::filesystem::path path(output);
  for (const auto& file : files) {
    const std::string name = fmt::format("{}-{}{}", path.stem().string(), file->short_name, path.extension().string());
    paths.push_back(files.size() == 1 ? output : (path.parent_path() / name).string());
  }
  return paths;
}

/// Name under which a file at `path` refers to another one: by its name if that leads to it, otherwise by a relative
/// path.
std::string base_name(const sweep::HardwareFile& file, const std::string& path, const ConfigFolders& configs) {
  namespace fs = std::filesystem;
  const std::vector<std::string> known = sweep::hardware_names(configs);
  if (std::ranges::find(known, file.short_name) != known.end() &&
      fs::equivalent(sweep::hardware_path(file.short_name, configs), file.path))
    return file.short_name;
  return fs::relative(fs::absolute(file.path), fs::absolute(path).parent_path()).string();
}

std::vector<calibrate::TaskResult> read_results(const std::string& file, const sweep::Study& fits) {
  results::StudyReader reader(file, fits.id(), fits.schema());
  std::vector<calibrate::TaskResult> found;
  journal::Entry entry;
  for (std::uint64_t point = 0; point < fits.size(); ++point) {
    reader.read(point, entry);
    calibrate::TaskResult& result = found.emplace_back();
    result.loss = to_real(entry.record.metrics[0]);
    for (std::size_t i = calibrate::metric_of(0); i < entry.record.metrics.size(); ++i)
      result.constants.push_back(to_real(entry.record.metrics[i]));
  }
  return found;
}

std::string shown(const ConstantReport& constant, double value) {
  constexpr int digits = 4;
  return format_quantity(value, constant.unit, digits);
}

void print_constants(const Report& report, bool has_ranges) {
  TextTable table({"constant", "file", "fitted", "95 % range", "moves rows by"});
  std::vector<std::string> still;
  std::vector<std::string> left_out;
  for (const ConstantReport& constant : report.constants) {
    if (!constant.is_fitted) {
      (constant.moves_rows ? left_out : still).push_back(constant.name);
      continue;
    }
    const auto end = [&](double value, double limit) {
      return shown(constant, value) + (value == limit ? " (end of its range)" : "");
    };
    table.add({constant.name, shown(constant, constant.before), shown(constant, constant.after),
               has_ranges ? fmt::format("{} to {}", end(constant.confidence.first, constant.range_low),
                                        end(constant.confidence.second, constant.range_high))
                          : "",
               error_text(report, constant.influence)});
  }
  print_to(stdout, "{}", table.aligned());
  if (!still.empty()) print_to(stdout, "without influence on these rows: {}\n", fmt::join(still, ", "));
  if (!left_out.empty()) print_to(stdout, "left out by the screening: {}\n", fmt::join(left_out, ", "));
  constexpr double dependent = 0.95;
  for (const calibrate::PairReport& pair : report.pairs) {
    const std::string& first = report.constants[pair.first].name;
    const std::string& second = report.constants[pair.second].name;
    if (pair.act_together) {
      print_to(stdout, "{} and {} only act together: the rows determine one combination of both\n", first, second);
    } else if (std::abs(pair.correlation) > dependent) {
      print_to(stdout, "{} and {} can hardly be distinguished: the correlation of their fits is {:.3f}\n", first,
               second, pair.correlation);
    }
  }
}

void add_errors(const Report& report, const std::string& rows, const Comparison& comparison, TextTable& table) {
  const auto add = [&](const char* machine, const ErrorSummary& errors) {
    if (errors.values == 0) return;
    table.add({rows, machine, fmt::format("{}", errors.values), error_text(report, errors.median),
               error_text(report, errors.percentile90), error_text(report, errors.bias),
               std::isnan(errors.rank) ? "-" : fmt::format("{:.3f}", errors.rank),
               fmt::format("{:.0f} %", percent * errors.within10), fmt::format("{:.0f} %", percent * errors.within25)});
  };
  add("file", comparison.before);
  add("fitted", comparison.after);
  add("one factor", comparison.factor);
}

void print_report(const sweep::Study& rows, const Report& report) {
  std::size_t fitted = 0;
  for (const ConstantReport& constant : report.constants) fitted += constant.is_fitted ? 1 : 0;
  print_to(stdout, "{}: {} of {} fitted to {} in {}\n", rows.id(), fitted,
           count_of(report.constants.size(), "constant"), count_of(report.rows, "row"),
           count_of(report.groups, "group"));
  if (report.excluded > 0)
    print_to(stdout, "{} without a result on this machine: {}\n", count_of(report.excluded, "row"), report.reason);
  const auto unmoved =
      static_cast<std::size_t>(std::ranges::count(report.values, false, &calibrate::RowReport::is_moved));
  if (unmoved > 0) print_to(stdout, "{} not moved by any fitted constant\n", count_of(unmoved, "value"));
  print_to(stdout, "\n");
  print_constants(report, rows.calibration()->profile);
  TextTable table(
      {"rows", "constants", "values", "median error", "90 %", "bias", "rank", "within 10 %", "within 25 %"});
  add_errors(report, "held out", report.held_out, table);
  for (const Comparison& kind : report.classes) add_errors(report, "held out, " + kind.name, kind, table);
  add_errors(report, "fitted", report.fitted, table);
  print_to(stdout, "\n{}", table.aligned());
  if (report.error != sweep::FitError::absolute && report.held_out.after.values > 0)
    print_to(stdout, "residuals of held-out rows: a factor of {:.3f} common to a class, {:.3f} by row\n",
             std::exp(report.spread.common), std::exp(report.spread.by_row));
  for (const calibrate::ErrorFactor& factor : report.error_factors)
    print_to(stdout, "{}: 5 and 95 % quantiles from {} held out: {:.3f} and {:.3f}\n", factor.name,
             count_of(factor.values, "value"), factor.low, factor.high);
  print_to(stdout, "\n{}\n", verdict(report));
}

Json json_number(double value) { return json_of(std::optional(value)); }

Json json_of_errors(const ErrorSummary& errors) {
  return {{"values", errors.values},
          {"median", json_number(errors.median)},
          {"percentile_90", json_number(errors.percentile90)},
          {"bias", json_number(errors.bias)},
          {"rank_correlation", json_number(errors.rank)},
          {"within_10_percent", json_number(errors.within10)},
          {"within_25_percent", json_number(errors.within25)}};
}

Json json_of_comparison(const Comparison& comparison) {
  return {{"name", comparison.name},
          {"file", json_of_errors(comparison.before)},
          {"fitted", json_of_errors(comparison.after)},
          {"one_factor", json_of_errors(comparison.factor)}};
}

Json json_of_constant(const ConstantReport& constant) {
  const auto range = [](const std::pair<double, double>& ends) {
    return Json::array({json_number(ends.first), json_number(ends.second)});
  };
  return {{"name", constant.name},
          {"unit", constant.unit},
          {"file", json_number(constant.before)},
          {"fitted", constant.is_fitted ? json_number(constant.after) : Json()},
          {"influence", json_number(constant.influence)},
          {"moves_rows", constant.moves_rows},
          {"range", range({constant.range_low, constant.range_high})},
          {"profile", range(constant.profile)},
          {"jackknife", range(constant.jackknife)},
          {"confidence", range(constant.confidence)}};
}

/// Values of a row with its labels.
Json json_of_row(const sweep::Study& rows, const calibrate::RowReport& row) {
  Json json{{"row", row.row}};
  json["metric"] = rows.calibration()->observations[row.observation].name;
  for (std::size_t i = 0; i < rows.carried().size(); ++i) {
    if (rows.carried()[i].role == sweep::CarriedColumn::Role::label)
      json["label_" + rows.carried()[i].name] = json_of(rows.carried_value(i, row.row));
  }
  json["reference"] = json_number(row.reference);
  json["file"] = json_number(row.before);
  json["fitted"] = json_number(row.after);
  json["held_out"] = json_number(row.held_out);
  json["split"] = row.split;
  json["moved"] = row.is_moved;
  return json;
}

Json json_of_report(const sweep::Study& rows, const Report& report, const std::vector<std::string>& paths) {
  Json json{{"study", rows.id()},
            {"files", paths},
            {"content", report.content},
            {"error", word_of(sweep::fit_error_words, report.error)},
            {"rows", report.rows},
            {"groups", report.groups},
            {"excluded", report.excluded},
            {"verdict", verdict(report)},
            {"keep_old", report.keep_old},
            {"improvement", json_number(report.improvement)},
            {"improvement_spread", json_number(report.improvement_spread)},
            {"common_spread", json_number(report.spread.common)},
            {"row_spread", json_number(report.spread.by_row)}};
  json["error_factors"] = Json::array();
  for (const calibrate::ErrorFactor& factor : report.error_factors) {
    json["error_factors"].push_back({{"name", factor.name},
                                     {"values", factor.values},
                                     {"low", json_number(factor.low)},
                                     {"high", json_number(factor.high)}});
  }
  json["constants"] = Json::array();
  for (const ConstantReport& constant : report.constants) json["constants"].push_back(json_of_constant(constant));
  json["pairs"] = Json::array();
  for (const calibrate::PairReport& pair : report.pairs) {
    json["pairs"].push_back({{"first", report.constants[pair.first].name},
                             {"second", report.constants[pair.second].name},
                             {"correlation", json_number(pair.correlation)},
                             {"act_together", pair.act_together}});
  }
  json["held_out"] = json_of_comparison(report.held_out);
  json["fitted"] = json_of_comparison(report.fitted);
  json["classes"] = Json::array();
  for (const Comparison& kind : report.classes) json["classes"].push_back(json_of_comparison(kind));
  json["splits"] = Json::array();
  for (std::size_t i = 0; i < report.splits.size(); ++i) {
    Json split = json_of_comparison(report.splits[i]);
    for (std::size_t c = 0; c < report.constants.size(); ++c)
      split["constants"][report.constants[c].name] = json_number(report.split_constants[i][c]);
    json["splits"].push_back(std::move(split));
  }
  json["values"] = Json::array();
  for (const calibrate::RowReport& row : report.values) json["values"].push_back(json_of_row(rows, row));
  return json;
}

/// The rows as a table, with all digits.
std::string residuals_csv(const sweep::Study& rows, const Report& report) {
  std::vector<std::string> headings;
  // Named, so that they outlive their loops.
  const Json first = json_of_row(rows, {});
  for (const auto& [key, value] : first.items()) headings.push_back(key);
  TextTable table(headings);
  for (const calibrate::RowReport& row : report.values) {
    std::vector<std::string> cells;
    const Json json = json_of_row(rows, row);
    for (const auto& [key, value] : json.items())
      cells.push_back(value.is_string() ? value.get<std::string>() : value.is_null() ? "" : value.dump());
    table.add(std::move(cells));
  }
  return table.csv();
}

/// Last step, on the first rank: judges the fits and writes all outputs.
int finish(const CalibrateOptions& options) {
  const sweep::Plan plan = calibrate::fit_plan(sweep::load_plan(options.arguments.experiment, options.arguments.plan));
  const sweep::Study& fits = plan.studies.front();
  const sweep::Study& rows = *fits.rows();
  const std::string& results = options.arguments.run.output;
  const Report report = calibrate::analyze(fits, read_results(results, fits), plan.configs);
  const HardwareFiles hardware = hardware_of(rows);
  const std::vector<std::string> paths = paths_of(options.output, hardware);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    OutputFile file(paths[i], calibrate::fitted_mark, options.form.force);
    file.write(calibrate::fitted_hardware(rows, report, base_name(*hardware[i], paths[i], plan.configs)));
    file.close();
  }
  if (!options.form.csv.empty()) write_output(options.form.csv, residuals_csv(rows, report), options.form.force);
  if (options.form.json)
    write_output(std::string(standard_output), text_of(json_of_report(rows, report, paths)), false);
  if (!options.form.has_text()) return driver::exit_all_done;
  print_report(rows, report);
  print_to(stdout, "{}: the fitted constants; {}: all fits\n", fmt::join(paths, ", "), results);
  return driver::exit_all_done;
}

/// Throws InputError if an output cannot be written, before anything runs.
void require_outputs(const CalibrateOptions& options) {
  const std::filesystem::path output(options.output);
  if (output.extension() != ".toml")
    throw InputError(
        fmt::format("-o names the fitted hardware file, such as fitted.toml: '{}' does not end so", options.output));
  const std::string& csv = options.form.csv;
  if (!csv.empty() && csv != standard_output) {
    if (std::filesystem::path(csv).lexically_normal() == output.lexically_normal())
      throw InputError(fmt::format("-o and --csv name the same file '{}'", csv));
    OutputFile::require_writable(csv, csv_mark, options.form.force);
  }
  if (options.arguments.run.resume) return;
  OutputFile::require_writable(options.output, calibrate::fitted_mark, options.form.force);
  if (std::filesystem::exists(output) && !options.form.force)
    throw InputError(fmt::format("'{}' exists: --force replaces it", options.output));
}

int calibrate_experiment(CalibrateOptions& options, const Folders& folders) {
  RunArguments& arguments = options.arguments;
  if (const std::optional<int> refused = refuse_launch(arguments.run)) return *refused;
  arguments.plan.configs = folders.configs;
  arguments.plan.calibrate = true;
  arguments.run.output = results_of(options.output);
  arguments.run.force = options.form.force;
  arguments.run.is_quiet = true;
  if (driver::is_first_rank()) require_outputs(options);
  const int status = driver::run_sweep(arguments.experiment, arguments.plan, arguments.run);
  return status == driver::exit_all_done && driver::is_first_rank() ? finish(options) : status;
}

}  // namespace

void add_calibrate_command(CommandLine& line) {
  auto options = std::make_shared<CalibrateOptions>();
  CLI::App& command = line.add(
      "calibrate", "Fit constants of a hardware file to measured rows, and say how well they predict others", options,
      +[](CalibrateOptions& o, const Folders& folders) { return calibrate_experiment(o, folders); });
  line.on_all_ranks.insert(command.get_name());
  driver::RunOptions& run = options->arguments.run;
  command.add_option("experiment", options->arguments.experiment, "Experiment file with [study.calibration]")
      ->required()
      ->type_name("FILE");
  command.add_option("-o,--output", options->output, "Hardware file to write; all fits lie in the .h5 of its name")
      ->required()
      ->type_name("FITTED");
  add_plan_options(command, options->arguments.plan);
  add_output_form(command, options->form, "the rows with their predictions");
  command.add_flag("--resume", run.resume, "Keep the fits that an earlier run has finished");
  add_ranks(command, run);
}

}  // namespace pimsweep::commands
