#include "systems/allspark/allspark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "hardware/gpu/network/network_cache.h"
#include "systems/allspark/explain.h"
#include "systems/allspark/model_cost_cache.h"
#include "systems/allspark/operator_run.h"
#include "systems/allspark/outcome.h"
#include "systems/allspark/record_writer.h"
#include "systems/allspark/settings.h"
#include "systems/allspark/timeline.h"
#include "systems/devices/gpu_roofline.h"
#include "systems/policy_list.h"
#include "systems/roofline.h"
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

/// Mean seconds of a point, measured on one core (docs/allspark.md, "Speed"; docs/allspark-placement.md). They do not
/// affect results: they only separate long points from short ones, which does not depend on the processor.
struct MeasuredSeconds {
  /// Schedules by formula under policies without a time limit: Figure 11 has 315 points.
  double schedule = 50e-6;
  /// Schedules on routers and DRAM: study `fidelity` of experiments/allspark-fidelity.toml.
  double simulated_schedule = 0.015;
  /// Schedules and the exchanges of placed branches on routers and DRAM: experiments/allspark-placement.toml.
  double simulated_exchanges = 3;
};
constexpr MeasuredSeconds measured;

/// Runs the model and batch of a point on the GPU that the node array is compared with (Sec. VIII-C, Figure 16).
class GpuRun {
 public:
  explicit GpuRun(const workload::ModelLibrary& models) : models_(models), networks_(models) {}

  /// With a measured throughput, `seconds` is scaled to it; kernels and energy are the model's. Throws PointError if
  /// the hardware lacks a GPU or its GPU lacks the precision.
  hardware::gpu::network::Inference operator()(const Settings& settings) {
    const GpuSettings& gpu = settings.gpu;
    if (const std::vector<std::string> missing = devices::missing_gpu_axes(gpu_prefix, gpu.card); !missing.empty()) {
      throw PointError(
          fmt::format("execution gpu requires a GPU, but the hardware file lacks {}; allspark-vs-v100 has one",
                      fmt::join(missing, ", ")));
    }
    if (const std::string reason = devices::missing_unit(gpu_prefix, gpu.card, gpu.precision); !reason.empty()) {
      throw PointError(reason);
    }
    hardware::gpu::network::Inference inference =
        run(settings, models_.input_size(settings.model, settings.input), settings.conditions.batch);
    if (gpu.throughput > 0) {
      const auto batch = static_cast<double>(gpu.throughput_batch);
      const std::int64_t own_size = models_.input_size(settings.model, {});
      inference.seconds *= batch / gpu.throughput / run(settings, own_size, gpu.throughput_batch).seconds;
    }
    return inference;
  }

 private:
  hardware::gpu::network::Inference run(const Settings& settings, std::int64_t size, std::int64_t batch) {
    const GpuSettings& gpu = settings.gpu;
    const hardware::gpu::network::Network& graph =
        networks_.network(std::string(settings.model), size, batch, gpu.elementwise);
    return hardware::gpu::network::run(graph,
                                       hardware::gpu::network::NetworkKernels(gpu.card.device, gpu.precision, false),
                                       gpu.card.device, gpu.launches);
  }

  const workload::ModelLibrary& models_;
  hardware::gpu::network::NetworkCache networks_;
};

class Allspark final : public System, public HasRoofline {
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
    if (settings_.execution != Execution::schedule) return measured.schedule;
    const placement::PlacementMethod* placement = settings_.placement.method;
    double seconds = settings_.policy->is_time_limited ? settings_.options.ilp_time_limit : measured.schedule;
    if (placement != nullptr) seconds += placement->expected_seconds;
    if (settings_.conditions.fidelity == Fidelity::cycle) {
      seconds += placement == nullptr ? measured.simulated_schedule : measured.simulated_exchanges;
    }
    return seconds;
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
        return explain_operators(run_operators(), settings_.machine, notes);
      case Execution::ideal:
        return explain_model(costs(), notes);
      case Execution::gpu:
        return explain_gpu(gpu_(settings_), notes);
    }
  }

  Roofline roofline(const Point& point, const Record& record) override {
    axes_.read(point, settings_);
    switch (settings_.execution) {
      case Execution::ideal:
        return {.reason = "execution 'ideal' moves no data"};
      case Execution::gpu:
        return {{devices::gpu_roofline(settings_.gpu.card.device, settings_.gpu.precision, gpu_(settings_))}};
      case Execution::schedule:
      case Execution::operators:
        break;
    }
    const Machine& machine = settings_.machine;
    const auto nodes = static_cast<double>(machine.nodes());
    return {{{.name = "node array",
              .operations = 2 * number_of(schema_, record, "macs") * static_cast<double>(settings_.conditions.batch),
              .memory_bytes = number_of(schema_, record, "dram_bytes"),
              .time = number_of(schema_, record, "time"),
              .peak_rate = 2 * nodes * static_cast<double>(machine.pes()) * machine.clock,
              .memory_bandwidth = nodes * static_cast<double>(machine.dram.banks) * machine.dram.bandwidth}}};
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
    require_routers();
    const Decision decision = settings_.policy->choose(by_formula, settings_.options);
    ModelCosts& charged = charged_costs(by_formula);
    estimate_silicon(outcome);
    write_schedule(charged, decision, settings_.options.weight_reuse, settings_.energy, outcome);
    if (outcome.record.status != Status::ok) return;
    if (settings_.record_timeline) write_timeline(charged, decision, outcome);
    if (&charged != &by_formula) write_deviation(by_formula, decision, outcome);
    if (settings_.placement.method != nullptr) {
      write_interactions(by_formula, interactions(by_formula, decision), outcome);
    }
  }

  void evaluate_operators(Outcome& outcome) {
    const OperatorSchedule schedule = run_operators();
    write_operators(schedule, settings_.machine, settings_.conditions.batch, settings_.energy, outcome);
    if (settings_.record_timeline && outcome.record.status == Status::ok) {
      write_timeline(schedule, settings_.machine, outcome);
    }
  }

  void explain_schedule(Explanation& notes) {
    ModelCosts& by_formula = costs();
    require_routers();
    const Decision decision = settings_.policy->choose(by_formula, settings_.options);
    explain_decision(charged_costs(by_formula), decision, settings_.options.weight_reuse, notes);
    if (settings_.placement.method != nullptr && decision.infeasible.empty()) {
      explain_interactions(interactions(by_formula, decision), notes);
    }
  }

  void estimate_silicon(Outcome& outcome) const {
    outcome.result.silicon = devices::estimate_silicon(settings_.machine.parts(), settings_.silicon);
  }

  std::int64_t input_size() const { return models_.input_size(settings_.model, settings_.input); }

  /// Before a solver spends time: throws PointError where the point simulates routers and cannot.
  void require_routers() const {
    if (settings_.placement.method != nullptr || settings_.conditions.fidelity == Fidelity::cycle) {
      static_cast<void>(settings_.machine.packets());
    }
  }

  void require_analytic() const {
    if (settings_.conditions.fidelity == Fidelity::cycle || settings_.placement.method != nullptr) {
      throw PointError("execution operators has costs by formula (fidelity analytic) and no placement");
    }
  }

  OperatorSchedule run_operators() {
    require_analytic();
    settings_.machine.require_buffer();
    return operators_(settings_.model, input_size(), settings_.machine, settings_.conditions);
  }

  /// Costs by formula, by which policies decide at any fidelity.
  ModelCosts& costs() {
    settings_.machine.require_buffer();
    Conditions conditions = settings_.conditions;
    conditions.fidelity = Fidelity::analytic;
    return costs_.get(settings_.model, input_size(), settings_.machine, conditions);
  }

  /// Costs at the point's fidelity of a schedule that was found by formula.
  ModelCosts& charged_costs(ModelCosts& by_formula) {
    if (settings_.conditions.fidelity == Fidelity::analytic) return by_formula;
    return costs_.get(settings_.model, input_size(), settings_.machine, settings_.conditions);
  }

  std::vector<StageInteraction> interactions(ModelCosts& by_formula, const Decision& decision) {
    return place_interactions(by_formula, decision, settings_.placement, settings_.conditions.fidelity, exchanges_);
  }

  workload::ModelLibrary models_;
  AxisTable<Settings> axes_;
  Schema schema_;
  OutcomeTables tables_;
  std::size_t model_axis_;
  /// Settings of the current point; kept so that reading a point does not allocate.
  Settings settings_;
  ModelCostCache costs_;
  GpuRun gpu_;
  OperatorRun operators_;
  placement::ExchangeCache exchanges_;
};

}  // namespace

std::unique_ptr<System> make_allspark(const ConfigFolders& configs) { return std::make_unique<Allspark>(configs); }

std::vector<PolicyInfo> allspark_policies() { return policy_infos(policies()); }

}  // namespace pimsweep::systems::allspark
