#include "systems/allspark/allspark.h"

#include "base/error.h"
#include "systems/allspark/cycle/simulator_cache.h"
#include "systems/allspark/explain.h"
#include "systems/allspark/gpu_run.h"
#include "systems/allspark/model_cost_cache.h"
#include "systems/allspark/operator_run.h"
#include "systems/allspark/policy.h"
#include "systems/allspark/record_writer.h"
#include "systems/allspark/schema.h"
#include "systems/policy_list.h"
#include "systems/silicon_axes.h"
#include "workload/model_library.h"

namespace pimsweep::systems::allspark {

namespace {

class Allspark final : public System {
 public:
  explicit Allspark(const std::string& config_dir)
      : models_(config_dir + "/models"),
        schema_(make_schema(models_.names())),
        reader_(schema_),
        costs_(models_),
        gpu_(schema_, models_),
        operators_(models_) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    if (reader_.policy(point) == operators_policy_name) {
      write_operator_record(run_operators(point), reader_.machine(point), reader_.batch(point), reader_.energy(point),
                            schema_, record);
      return;
    }
    ModelCosts& costs = costs_of(point);
    const placement::PlacementOptions placement = reader_.placement(point);
    const Decision decision = decide(costs, point);
    if (decision.on_gpu) {
      write_gpu_record(gpu_(point), reader_.batch(point), schema_, record);
      return;
    }
    ModelCosts& charged = reader_.simulated(point) ? simulated_costs_of(point) : costs;
    write_silicon_(point, reader_.parts(point), record);
    write_record(charged, decision, reader_.weight_reuse(point), reader_.energy(point), schema_, record);
    if (record.status == Status::ok && &charged != &costs && !decision.ideal) {
      write_deviation(costs, decision, schema_, record);
    }
    if (record.status == Status::ok && placement.method != "none" && !decision.ideal) {
      write_interactions(costs, placement::place_interactions(costs, decision, placement, exchanges_), schema_, record);
    }
  }

  Hash128 workload_hash(const Point& point) override { return models_.content(reader_.model(point)); }

  std::optional<double> expected_seconds(const Point& point) override {
    // The paper's program may use up its limit; all other policies took 50 us on average (docs/allspark.md), as whole
    // points on routers and DRAM 15 ms, placements and exchanges what docs/allspark-placement.md says.
    constexpr double other_policies = 50e-6;
    const placement::PlacementOptions placement = reader_.placement(point);
    double seconds = reader_.policy(point) == "allspark-ilp" ? reader_.ilp_time_limit(point) : other_policies;
    if (placement.method != "none") seconds += placement.method == "annealing" ? 0.3 : 0.02;
    if (placement.simulate) seconds += placement.method == "none" ? 0.015 : 3;
    return seconds;
  }

  void explain(const Point& point, Explanation& explanation) override {
    if (reader_.policy(point) == operators_policy_name) {
      explain_operators(run_operators(point), reader_.machine(point), explanation);
      return;
    }
    ModelCosts& costs = costs_of(point);
    const placement::PlacementOptions placement = reader_.placement(point);
    const Decision decision = decide(costs, point);
    if (decision.on_gpu) {
      explain_gpu(gpu_(point), explanation);
      return;
    }
    explain_decision(reader_.simulated(point) ? simulated_costs_of(point) : costs, decision,
                     reader_.weight_reuse(point), explanation);
    if (placement.method != "none" && decision.infeasible.empty()) {
      explain_interactions(placement::place_interactions(costs, decision, placement, exchanges_), explanation);
    }
  }

 private:
  std::int64_t image_px(const Point& point) const {
    const std::int64_t given = reader_.image_px(point);
    return given > 0 ? given : models_.default_image_px(reader_.model(point));
  }

  OperatorSchedule run_operators(const Point& point) {
    if (reader_.simulated(point) || reader_.placement(point).method != "none") {
      throw PointError("policy operators has costs by formula (fidelity analytic) and no placement");
    }
    return operators_(reader_.model(point), image_px(point), reader_.machine(point),
                      {reader_.batch(point), reader_.weight_sharing(point)});
  }

  ModelCosts& costs_of(const Point& point) {
    return costs_.get(reader_.model(point), image_px(point), reader_.machine(point),
                      {reader_.batch(point), reader_.weight_sharing(point)});
  }

  /// What a schedule that was found by formula takes on routers and DRAM.
  ModelCosts& simulated_costs_of(const Point& point) {
    return costs_.get(reader_.model(point), image_px(point), reader_.machine(point),
                      {reader_.batch(point), reader_.weight_sharing(point)},
                      simulators_.get(reader_.cycle_settings(point)));
  }

  Decision decide(ModelCosts& costs, const Point& point) {
    return policy_named(reader_.policy(point))
        .decide(costs, {reader_.schedule(point), reader_.ilp_time_limit(point), reader_.weight_reuse(point)});
  }

  workload::ModelLibrary models_;
  Schema schema_;
  PointReader reader_;
  SiliconWriter write_silicon_{schema_};
  ModelCostCache costs_;
  GpuRun gpu_;
  OperatorRun operators_;
  cycle::SimulatorCache simulators_;
  placement::ExchangeCache exchanges_;
};

}  // namespace

std::unique_ptr<System> make_allspark(const std::string& config_dir) { return std::make_unique<Allspark>(config_dir); }

std::vector<PolicyInfo> allspark_policies() { return policy_infos(policies()); }

}  // namespace pimsweep::systems::allspark
