#include "systems/artifacts/artifacts.h"
#include "systems/artifacts/records.h"
#include "systems/devices/aim_axes.h"
#include "systems/llm/step/cent/axes.h"
#include "systems/llm/step/cent/run.h"
#include "workload/model_library.h"

namespace pimsweep::systems::artifacts {

namespace {

namespace cent = llm::step::cent;

struct CentPoint {
  std::string_view model;
  cent::Request request;
  cent::Faults faults = cent::artifact_faults;
  cent::Machine machine;
  double memory = 0;
};

AxisTable<CentPoint> make_cent_axes(const std::vector<std::string>& models) {
  AxisTable<CentPoint> axes;
  CentPoint& p = axes.layout();
  axes.text(p.model, "model", "language model of the family decoder, one of configs/models", {}, models)
      .kind(AxisKind::model)
      .choice(p.request.tokens, "phase", cent::tokens_words,
              "tokens of a prompt (prefill), tokens like the last one (decode), or both (query)",
              cent::Tokens::generated)
      .count(p.request.context, "context", 1, 1 << 24, "tokens of the sequence before the new ones", 1024)
      .count(p.request.new_tokens, "new_tokens", 1, 1 << 20, "new tokens of the sequence", 1)
      .count(p.request.tensor_parallel, "tensor_parallel", 0, 1 << 16,
             "devices that share each block; 0: a pipeline of blocks", 0)
      .choice(p.faults, "cent_fixes", cent::fixes_words,
              "fault of CENT's artifact that is fixed; all: our own accounting", cent::artifact_faults)
      .quantity(p.memory, "hardware.pim.memory", "B", 0, 1e18, "memory of a device", 0);
  devices::add_aim_axes(axes, "pim.aim.", p.machine.aim);
  cent::add_axes(axes, "cxl.", p.machine);
  return axes;
}

class CentArtifact final : public System {
 public:
  explicit CentArtifact(const ConfigFolders& configs)
      : models_(configs.models), axes_(make_cent_axes(models_.decoders())), records_(schema_) {
    schema_.name = "cent-artifact";
    schema_.version = 1;
    schema_.main_metrics = {"time_per_token", "energy_per_token"};
    schema_.doc = "Language models on CENT as its simulator accounts for them, with its faults";
    schema_.axes = axes_.axes();
    model_axis_ = static_cast<std::size_t>(schema_.axis_index("model"));
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const CentPoint p = axes_.read(point);
    records_.write(cent::run(models_.decoder(p.model), p.machine, p.memory, p.request, p.faults), record);
  }

  Hash128 workload_hash(const Point& point) override { return models_.content(point.text(model_axis_)); }
  std::vector<std::string> fit_axes() const override { return {"model"}; }

 protected:
  void require_fit(const Point& point) override { models_.decoder(point.text(model_axis_)); }

 private:
  workload::ModelLibrary models_;
  Schema schema_;
  AxisTable<CentPoint> axes_;
  Records records_;
  std::size_t model_axis_ = 0;
};

}  // namespace

std::unique_ptr<System> make_cent_artifact(const ConfigFolders& configs) {
  return std::make_unique<CentArtifact>(configs);
}

}  // namespace pimsweep::systems::artifacts
