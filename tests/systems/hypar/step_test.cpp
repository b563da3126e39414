#include "systems/hypar/step.h"

#include <catch2/catch.hpp>
#include <random>

#include "hardware/noc/h_tree.h"
#include "hardware/noc/step_simulation.h"
#include "hardware/noc/torus.h"
#include "workload/model_library.h"

namespace pimsweep::systems::hypar {
namespace {

Machine small_machine(int levels) {
  Machine machine;
  machine.levels = levels;
  machine.units = 4;
  machine.pe_rows = 12;
  machine.pe_cols = 14;
  machine.clock = 250e6;
  machine.utilization = 0.8;
  machine.buffer = 110592;
  machine.pe_input_words = 12;
  machine.pe_filter_words = 224;
  machine.pe_psum_words = 24;
  machine.dram_capacity = 8e9;
  machine.dram_bandwidth = 320e9;
  machine.word = 4;
  machine.energy = {0.9e-12, 3.7e-12, 5e-12, 640e-12, 54e-12, 4};
  return machine;
}

}  // namespace

TEST_CASE("without overlap the simulated step is the sum of computation and exchanges") {
  const workload::ModelLibrary models("configs/models");
  std::mt19937_64 random(5);
  LayerMappings mappings;
  for (const std::string model : {"lenet-c", "alexnet", "resnet-50", "vit-b"}) {
    const workload::TrainingNetwork network =
        workload::training_network(models.graph(model, models.default_image_px(model)));
    for (const int levels : {0, 1, 3, 4}) {
      const Machine machine = small_machine(levels);
      const LayerCosts costs(network, machine, 64, MacCount::output_size, ComputeModel::row_stationary, mappings);
      for (const hardware::noc::ExchangeNetwork& links :
           {hardware::noc::h_tree(static_cast<std::size_t>(levels), 2e8),
            hardware::noc::torus(static_cast<std::size_t>(levels), 1e8, hardware::noc::TorusRouting::dimension_order,
                                 hardware::noc::TorusMapping::row_major)}) {
        search::Assignment assignment(network.nodes.size());
        for (search::State& state : assignment)
          state = static_cast<search::State>(random() % search::state_count(levels));
        const StepVolumes volumes(network, TensorBytes(network, 64, 4, {}), levels, assignment);
        const AnalyticTime sums = analytic_time(volumes, costs, assignment, links);
        hardware::noc::StepProgram program;
        std::vector<TaskName> names;
        write_step_program(network, volumes, costs, assignment, program, &names);
        CAPTURE(model, levels);
        REQUIRE(names.size() == program.size());
        hardware::noc::StepSimulation simulation(links);
        REQUIRE(simulation.run(program, false).makespan == Approx(sums.total()).epsilon(1e-9));
        // Overlap cannot beat the accelerator or the busiest link.
        const hardware::noc::StepTimeline& timeline = simulation.run(program, true);
        REQUIRE(timeline.computation_seconds == Approx(sums.computation).epsilon(1e-9));
        REQUIRE(timeline.makespan >= sums.computation * (1 - 1e-9));
        for (std::size_t link = 0; link < links.bandwidth.size(); ++link) {
          REQUIRE(timeline.makespan >= timeline.link_bytes[link] / links.bandwidth[link] * (1 - 1e-9));
        }
      }
    }
  }
}

TEST_CASE("an accelerator's share: work is conserved, traffic never below each operand once") {
  const workload::ModelLibrary models("configs/models");
  LayerMappings mappings;
  for (const std::string model : {"alexnet", "mobilenet-v2", "vgg-a"}) {
    const workload::TrainingNetwork network = workload::training_network(models.graph(model, 224));
    const Machine machine = small_machine(4);
    const LayerCosts costs(network, machine, 256, MacCount::output_size, ComputeModel::row_stationary, mappings);
    for (std::size_t node = 0; node < network.nodes.size(); ++node) {
      const workload::TrainingNode& layer = network.nodes[node];
      if (!layer.is_layer()) continue;
      for (const search::State state : {search::State{0}, search::State{3}, search::State{15}}) {
        for (const Phase phase : all_phases) {
          const PhaseCost& cost = costs.cost(node, state, phase);
          CAPTURE(model, layer.name, state, static_cast<int>(phase));
          REQUIRE(cost.macs * 16 == static_cast<double>(layer.macs) * 256);
          REQUIRE(cost.seconds >= cost.macs / machine.peak_macs() * (1 - 1e-12));
          REQUIRE(cost.seconds >= cost.dram_words * machine.word / machine.dram_bandwidth * (1 - 1e-12));
          REQUIRE(cost.sram_words >= cost.dram_words);
          REQUIRE(cost.dram_words >= static_cast<double>(layer.weights) / (1 << std::popcount(state)) * (1 - 1e-12));
        }
      }
    }
  }
}

}  // namespace pimsweep::systems::hypar
