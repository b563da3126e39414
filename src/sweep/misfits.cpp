#include "sweep/misfits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "sweep/hardware_axis.h"
#include "workload/import/network_files.h"

namespace pimsweep::sweep {

namespace {

using systems::Axis;
using systems::Point;
using systems::Schema;
using systems::System;

using systems::AxisKind;

/// Kinds of axes whose choice can make a model run.
constexpr std::array ways_to_run{AxisKind::execution, AxisKind::task, AxisKind::policy};

bool takes_model(const Schema& schema, const std::string& model) {
  const int axis = schema.axis_index(AxisKind::model);
  if (axis < 0) return false;
  const std::vector<std::string>& known = schema.axes[static_cast<std::size_t>(axis)].choices;
  return workload::import::is_network_file(model) || std::ranges::find(known, model) != known.end();
}

/// True if an axis selects the model or the size of its input.
bool selects_model(const Axis& axis) {
  return axis.kind == AxisKind::model || axis.kind == AxisKind::image_size || axis.kind == AxisKind::tokens;
}

/// Name of the axis of a kind, which the schema has.
const std::string& name_of(const Schema& schema, AxisKind kind) {
  return schema.axes[static_cast<std::size_t>(schema.axis_index(kind))].name;
}

/// An allowed value of an axis.
Value any_value(const Axis& axis) {
  if (axis.default_value) return *axis.default_value;
  switch (axis.type) {
    case ValueType::boolean:
      return false;
    case ValueType::integer:
      return static_cast<std::int64_t>(axis.min.value_or(0));
    case ValueType::real:
      return axis.min.value_or(0);
    case ValueType::text:
      break;
  }
  return axis.choices.empty() ? std::string() : axis.choices.front();
}

/// A point of another system with the same model and size.
std::vector<Value> transferred(const Schema& from, const Point& point, const Schema& to) {
  std::vector<Value> values;
  values.reserve(to.axes.size());
  for (const Axis& axis : to.axes) {
    const int source = selects_model(axis) ? from.axis_index(axis.kind) : -1;
    values.push_back(source < 0 ? any_value(axis) : point[static_cast<std::size_t>(source)]);
  }
  return values;
}

/// Finds settings and systems that can run a model, by trying them.
class Alternatives {
 public:
  explicit Alternatives(const ConfigFolders& configs) : configs_(configs) {}

  /// "execution operators, gpu; system gpu, hypar"; empty if none fits.
  std::string text(System& system, const Schema& schema, const Point& point) {
    std::vector<std::string> found;
    for (const AxisKind way : ways_to_run) {
      const std::vector<std::string> choices = fitting_choices(system, point, way);
      if (!choices.empty()) found.push_back(fmt::format("{} {}", name_of(schema, way), fmt::join(choices, ", ")));
    }
    if (fits_by_default(system, point) || !some_model_fits_by_default(system, point))
      return fmt::format("{}", fmt::join(found, "; "));
    const std::vector<std::string> others = fitting_systems(schema, point);
    if (!others.empty()) found.push_back(fmt::format("system {}", fmt::join(others, ", ")));
    return fmt::format("{}", fmt::join(found, "; "));
  }

 private:
  /// True if the point fits with default settings, on its own hardware or on that of the defaults, so that model, size
  /// and policy are not the reason.
  static bool fits_by_default(System& system, const Point& point) {
    return fits_by_default(system, point, true) || fits_by_default(system, point, false);
  }

  /// False if no model fits with default settings, as with requests that need a rate, so that nothing speaks against
  /// the model of the point.
  static bool some_model_fits_by_default(System& system, const Point& point) {
    const int model = system.schema().axis_index(AxisKind::model);
    if (model < 0) return false;
    const auto axis = static_cast<std::size_t>(model);
    return std::ranges::any_of(system.schema().axes[axis].choices, [&](const std::string& choice) {
      const Value value = choice;
      Point changed = point;
      changed.set(axis, &value);
      return fits_by_default(system, changed);
    });
  }

  static bool fits_by_default(System& system, const Point& point, bool keeps_hardware) {
    const std::vector<Axis>& axes = system.schema().axes;
    Point changed = point;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      const bool is_kept = selects_model(axes[axis]) ||
                           std::ranges::find(ways_to_run, axes[axis].kind) != ways_to_run.end() ||
                           (keeps_hardware && is_hardware_constant(axes[axis]));
      if (!is_kept && axes[axis].default_value) changed.set(axis, &*axes[axis].default_value);
    }
    return !system.misfit(changed);
  }

  /// Choices of an axis that make a point fit.
  static std::vector<std::string> fitting_choices(System& system, const Point& point, AxisKind kind) {
    std::vector<std::string> fitting;
    const int index = system.schema().axis_index(kind);
    if (index < 0) return fitting;
    const auto axis = static_cast<std::size_t>(index);
    for (const std::string& choice : system.schema().axes[axis].choices) {
      const Value value = choice;
      Point changed = point;
      changed.set(axis, &value);
      if (!system.misfit(changed)) fitting.push_back(choice);
    }
    return fitting;
  }

  std::vector<std::string> fitting_systems(const Schema& schema, const Point& point) {
    std::vector<std::string> fitting;
    if (schema.axis_index(AxisKind::model) < 0) return fitting;
    const std::string& model = point.text(static_cast<std::size_t>(schema.axis_index(AxisKind::model)));
    for (const auto& other : others()) {
      const Schema& known = other->schema();
      if (known.name == schema.name || !takes_model(known, model)) continue;
      const std::vector<Value> values = transferred(schema, point, known);
      Point same(values.size());
      for (std::size_t axis = 0; axis < values.size(); ++axis) same.set(axis, &values[axis]);
      if (!other->misfit(same)) {
        fitting.push_back(known.name);
        continue;
      }
      for (const AxisKind way : ways_to_run) {
        const std::vector<std::string> choices = fitting_choices(*other, same, way);
        if (choices.empty()) continue;
        fitting.push_back(fmt::format("{} with {} {}", known.name, name_of(known, way), choices.front()));
        break;
      }
    }
    return fitting;
  }

  /// All systems that take models, created at the first misfit.
  const std::vector<std::unique_ptr<System>>& others() {
    if (!others_.empty()) return others_;
    for (const systems::SystemEntry& entry : systems::systems()) {
      auto system = entry.make(configs_);
      if (system->schema().axis_index(AxisKind::model) >= 0) others_.push_back(std::move(system));
    }
    return others_;
  }

  const ConfigFolders& configs_;
  std::vector<std::unique_ptr<System>> others_;
};

/// The values of several axes.
using ValueSets = std::vector<std::set<Value>>;

/// Points that do not fit for the same reason: the first one, and the values of the axes that decide it.
struct Group {
  std::uint64_t first = 0;
  ValueSets values;
};

/// Checks the models of one study on its system.
class StudyCheck {
 public:
  StudyCheck(const Study& study, System& system, Alternatives& alternatives)
      : study_(study), system_(system), alternatives_(alternatives) {
    for (const std::string& axis : system.fit_axes()) {
      axes_.push_back(static_cast<std::size_t>(study.schema().axis_index(axis)));
    }
  }

  StudyFit run(std::uint64_t limit) {
    const Study::Combinations combinations = study_.combinations(axes_, limit);
    StudyFit fit{study_.id(), varying(), combinations.points.size(), 0, combinations.complete, {}, 0};
    ValueSets all(axes_.size());
    Point point(study_.schema().axes.size());
    for (const std::uint64_t index : combinations.points) {
      study_.point(index, point);
      add_values(point, all);
      const std::optional<std::string> reason = system_.misfit(point);
      if (!reason) continue;
      ++fit.unfit;
      const auto [group, added] = groups_.emplace(*reason, Group{index, ValueSets(axes_.size())});
      if (added) order_.push_back(group);
      add_values(point, group->second.values);
    }
    const std::size_t reported = std::min(order_.size(), max_misfits);
    for (std::size_t i = 0; i < reported; ++i) fit.misfits.push_back(misfit(order_[i]->first, order_[i]->second, all));
    fit.further_reasons = order_.size() - reported;
    return fit;
  }

 private:
  using Groups = std::map<std::string, Group>;

  const Axis& axis(std::size_t i) const { return study_.schema().axes[axes_[i]]; }

  std::string varying() const {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (study_.varies(axes_[i])) names.push_back(axis(i).name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void add_values(const Point& point, ValueSets& sets) const {
    for (std::size_t i = 0; i < axes_.size(); ++i) sets[i].insert(point[axes_[i]]);
  }

  Misfit misfit(const std::string& reason, const Group& group, const ValueSets& all) {
    Point point(study_.schema().axes.size());
    study_.point(group.first, point);
    const int model = study_.schema().axis_index(AxisKind::model);
    return {study_.model_place(model < 0 ? std::string_view() : point.text(static_cast<std::size_t>(model))), reason,
            values_text(group.values, all), alternatives_.text(system_, study_.schema(), point)};
  }

  /// Lists only axes with values for which the reason does not hold. The reason itself names a single model.
  std::string values_text(const ValueSets& values, const ValueSets& all) const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (values[i].size() == all[i].size() || (axis(i).kind == AxisKind::model && values[i].size() == 1)) continue;
      std::vector<std::string> shown;
      for (const Value& value : values[i]) {
        if (shown.size() == max_values) {
          shown.emplace_back("...");
          break;
        }
        shown.push_back(to_text(value));
      }
      texts.push_back(fmt::format("{} {}", axis(i).name, fmt::join(shown, ", ")));
    }
    return fmt::format("{}", fmt::join(texts, "; "));
  }

  /// Maximum number of values of an axis in a message.
  static constexpr std::size_t max_values = 8;

  const Study& study_;
  System& system_;
  Alternatives& alternatives_;
  std::vector<std::size_t> axes_;
  Groups groups_;
  /// In the order of the study.
  std::vector<Groups::const_iterator> order_;
};

}  // namespace

std::string Misfit::text() const {
  return fmt::format("{}{}{}", reason, values.empty() ? "" : fmt::format(" ({})", values),
                     alternatives.empty() ? "" : fmt::format("; alternatives: {}", alternatives));
}

std::vector<StudyFit> find_misfits(const Plan& plan, std::uint64_t limit) {
  std::vector<StudyFit> fits;
  std::map<std::string, std::unique_ptr<System>> made;
  Alternatives alternatives(plan.configs);
  for (const Study& study : plan.studies) {
    if (study.rows() != nullptr) continue;  // fits, whose rows are checked on their own
    std::unique_ptr<System>& system = made[study.system()];
    if (!system) system = systems::make_system(study.system(), plan.configs);
    if (!system->fit_axes().empty()) fits.push_back(StudyCheck(study.space(), *system, alternatives).run(limit));
  }
  return fits;
}

FitProblems problems_of(const std::vector<StudyFit>& fits) {
  FitProblems problems;
  for (const StudyFit& fit : fits) {
    std::vector<Problem>& list = fit.can_run() ? problems.warnings : problems.errors;
    const std::string study = fmt::format("study '{}'{}: ", fit.study, fit.can_run() ? "" : " cannot run any point");
    for (const Misfit& misfit : fit.misfits) list.push_back({misfit.where, study + misfit.text()});
    if (fit.further_reasons > 0) {
      list.push_back(
          {fit.misfits.back().where, fmt::format("{}{} more reasons like these", study, fit.further_reasons)});
    }
  }
  return problems;
}

}  // namespace pimsweep::sweep
