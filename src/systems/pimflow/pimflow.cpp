#include "systems/pimflow/pimflow.h"

#include <algorithm>
#include <cstdint>

#include "base/error.h"
#include "systems/pimflow/explain.h"
#include "systems/pimflow/inference_point.h"
#include "systems/pimflow/record_writer.h"
#include "systems/pimflow/schema.h"
#include "systems/policy_list.h"
#include "systems/silicon_axes.h"

namespace pimsweep::systems::pimflow {

namespace {

/// Each bank of a PIM channel has logic of its own, on the die of its memory.
hardware::silicon::Parts parts_of(const Machine& machine) {
  hardware::silicon::Parts parts;
  parts.processors = 1;
  parts.units = static_cast<double>(machine.pim.channels * machine.dram.banks);
  parts.logic_dies = static_cast<double>(std::max(std::int64_t{1}, machine.pim.channels));
  return parts;
}

class Pimflow final : public System {
 public:
  explicit Pimflow(const std::string& config_dir)
      : models_(config_dir + "/models"),
        presets_(config_dir + "/hardware"),
        schema_(make_schema(models_.names(), presets_)),
        reader_(schema_, presets_),
        networks_(models_) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    if (std::string reason = reader_.missing_unit(point); !reason.empty()) {
      record.status = Status::infeasible;
      record.message = std::move(reason);
      return;
    }
    InferencePoint inference(reader_, point, networks_);
    write_record(inference, schema_, record);
    write_silicon_(point, parts_of(inference.costs.machine()), record);
  }

  Hash128 workload_hash(const Point& point) override {
    return hash128(models_.content(reader_.model(point)).text() + reader_.preset_content(point).text());
  }

  void explain(const Point& point, Explanation& explanation) override {
    if (const std::string reason = reader_.missing_unit(point); !reason.empty()) throw PointError(reason);
    InferencePoint inference(reader_, point, networks_);
    explain_point(inference, explanation);
  }

 private:
  workload::ModelLibrary models_;
  hardware::newton::PresetLibrary presets_;
  Schema schema_;
  PointReader reader_;
  SiliconWriter write_silicon_{schema_};
  hardware::gpu::network::NetworkCache networks_;
};

}  // namespace

std::unique_ptr<System> make_pimflow(const std::string& config_dir) { return std::make_unique<Pimflow>(config_dir); }

std::vector<PolicyInfo> pimflow_policies() { return policy_infos(policies()); }

}  // namespace pimsweep::systems::pimflow
