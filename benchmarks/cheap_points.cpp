// Nanoseconds of processor time per cheap point of a system, from its axes to its metrics: gemm (systolic), noc (by
// formula), newton (closed form) and upmem-network (each point with another number of DPUs, then each on another
// machine with other bandwidths). Run from the project's folder: cheap_points [CONFIG_DIR]
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sweep/hardware_file.h"
#include "systems/system.h"

namespace {

using namespace pimsweep;
using systems::Point;
using systems::Record;
using systems::System;

/// Values of axes; all combinations are points.
using Grid = std::map<std::string, std::vector<Value>>;

std::vector<Value> counts(std::int64_t first, std::int64_t step, std::int64_t number) {
  std::vector<Value> values;
  for (std::int64_t i = 0; i < number; ++i) values.emplace_back(first + i * step);
  return values;
}

std::vector<Value> rates(double step, int number) {
  std::vector<Value> values;
  for (int i = 1; i <= number; ++i) values.emplace_back(i * step);
  return values;
}

std::vector<Value> words(std::initializer_list<const char*> all) {
  std::vector<Value> values;
  for (const char* word : all) values.emplace_back(std::string(word));
  return values;
}

/// Completes a grid by the values of a hardware file and defaults.
class Points {
 public:
  Points(System& system, Grid grid, const std::string& hardware, const ConfigFolders& configs)
      : grid_(std::move(grid)), point_(system.schema().axes.size()) {
    const systems::Schema& schema = system.schema();
    sweep::HardwareFile file;
    if (!hardware.empty()) file = sweep::load_hardware(hardware, schema, configs);
    for (const systems::Axis& axis : schema.axes) {
      if (grid_.contains(axis.name)) continue;
      const auto constant = file.constants.find(axis.name.substr(std::min<std::size_t>(axis.name.size(), 9)));
      const bool given = axis.name.starts_with("hardware.") && constant != file.constants.end();
      grid_[axis.name] = {given ? constant->second.value : axis.default_value.value()};
    }
    for (std::size_t i = 0; i < schema.axes.size(); ++i) {
      const std::vector<Value>& values = grid_.at(schema.axes[i].name);
      size_ *= values.size();
      point_.set(i, &values.front());
      if (values.size() > 1) varying_.emplace_back(i, &values);
    }
  }

  std::size_t size() const { return size_; }

  /// As a run decodes its points: all into the same object, the last axis first.
  const Point& point(std::size_t index) {
    for (auto axis = varying_.rbegin(); axis != varying_.rend(); ++axis) {
      const std::vector<Value>& values = *axis->second;
      point_.set(axis->first, &values[index % values.size()]);
      index /= values.size();
    }
    return point_;
  }

 private:
  Grid grid_;
  Point point_;
  /// Axes with several values.
  std::vector<std::pair<std::size_t, const std::vector<Value>*>> varying_;
  std::size_t size_ = 1;
};

double sum_of(const Record& record) {
  double sum = 0;
  for (const Value& metric : record.metrics) {
    if (const auto* number = std::get_if<double>(&metric); number != nullptr && *number == *number) sum += *number;
  }
  return sum;
}

/// The fastest of several passes, as others disturb a machine but never speed it up.
void measure(const std::string& name, const Grid& grid, const std::string& hardware, const ConfigFolders& configs) {
  const std::unique_ptr<System> system = systems::make_system(name, configs);
  Points points(*system, grid, hardware, configs);
  double shortest = std::numeric_limits<double>::infinity();
  double checksum = 0;
  Record record;
  for (int pass = 0; pass < 15; ++pass) {
    checksum = 0;
    const std::clock_t begin = std::clock();
    for (std::size_t i = 0; i < points.size(); ++i) {
      record.reset(system->schema());
      system->evaluate(points.point(i), record);
      checksum += sum_of(record);
    }
    shortest = std::min(shortest, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  const auto number = static_cast<double>(points.size());
  fmt::print("{:13} {:7} points {:9.1f} ns a point, checksum {:.17g}\n", name, points.size(), 1e9 * shortest / number,
             checksum);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string configs = argc > 1 ? argv[1] : "configs";
  measure("gemm",
          {{"M", counts(1, 97, 40)},
           {"N", counts(1, 61, 40)},
           {"K", counts(1, 53, 20)},
           {"dataflow", words({"os", "ws", "is"})},
           {"array_rows", counts(8, 8, 1)},
           {"array_cols", counts(8, 8, 1)}},
          "gemm-nvdla", configs);
  measure("noc",
          {{"fidelity", words({"analytic"})},
           {"injection_rate", rates(0.001, 200)},
           {"packet_size", counts(1, 1, 10)},
           {"num_vcs", counts(2, 2, 4)}},
          "", configs);
  measure("newton",
          {{"H", counts(7, 7, 8)}, {"W", counts(7, 7, 8)}, {"Cin", counts(16, 48, 10)}, {"Cout", counts(16, 48, 10)}},
          "newton-GDDR6_4000", configs);
  for (const char* model : {"llama-2-7b", "mixtral-8x7b", "resnet-50"}) {
    Grid grid{{"model", words({model})},
              {"policy", words({"optimum"})},
              {"batch", counts(1, 63, 2)},
              {"weight_type", words({"int8", "int4"})},
              {"weights", words({"sent"})}};
    Grid machines = grid;
    grid["dpus"] = counts(256, 1, 2301);
    measure("upmem-network", grid, "upmem-2556", configs);
    machines["hardware.host.to.rank"] = rates(1e6, 2301);
    measure("upmem-network", machines, "upmem-2556", configs);
  }
  return 0;
}
