#include "systems/allspark/allspark.h"

#include "base/error.h"
#include "systems/allspark/axes.h"
#include "systems/allspark/cycle/simulator_cache.h"
#include "systems/allspark/explain.h"
#include "systems/allspark/gpu_run.h"
#include "systems/allspark/model_cost_cache.h"
#include "systems/allspark/operator_run.h"
#include "systems/allspark/outcome.h"
#include "systems/allspark/point_cost.h"
#include "systems/allspark/record_writer.h"
#include "systems/allspark/timeline.h"
#include "systems/policy_list.h"
#include "workload/model_library.h"

namespace pimsweep::systems::allspark {

namespace {

Schema described_by(const AxisTable<Settings>& axes) {
  Schema schema;
  schema.name = "allspark";
  schema.main_metrics = {"time_per_sample", "energy_per_sample"};
  schema.doc =
      "Allspark: visual Transformers on a DRAM PIM-node array, partitioned into branches and scheduled layer by layer";
  schema.version = 2;
  schema.axes = axes.axes();
  return schema;
}

class Allspark final : public System {
 public:
  explicit Allspark(const ConfigFolders& configs)
      : models_(configs.models),
        axes_(make_axes(models_.names())),
        schema_(described_by(axes_)),
        tables_(schema_),
        model_axis_(static_cast<std::size_t>(schema_.axis_index(AxisKind::model))),
        costs_(models_),
        gpu_(models_),
        operators_(models_) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    axes_.read(point, settings_);
    Outcome outcome{tables_, record};
    switch (settings_.execution) {
      case Execution::schedule:
        evaluate_schedule(outcome);
        break;
      case Execution::operators:
        evaluate_operators(outcome);
        break;
      case Execution::ideal:
        estimate_silicon(outcome);
        write_ideal(costs(), outcome);
        break;
      case Execution::gpu:
        write_gpu(gpu_(settings_), settings_.conditions.batch, outcome);
        break;
    }
    tables_.metrics.write(outcome.result, record);
  }

  Hash128 workload_hash(const Point& point) override { return models_.content(point.text(model_axis_)); }

  std::optional<double> expected_seconds(const Point& point) override {
    axes_.read(point, settings_);
    return allspark::expected_seconds(settings_);
  }

  std::vector<std::string> fit_axes() const override {
    return {"model", "image_px", "tokens", "execution", "policy", "weight_reuse", "schedule", "fidelity", "placement"};
  }

  void explain(const Point& point, Explanation& notes) override {
    axes_.read(point, settings_);
    switch (settings_.execution) {
      case Execution::schedule:
        return explain_schedule(notes);
      case Execution::operators:
        return explain_operators(run_operators(), machine_of(settings_), notes);
      case Execution::ideal:
        return explain_model(costs(), notes);
      case Execution::gpu:
        return explain_gpu(gpu_(settings_), notes);
    }
  }

 protected:
  void require_fit(const Point& point) override {
    axes_.read(point, settings_);
    switch (settings_.execution) {
      case Execution::schedule:
        return require_policy(models_.vision_transformer(settings_.model, input_size()));
      case Execution::ideal:
        models_.vision_transformer(settings_.model, input_size());
        return;
      case Execution::operators:
        require_analytic();
        operators_.graph(settings_.model, input_size());
        return;
      case Execution::gpu:
        models_.graph(settings_.model, input_size());
        return;
    }
  }

 private:
  void require_policy(const workload::VisionTransformer& model) const {
    const Policy& policy = *settings_.policy;
    if (policy.require != nullptr) policy.require(settings_.options, model, policy.name);
  }

  void evaluate_schedule(Outcome& outcome) {
    ModelCosts& by_formula = costs();
    const PlacementOptions placement = placement_options_of(settings_);
    const Decision decision = settings_.policy->choose(by_formula, settings_.options);
    ModelCosts& charged = charged_costs(by_formula);
    estimate_silicon(outcome);
    write_schedule(charged, decision, settings_.options.weight_reuse, settings_.constants.energy, outcome);
    if (outcome.record.status != Status::ok) return;
    if (settings_.record_timeline) write_timeline(charged, decision, outcome);
    if (&charged != &by_formula) write_deviation(by_formula, decision, outcome);
    if (placement.method != nullptr) {
      write_interactions(by_formula, place_interactions(by_formula, decision, placement, exchanges_), outcome);
    }
  }

  void evaluate_operators(Outcome& outcome) {
    const OperatorSchedule schedule = run_operators();
    const Machine machine = machine_of(settings_);
    write_operators(schedule, machine, settings_.conditions.batch, settings_.constants.energy, outcome);
    if (settings_.record_timeline && outcome.record.status == Status::ok) write_timeline(schedule, machine, outcome);
  }

  void explain_schedule(Explanation& notes) {
    ModelCosts& by_formula = costs();
    const PlacementOptions placement = placement_options_of(settings_);
    const Decision decision = settings_.policy->choose(by_formula, settings_.options);
    explain_decision(charged_costs(by_formula), decision, settings_.options.weight_reuse, notes);
    if (placement.method != nullptr && decision.infeasible.empty()) {
      explain_interactions(place_interactions(by_formula, decision, placement, exchanges_), notes);
    }
  }

  void estimate_silicon(Outcome& outcome) const {
    outcome.result.silicon = devices::estimate_silicon(parts_of(settings_.constants), settings_.constants.silicon);
  }

  std::int64_t input_size() const { return models_.input_size(settings_.model, settings_.input); }

  void require_analytic() const {
    if (settings_.fidelity == Fidelity::cycle || settings_.placement != nullptr) {
      throw PointError("execution operators has costs by formula (fidelity analytic) and no placement");
    }
  }

  OperatorSchedule run_operators() {
    require_analytic();
    return operators_(settings_.model, input_size(), machine_of(settings_), settings_.conditions);
  }

  ModelCosts& costs() { return costs_.get(settings_.model, input_size(), machine_of(settings_), settings_.conditions); }

  /// What a schedule that was found by formula takes at the point's fidelity.
  ModelCosts& charged_costs(ModelCosts& by_formula) {
    if (settings_.fidelity == Fidelity::analytic) return by_formula;
    return costs_.get(settings_.model, input_size(), machine_of(settings_), settings_.conditions,
                      simulators_.get(cycle_settings_of(settings_)));
  }

  workload::ModelLibrary models_;
  AxisTable<Settings> axes_;
  Schema schema_;
  OutcomeTables tables_;
  std::size_t model_axis_;
  /// Those of the point at hand; kept so that reading a point does not allocate.
  Settings settings_;
  ModelCostCache costs_;
  GpuRun gpu_;
  OperatorRun operators_;
  cycle::SimulatorCache simulators_;
  placement::ExchangeCache exchanges_;
};

}  // namespace

std::unique_ptr<System> make_allspark(const ConfigFolders& configs) { return std::make_unique<Allspark>(configs); }

std::vector<PolicyInfo> allspark_policies() { return policy_infos(policies()); }

}  // namespace pimsweep::systems::allspark
