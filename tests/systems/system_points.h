#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sweep/hardware_file.h"
#include "systems/system.h"

namespace pimsweep {

/// Evaluates points of a system on one of configs/hardware (tests run in the source tree's root).
class SystemPoints {
 public:
  using Overrides = std::map<std::string, Value>;

  /// `hardware` is empty for a system without constants of hardware.
  SystemPoints(std::unique_ptr<systems::System> system, const std::string& hardware)
      : system_(std::move(system)),
        hardware_(hardware.empty() ? sweep::HardwareFile{} : sweep::load_hardware(hardware, schema(), "configs")) {}

  const systems::Schema& schema() const { return system_->schema(); }
  systems::System& system() { return *system_; }

  /// The point with these axes; every other one takes the hardware file's value or its default.
  std::vector<Value> values(const Overrides& overrides) const {
    std::vector<Value> all;
    for (const systems::Axis& axis : schema().axes) {
      const std::string prefix = "hardware.";
      if (const auto found = overrides.find(axis.name); found != overrides.end()) {
        all.push_back(found->second);
      } else if (axis.name.rfind(prefix, 0) == 0 && hardware_.constants.contains(axis.name.substr(prefix.size()))) {
        all.push_back(hardware_.constants.at(axis.name.substr(prefix.size())).value);
      } else {
        all.push_back(axis.default_value.value());
      }
    }
    for (const auto& [name, value] : overrides) {
      if (schema().axis_index(name) < 0) throw std::logic_error("no axis " + name);
    }
    return all;
  }

  systems::Record record(const Overrides& overrides) {
    const std::vector<Value> all = values(overrides);
    systems::Record result;
    result.reset(schema());
    system_->evaluate(point(all), result);
    return result;
  }

  systems::Explanation explanation(const Overrides& overrides) {
    const std::vector<Value> all = values(overrides);
    systems::Explanation result;
    system_->explain(point(all), result);
    return result;
  }

  double metric(const systems::Record& record, const std::string& name) const {
    return to_real(record.metrics.at(static_cast<std::size_t>(schema().metric_index(name))));
  }
  std::string text(const systems::Record& record, const std::string& name) const {
    return std::get<std::string>(record.metrics.at(static_cast<std::size_t>(schema().metric_index(name))));
  }

  /// One column of a detail table.
  std::vector<Value> column(const systems::Record& record, const std::string& table, const std::string& name) const {
    const auto t = static_cast<std::size_t>(schema().table_index(table));
    const std::vector<systems::Metric>& columns = schema().tables.at(t).columns;
    std::vector<Value> result;
    for (std::size_t cell = 0; cell < record.tables.at(t).size(); ++cell) {
      if (columns.at(cell % columns.size()).name == name) result.push_back(record.tables[t][cell]);
    }
    return result;
  }

 private:
  static systems::Point point(const std::vector<Value>& all) {
    systems::Point result(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) result.set(i, &all[i]);
    return result;
  }

  std::unique_ptr<systems::System> system_;
  sweep::HardwareFile hardware_;
};

}  // namespace pimsweep
