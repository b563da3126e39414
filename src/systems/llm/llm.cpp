#include "systems/llm/llm.h"

#include "systems/llm/axes.h"
#include "systems/llm/evaluation.h"
#include "systems/llm/explain.h"
#include "systems/llm/records.h"
#include "systems/policy_list.h"
#include "workload/model_library.h"

namespace pimsweep::systems::llm {

namespace {

class Llm final : public System {
 public:
  explicit Llm(const ConfigFolders& configs)
      : models_(configs.models), axes_(make_axes(models_.decoders())), records_(schema_) {
    schema_.name = "llm";
    schema_.version = 1;
    schema_.main_metrics = {"time_per_token", "energy_per_token"};
    schema_.doc = "Language models that generate text, on graphics cards with processing in memory";
    schema_.axes = axes_.axes();
    model_axis_ = static_cast<std::size_t>(schema_.axis_index("model"));
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    axes_.read(point, settings_);
    records_.write(settings_, evaluator_(settings_, models_.decoder(settings_.model)), record);
  }

  Hash128 workload_hash(const Point& point) override { return models_.content(point.text(model_axis_)); }

  std::vector<std::string> fit_axes() const override { return {"model"}; }

  void explain(const Point& point, Explanation& explanation) override {
    axes_.read(point, settings_);
    explain_point(settings_, evaluator_(settings_, models_.decoder(settings_.model)), explanation);
  }

 protected:
  void require_fit(const Point& point) override { models_.decoder(point.text(model_axis_)); }

 private:
  workload::ModelLibrary models_;
  Schema schema_;
  AxisTable<Settings> axes_;
  Records records_;
  Evaluator evaluator_;
  Settings settings_;
  std::size_t model_axis_ = 0;
};

}  // namespace

std::unique_ptr<System> make_llm(const ConfigFolders& configs) { return std::make_unique<Llm>(configs); }

std::vector<PolicyInfo> llm_policies() { return policy_infos(policies); }

}  // namespace pimsweep::systems::llm
