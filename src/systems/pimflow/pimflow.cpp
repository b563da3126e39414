#include "systems/pimflow/pimflow.h"

#include "base/error.h"
#include "systems/pimflow/explain.h"
#include "systems/pimflow/inference_point.h"
#include "systems/pimflow/outcome.h"
#include "systems/policy_list.h"
#include "systems/roofline.h"

namespace pimsweep::systems::pimflow {

namespace {

class Pimflow final : public System, public HasRoofline {
 public:
  explicit Pimflow(const ConfigFolders& configs) : models_(configs.models) {
    schema_.name = "pimflow";
    schema_.main_metrics = {"time_per_sample", "energy_per_sample"};
    schema_.doc = "PIMFlow: inference on a GPU and on the Newton PIM in part of its memory channels";
    schema_.version = 1;
    schema_.axes = axes_.axes();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    axes_.read(point, settings_);
    if (std::string reason = missing_unit(); !reason.empty()) {
      record.status = Status::infeasible;
      record.message = std::move(reason);
      return;
    }
    InferencePoint inference(settings_, network(), costs_);
    write_outcome(inference, columns_, record);
  }

  Hash128 workload_hash(const Point& point) override {
    axes_.read(point, settings_);
    return models_.content(settings_.model);
  }

  std::vector<std::string> fit_axes() const override { return {"model", "image_px", "tokens"}; }

  void explain(const Point& point, Explanation& explanation) override {
    axes_.read(point, settings_);
    if (const std::string reason = missing_unit(); !reason.empty()) throw PointError(reason);
    InferencePoint inference(settings_, network(), costs_);
    explain_point(inference, explanation);
  }

  Roofline roofline(const Point& point, const Record& /*record*/) override {
    axes_.read(point, settings_);
    return roofline_of(InferencePoint(settings_, network(), costs_));
  }

 protected:
  void require_fit(const Point& point) override {
    axes_.read(point, settings_);
    models_.graph(settings_.model, input_size());
  }

 private:
  std::int64_t input_size() const { return models_.input_size(settings_.model, settings_.size); }
  std::string missing_unit() const { return devices::missing_unit(gpu_prefix, settings_.card, settings_.precision); }
  const Network& network() {
    return networks_.network(std::string(settings_.model), input_size(), settings_.batch, elementwise_mode(settings_));
  }

  workload::ModelLibrary models_;
  AxisTable<Settings> axes_ = make_axes(models_.names());
  Schema schema_;
  Columns columns_{schema_};
  hardware::gpu::network::NetworkCache networks_{models_};
  CostCache costs_;
  /// Settings of the current point; kept so that reading a point does not allocate.
  Settings settings_;
};

}  // namespace

std::unique_ptr<System> make_pimflow(const ConfigFolders& configs) { return std::make_unique<Pimflow>(configs); }

std::vector<PolicyInfo> pimflow_policies() { return policy_infos(policies()); }

}  // namespace pimsweep::systems::pimflow
