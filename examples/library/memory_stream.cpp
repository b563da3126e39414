#include "memory_stream.h"

#include "systems/axis_table.h"
#include "systems/column_table.h"

namespace mysweep {

namespace systems = pimsweep::systems;

namespace {

struct Settings {
  double bytes = 0;
  double bandwidth = 0;
};

struct Result {
  double time = 0;
};

class MemoryStream final : public systems::System {
 public:
  MemoryStream() {
    Settings& s = axes_.layout();
    axes_.quantity(s.bytes, "bytes", "B", 1, 1e24, "memory traffic of the kernel")
        .quantity(s.bandwidth, "hardware.bandwidth", "B/s", 1, 1e18, "memory bandwidth of the machine");
    metrics_.quantity(metrics_.layout().time, "time", "s", "time of the kernel");
    schema_ = {"memory-stream", "Time of memory traffic alone", 1, axes_.axes(), metrics_.columns(), {"time"}, {}};
  }

  const systems::Schema& schema() const override { return schema_; }

  void evaluate(const systems::Point& point, systems::Record& record) override {
    const Settings s = axes_.read(point);
    metrics_.write({.time = s.bytes / s.bandwidth}, record);
    record.status = systems::Status::ok;
  }

 private:
  systems::AxisTable<Settings> axes_;
  systems::MetricTable<Result> metrics_;
  systems::Schema schema_;
};

}  // namespace

std::unique_ptr<systems::System> make_memory_stream(const pimsweep::ConfigFolders& /*configs*/) {
  return std::make_unique<MemoryStream>();
}

}  // namespace mysweep
