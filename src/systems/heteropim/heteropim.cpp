#include "systems/heteropim/heteropim.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

#include "systems/heteropim/explain.h"
#include "systems/heteropim/record_writer.h"
#include "systems/heteropim/schema.h"
#include "systems/policy_list.h"
#include "systems/silicon_axes.h"

namespace pimsweep::systems::heteropim {

namespace {

/// Nothing where the machine has a part of unknown size.
std::optional<hardware::silicon::Parts> parts_of(const Settings& settings) {
  using Kind = runtime::Policy::Kind;
  const Kind kind = settings.policy->kind;
  if (kind == Kind::gpu || kind == Kind::neurocube) return std::nullopt;
  hardware::silicon::Parts parts;
  parts.processors = 1;
  if (kind != Kind::cpu) parts.logic_area = settings.machine.area.available;
  return parts;
}

class HeteroPim final : public System {
 public:
  explicit HeteroPim(const std::string& config_dir)
      : models_(config_dir + "/models"),
        steps_(config_dir + "/training", models_),
        schema_(make_schema(steps_.names(), models_.names())),
        reader_(schema_),
        graphs_(models_, steps_),
        trainer_(graphs_) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const Settings settings = settings_of(point);
    const Outcome outcome = trainer_.run(settings);
    write_record(settings, graphs_.graph(settings.workload, settings.batch), outcome, schema_, record);
    if (const std::optional<hardware::silicon::Parts> parts = parts_of(settings)) write_silicon_(point, *parts, record);
  }

  Hash128 workload_hash(const Point& point) override {
    std::string content = content_of(reader_.workload(point));
    if (const std::string partner = reader_.partner(point); !partner.empty()) content += content_of(partner);
    return hash128(content);
  }

  void explain(const Point& point, Explanation& explanation) override {
    const Settings settings = settings_of(point);
    const Outcome outcome = trainer_.run(settings);
    explain_point(settings, graphs_.graph(settings.workload, settings.batch), outcome, explanation);
  }

 private:
  Settings settings_of(const Point& point) const {
    Settings settings = reader_.settings(point);
    if (settings.batch == 0) settings.batch = steps_.find(settings.workload).batch;
    return settings;
  }

  /// How it is trained, and the definition of what is trained.
  std::string content_of(const std::string& workload) const {
    const workload::training::TrainingStep step = steps_.find(workload);
    const bool adversary = !step.adversary.empty() && step.adversary != "none";
    return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {} {} [{}]", models_.content(step.network).text(),
                       adversary ? models_.content(step.adversary).text() : std::string(), step.trains_adversary,
                       step.batch, static_cast<int>(step.loss), step.sampled_classes, static_cast<int>(step.optimizer),
                       static_cast<int>(step.layout), step.fused_batch_norm, step.plain_linear_bias, step.output_relu,
                       step.gate_gradients, step.weight_decay, step.clip_gradients, step.inference,
                       fmt::join(step.dropout, " "));
  }

  workload::ModelLibrary models_;
  workload::training::TrainingLibrary steps_;
  Schema schema_;
  PointReader reader_;
  SiliconWriter write_silicon_{schema_};
  GraphCache graphs_;
  Trainer trainer_;
};

}  // namespace

std::unique_ptr<System> make_heteropim(const std::string& config_dir) {
  return std::make_unique<HeteroPim>(config_dir);
}

std::vector<PolicyInfo> heteropim_policies() { return policy_infos(runtime::policies()); }

}  // namespace pimsweep::systems::heteropim
