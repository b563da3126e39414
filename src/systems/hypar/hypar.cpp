#include "systems/hypar/hypar.h"

#include "hardware/noc/routed_step.h"
#include "hardware/noc/step_simulation.h"
#include "systems/hypar/explain.h"
#include "systems/hypar/policy.h"
#include "systems/hypar/record_writer.h"
#include "systems/hypar/schema.h"
#include "systems/hypar/training_point.h"
#include "systems/policy_list.h"
#include "systems/silicon_axes.h"
#include "workload/model_library.h"

namespace pimsweep::systems::hypar {

namespace {

hardware::silicon::Parts parts_of(const Machine& machine) {
  const auto accelerators = static_cast<double>(machine.accelerators());
  const double units = accelerators * static_cast<double>(machine.units);
  const auto words = static_cast<double>(machine.pe_input_words + machine.pe_filter_words + machine.pe_psum_words);
  hardware::silicon::Parts parts;
  parts.units = units * static_cast<double>(machine.pe_rows * machine.pe_cols);
  parts.sram_bytes = units * machine.buffer + parts.units * words * machine.word;
  parts.logic_dies = accelerators;
  parts.dram_bytes = accelerators * machine.dram_capacity;
  return parts;
}

class Hypar final : public System {
 public:
  explicit Hypar(const std::string& config_dir)
      : models_(config_dir + "/models"), schema_(make_schema(models_.names())), reader_(schema_), cache_(models_) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const TrainingPoint training(reader_, point, cache_);
    write_silicon_(point, parts_of(training.machine), record);
    const bool all_energy = reader_.counts_all_energy(point);
    const std::string& fidelity = reader_.fidelity(point);
    if (fidelity == "analytic") {
      write_record(training, all_energy, nullptr, schema_, record);
      return;
    }
    write_step_program(training.network, training.volumes, training.layer_costs, training.choice.assignment, program_,
                       &names_);
    const hardware::noc::ExchangeNetwork& network = training.network_costs.network;
    const auto write = [&](const hardware::noc::StepTimeline& timeline) {
      const SimulatedStep simulated{program_, timeline, names_};
      write_record(training, all_energy, &simulated, schema_, record);
    };
    if (fidelity == "event") {
      write(hardware::noc::StepSimulation(network).run(program_, reader_.overlap(point)));
    } else {
      const Machine& machine = training.machine;
      const hardware::noc::RoutedArray& routers = cache_.routers(machine);
      write(hardware::noc::RoutedStep(routers, network, machine.link_bandwidth, machine.flit)
                .run(program_, reader_.overlap(point)));
    }
  }

  Hash128 workload_hash(const Point& point) override { return models_.content(reader_.model(point)); }

  void explain(const Point& point, Explanation& explanation) override {
    explain_point(TrainingPoint(reader_, point, cache_), explanation);
  }

 private:
  workload::ModelLibrary models_;
  Schema schema_;
  PointReader reader_;
  SiliconWriter write_silicon_{schema_};
  PointCache cache_;
  hardware::noc::StepProgram program_;
  std::vector<TaskName> names_;
};

}  // namespace

std::unique_ptr<System> make_hypar(const std::string& config_dir) { return std::make_unique<Hypar>(config_dir); }

std::vector<PolicyInfo> hypar_policies() { return policy_infos(policies()); }

}  // namespace pimsweep::systems::hypar
