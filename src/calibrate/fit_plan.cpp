#include "calibrate/fit_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "sweep/study_data.h"

namespace pimsweep::calibrate {

namespace {

constexpr const char* system_name = "calibration";
/// Part of every fit's identity: increase it when a change of the method changes results.
constexpr int version = 3;

/// The axes of a fit, in the order of the schema.
enum Column : std::uint8_t { content, task, left_out, part, constant, end, columns };

systems::Axis axis(const char* name, ValueType type, const char* doc, std::vector<std::string> choices = {}) {
  systems::Axis result;
  result.name = name;
  result.type = type;
  result.doc = doc;
  result.choices = std::move(choices);
  return result;
}

constexpr Words<Training::Part, 3> part_words{
    {{"none", Training::Part::all}, {"split", Training::Part::split}, {"block", Training::Part::block}}};

systems::Schema fit_schema(const Rows& rows) {
  systems::Schema schema;
  schema.name = system_name;
  schema.doc = "Fits of hardware constants to the rows of a study";
  schema.version = version;
  schema.axes = {axis("content", ValueType::text, "digest of rows, constants and settings"),
                 axis("task", ValueType::text,
                      "fit to all rows or a split, refit for the jackknife, or end of a profile", names_of(task_words)),
                 axis("left_out", ValueType::text, "rows that are not fitted", names_of(part_words)),
                 axis("part", ValueType::integer, "number of the split or block that is left out"),
                 axis("constant", ValueType::integer, "profiled constant, by its place in the order of influence"),
                 axis("end", ValueType::text, "end of the range of confidence", {"low", "high"})};
  systems::Metric loss;
  loss.name = "loss";
  loss.doc = "weighted sum of the losses of the fitted rows";
  systems::Metric evaluations;
  evaluations.name = "evaluations";
  evaluations.doc = "machines evaluated";
  schema.metrics = {loss, evaluations};
  for (const sweep::FittedConstant& fitted : rows.fit.constants) {
    const systems::Axis& described = rows.study.schema().axes[fitted.axis];
    systems::Metric& metric = schema.metrics.emplace_back();
    metric.name = described.name;
    metric.unit = described.unit;
    metric.doc = described.doc;
    metric.range = systems::Range::any;
    metric.absent = "the screening left it out";
  }
  schema.main_metrics = {"loss"};
  return schema;
}

/// Digest of everything outside the axes on which a fit depends.
std::string content_of(const Rows& rows, const ConfigFolders& configs) {
  std::string bytes;
  const sweep::Calibration& fit = rows.fit;
  append_text(bytes, rows.study.hash().text());
  const std::unique_ptr<systems::System> system = systems::make_system(rows.study.system(), configs);
  systems::IdentityHasher identity(*system);
  systems::Point point(rows.study.schema().axes.size());
  for (std::uint64_t row = 0; row < rows.size(); ++row) {
    rows.study.point(row, point);
    append_text(bytes, identity(point).text());
    append_number(bytes, rows.group[row]);
  }
  append_text(bytes, word_of(sweep::fit_error_words, fit.error));
  append_text(bytes, word_of(sweep::fit_loss_words, fit.loss));
  for (const sweep::Observation& one : fit.observations) {
    append_text(bytes, one.name);
    for (const double weight : rows.weights[static_cast<std::size_t>(&one - fit.observations.data())])
      append_number(bytes, weight);
    append_number(bytes, one.floor);
    for (const double value : rows.references[static_cast<std::size_t>(&one - fit.observations.data())])
      append_number(bytes, value);
  }
  for (const sweep::FittedConstant& one : fit.constants) {
    append_text(bytes, rows.study.schema().axes[one.axis].name);
    append_number(bytes, one.low);
    append_number(bytes, one.high);
    append_number(bytes, one.logarithmic);
  }
  for (const std::uint64_t number :
       {fit.folds, fit.splits, fit.at_most, fit.starts, static_cast<std::uint64_t>(fit.seed)})
    append_number(bytes, number);
  append_number(bytes, fit.holdout.value_or(0));
  return hash128(bytes).text();
}

sweep::Study study_of_fits(const sweep::Study& study, const ConfigFolders& configs) {
  const Rows rows = read_rows(study);
  auto data = std::make_shared<sweep::StudyData>();
  data->id = study.id();
  data->origin = study.origin();
  data->doc = study.doc();
  data->where = rows.fit.where;
  data->schema = std::make_shared<const systems::Schema>(fit_schema(rows));
  data->hardware = study.hardware();
  data->definitions = study.definitions();
  data->constants.resize(columns);
  data->constants[content] = content_of(rows, configs);
  data->origins.assign(columns, {systems::ValueOrigin::Kind::experiment, "experiment"});
  data->varies.assign(columns, false);
  data->rows = std::make_shared<const sweep::Study>(study);
  const std::vector<Task> tasks = tasks_of(rows);
  sweep::Factor factor{tasks.size(), {}, {}};
  for (std::size_t column = task; column < columns; ++column) factor.columns.push_back({column, {}, nullptr});
  for (const Task& one : tasks) {
    const auto put = [&](Column column, auto value) {
      factor.columns[column - 1U].values.emplace_back(std::move(value));
    };
    put(task, std::string(word_of(task_words, one.kind)));
    put(left_out, std::string(word_of(part_words, one.training.part)));
    put(part, static_cast<std::int64_t>(one.training.index));
    put(constant, static_cast<std::int64_t>(one.constant));
    put(end, std::string(one.upwards ? "high" : "low"));
  }
  data->factors.push_back(std::move(factor));
  ProblemList problems;
  multiply(*data, data->where, problems);
  problems.throw_if_any();
  return sweep::Study(std::move(data));
}

class FitSystem final : public systems::System {
 public:
  FitSystem(const sweep::Study& fits, const ConfigFolders& configs)
      : rows_(read_rows(*fits.rows())), fitter_(rows_, configs), schema_(fits.schema()) {}

  const systems::Schema& schema() const override { return schema_; }

  void evaluate(const systems::Point& point, systems::Record& record) override {
    const Fit fit = fit_of(point);
    record.status = systems::Status::ok;
    record.metrics[0] = fit.loss;
    record.metrics[1] = static_cast<double>(fit.evaluations);
    for (std::size_t i = 0; i < fit.machine.size(); ++i) {
      const sweep::FittedConstant& fitted = rows_.fit.constants[i];
      if (!std::isnan(fit.machine[i]))
        record.metrics[metric_of(i)] = value_at(fitted, rows_.study.schema().axes[fitted.axis], fit.machine[i]);
    }
  }

 private:
  Fit fit_of(const systems::Point& point) {
    const Training training{*value_of(part_words, point.text(left_out)), static_cast<std::size_t>(point.integer(part))};
    const auto kind = *value_of(task_words, point.text(task));
    if (kind == TaskKind::fit) return training == Training{} ? fitter_.best() : fitter_.fit(training);
    if (kind == TaskKind::jackknife) return fitter_.refit(training.index);
    const std::vector<std::size_t>& chosen = fitter_.screening({}).chosen;
    const auto place = static_cast<std::size_t>(point.integer(constant));
    // The screening may choose fewer constants than are allowed.
    return place < chosen.size() ? fitter_.profile(chosen[place], point.text(end) == "high") : fitter_.best();
  }

  Rows rows_;
  Fitter fitter_;
  systems::Schema schema_;
};

}  // namespace

std::vector<Task> tasks_of(const Rows& rows) {
  std::vector<Task> tasks;
  tasks.push_back({.kind = TaskKind::fit, .training = {}});
  for (std::size_t split = 0; split < rows.splits.size(); ++split)
    tasks.push_back({.kind = TaskKind::fit, .training = {Training::Part::split, split}});
  if (!rows.fit.profile) return tasks;
  for (std::size_t block = 0; block < rows.blocks.size(); ++block)
    tasks.push_back({.kind = TaskKind::jackknife, .training = {Training::Part::block, block}});
  for (std::size_t constant = 0; constant < rows.max_constants(); ++constant) {
    for (const bool upwards : {false, true})
      tasks.push_back({.kind = TaskKind::profile, .training = {}, .constant = constant, .upwards = upwards});
  }
  return tasks;
}

sweep::Plan fit_plan(const sweep::Plan& plan) {
  sweep::Plan fits = plan;
  std::erase_if(fits.studies, [](const sweep::Study& study) { return study.calibration() == nullptr; });
  if (fits.studies.empty()) throw InputError({plan.path, 0, 0}, "none of the studies has a table [study.calibration]");
  if (fits.studies.size() > 1) {
    std::vector<std::string> ids(fits.studies.size());
    std::ranges::transform(fits.studies, ids.begin(), &sweep::Study::id);
    throw InputError({plan.path, 0, 0},
                     fmt::format("{} studies have a table [study.calibration]: choose one of them by --study; {}",
                                 ids.size(), fmt::join(ids, ", ")));
  }
  fits.studies.front() = study_of_fits(fits.studies.front(), plan.configs);
  return fits;
}

std::unique_ptr<systems::System> make_fit_system(const sweep::Study& fits, const ConfigFolders& configs) {
  return std::make_unique<FitSystem>(fits, configs);
}

}  // namespace pimsweep::calibrate
