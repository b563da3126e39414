#include "systems/llm/llm.h"

#include "systems/llm/evaluation.h"
#include "systems/llm/records.h"
#include "systems/policy_list.h"
#include "systems/roofline.h"
#include "workload/model_library.h"

namespace pimsweep::systems::llm {

namespace {

class Llm final : public System, public HasRoofline {
 public:
  explicit Llm(const ConfigFolders& configs)
      : models_(configs.models),
        axes_(make_axes(models_.decoders())),
        records_(schema_),
        tables_(configs.models),
        evaluator_(tables_) {
    schema_.name = "llm";
    schema_.version = 8;
    schema_.main_metrics = {"time_per_token", "energy_per_token"};
    schema_.doc = "Language models that generate text, on GPUs with processing in memory";
    schema_.axes = axes_.axes();
    model_axis_ = static_cast<std::size_t>(schema_.axis_index(AxisKind::model));
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    records_.write(settings_, evaluation_of(point), record);
  }

  Hash128 workload_hash(const Point& point) override {
    axes_.read(point, settings_);
    const Hash128 model = models_.content(settings_.model);
    std::string content = model.text();
    const Load& load = settings_.sequencing.load;
    if (load.lengths == workload::decoder::Lengths::table) content += tables_.content(load.length_table).text();
    if (load.routing == workload::decoder::Routing::table) content += tables_.content(load.routing_table).text();
    return content == model.text() ? model : hash128(content);
  }

  std::vector<std::string> fit_axes() const override {
    return {
        "model",   "phase",         "batch",           "time_bound",        "lengths",         "length_table",
        "routing", "routing_table", "tensor_parallel", "pipeline_parallel", "expert_parallel", "hardware.gpu.count"};
  }

  void explain(const Point& point, Explanation& explanation) override {
    explain_point(settings_, evaluation_of(point), explanation);
  }

  Roofline roofline(const Point& point, const Record& /*record*/) override {
    return roofline_of(settings_, evaluation_of(point));
  }

 protected:
  void require_fit(const Point& point) override {
    const workload::decoder::Decoder& decoder = models_.decoder(point.text(model_axis_));
    axes_.read(point, settings_);
    evaluator_.require_fit(settings_, decoder);
  }

 private:
  const Evaluation& evaluation_of(const Point& point) {
    axes_.read(point, settings_);
    settings_.machine.pim.apply_conditions();
    return evaluator_(settings_, models_.decoder(settings_.model));
  }

  workload::ModelLibrary models_;
  Schema schema_;
  AxisTable<Settings> axes_;
  Records records_;
  workload::decoder::Tables tables_;
  Evaluator evaluator_;
  Settings settings_;
  std::size_t model_axis_ = 0;
};

}  // namespace

std::unique_ptr<System> make_llm(const ConfigFolders& configs) { return std::make_unique<Llm>(configs); }

std::vector<PolicyInfo> llm_policies() { return policy_infos(step::policies); }

}  // namespace pimsweep::systems::llm
