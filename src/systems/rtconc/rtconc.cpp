#include "systems/rtconc/rtconc.h"

#include "systems/rtconc/record_writer.h"
#include "systems/rtconc/training_point.h"
#include "systems/silicon_axes.h"

namespace pimsweep::systems::rtconc {

namespace {

class Rtconc final : public System {
 public:
  explicit Rtconc(const std::string& config_dir)
      : steps_(config_dir), schema_(make_schema(steps_.names(), steps_.models())), machine_(schema_) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    TrainingPoint training(point, machine_(point), steps_);
    write_record(training, point, schema_, record);
    write_silicon_(point, {.processors = 1}, record);
  }

  Hash128 workload_hash(const Point& point) override {
    std::string text = steps_.content(step_of(point), point.integer(batch)).text();
    for (const auto& [name, size] : learnt_steps(point, steps_)) text += steps_.content(name, size).text();
    return hash128(text);
  }

  void explain(const Point& point, Explanation& explanation) override {
    TrainingPoint training(point, machine_(point), steps_);
    explain_point(training, explanation);
  }

 private:
  StepCache steps_;
  Schema schema_;
  MachineReader machine_;
  SiliconWriter write_silicon_{schema_};
};

}  // namespace

std::unique_ptr<System> make_rtconc(const std::string& config_dir) { return std::make_unique<Rtconc>(config_dir); }

std::vector<PolicyInfo> rtconc_policies() { return policy_infos(); }

}  // namespace pimsweep::systems::rtconc
