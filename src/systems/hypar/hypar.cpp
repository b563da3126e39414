#include "systems/hypar/hypar.h"

#include "hardware/noc/routed_step.h"
#include "hardware/noc/step_simulation.h"
#include "systems/hypar/explain.h"
#include "systems/hypar/outcome.h"
#include "systems/hypar/policy.h"
#include "systems/hypar/settings.h"
#include "systems/hypar/training_point.h"
#include "systems/policy_list.h"
#include "systems/roofline.h"
#include "workload/model_library.h"

namespace pimsweep::systems::hypar {

namespace {

class Hypar final : public System, public HasRoofline {
 public:
  explicit Hypar(const ConfigFolders& configs) : models_(configs.models) {
    schema_.name = "hypar";
    schema_.main_metrics = {"time_per_sample", "energy_per_sample"};
    schema_.doc = "HyPar: training on an array of HMC accelerators, data or model parallelism for each layer and level";
    schema_.version = 1;
    schema_.axes = axes_.axes();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const Settings settings = settings_of(point);
    const TrainingPoint training(settings, cache_);
    const hardware::noc::ExchangeNetwork& network = training.network_costs.network;
    if (settings.fidelity == Fidelity::analytic) {
      write_outcome(training, nullptr, columns_, record);
      if (!settings.record_timeline) return;
      write_program(training);
      write_timeline(training, {program_, hardware::noc::StepSimulation(network).run(program_, false), names_},
                     columns_, record);
      return;
    }
    write_program(training);
    const auto write = [&](const hardware::noc::StepTimeline& timeline) {
      const SimulatedStep simulated{program_, timeline, names_};
      write_outcome(training, &simulated, columns_, record);
    };
    if (settings.fidelity == Fidelity::event) {
      write(hardware::noc::StepSimulation(network).run(program_, settings.overlap));
    } else {
      const Machine& machine = settings.machine;
      write(hardware::noc::RoutedStep(cache_.routers(machine), network, machine.link_bandwidth, machine.flit)
                .run(program_, settings.overlap));
    }
  }

  Hash128 workload_hash(const Point& point) override { return models_.content(axes_.read(point).model); }

  std::vector<std::string> fit_axes() const override {
    return {"model",
            "image_px",
            "tokens",
            "levels",
            "policy",
            "free",
            "overrides",
            "more_overrides",
            "fidelity",
            "topology",
            "hardware.network.virtual_channels"};
  }

  void explain(const Point& point, Explanation& explanation) override {
    const Settings settings = settings_of(point);
    explain_point(TrainingPoint(settings, cache_), explanation);
  }

  Roofline roofline(const Point& point, const Record& record) override {
    const Settings settings = settings_of(point);
    return {{roofline_part(TrainingPoint(settings, cache_), number_of(schema_, record, "time"))}};
  }

 protected:
  void require_fit(const Point& point) override {
    const Settings settings = settings_of(point);
    require_choice(settings, cache_);
    if (settings.fidelity == Fidelity::cycle) cache_.routers(settings.machine);
  }

 private:
  Settings settings_of(const Point& point) const {
    Settings settings = axes_.read(point);
    settings.machine.link_bandwidth = link_bandwidth(settings);
    return settings;
  }

  void write_program(const TrainingPoint& training) {
    write_step_program(training.network, training.volumes, training.layer_costs, training.choice.assignment, program_,
                       &names_);
  }

  workload::ModelLibrary models_;
  AxisTable<Settings> axes_ = make_axes(models_.names());
  Schema schema_;
  Columns columns_{schema_};
  PointCache cache_{models_};
  hardware::noc::StepProgram program_;
  std::vector<TaskName> names_;
};

}  // namespace

std::unique_ptr<System> make_hypar(const ConfigFolders& configs) { return std::make_unique<Hypar>(configs); }

std::vector<PolicyInfo> hypar_policies() { return policy_infos(policies()); }

}  // namespace pimsweep::systems::hypar
