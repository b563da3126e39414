#include "systems/heteropim/explain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quantity.h"
#include "hardware/hmc_logic/placement.h"
#include "systems/devices/gpu_roofline.h"

namespace pimsweep::systems::heteropim {

namespace {

std::string seconds(double value) { return format_quantity(value, "s"); }
std::string joules(double value) { return format_quantity(value, "J"); }
std::string percent(double value) { return fmt::format("{:.1f} %", 100 * value); }

void explain_machine(const Settings& settings, const Outcome& outcome, Explanation& explanation) {
  const Machine& machine = settings.machine;
  auto& lines = explanation.section("machine").lines;
  const double host = machine.host.cores * machine.host.clock * machine.host.rate;
  lines.push_back({"host", fmt::format("{:.4g} GFLOP/s", host / 1e9),
                   fmt::format("{} of it in GEMMs", percent(machine.host.efficiency))});
  const double one = machine.programmable.cores * machine.programmable.clock * machine.programmable.rate;
  lines.push_back({"programmable PIM", fmt::format("{:.4g} GFLOP/s each", one * settings.speed() / 1e9),
                   fmt::format("{} of them", settings.programmable)});
  const std::uint32_t pairs = outcome.plan.runtime.pairs;
  if (pairs == 0) return;
  const double pair = 2 * machine.pairs.clock * settings.speed();
  lines.push_back({"pairs", fmt::format("{}", pairs), fmt::format("{:.4g} GFLOP/s together", pair * pairs / 1e9)});
  const hardware::hmc_logic::BankGrid& grid = machine.stack.grid;
  const auto placed = hardware::hmc_logic::place_units(grid, pairs, machine.stack.edge_bonus);
  for (std::int64_t row = 0; row < grid.rows; ++row) {
    const auto first = placed.begin() + row * grid.columns;
    lines.push_back({fmt::format("pairs of the banks in row {}", row + 1),
                     fmt::format("{}", fmt::join(first, first + grid.columns, " ")), ""});
  }
}

void explain_profile(const Outcome& outcome, Explanation& explanation) {
  auto& lines = explanation.section("profile on the host").lines;
  for (const TypeProfile& type : outcome.plan.profile) {
    lines.push_back({std::string(workload::training::name_of(type.type)), seconds(type.seconds),
                     fmt::format("{} operations, {} of memory traffic; rank {} by time, {} by memory{}",
                                 type.invocations, format_quantity(type.memory_bytes, "B"), type.time_index,
                                 type.memory_index, type.candidate ? "; candidate" : "")});
  }
}

}  // namespace

Roofline roofline_of(const Settings& settings, const Outcome& outcome) {
  const Machine& machine = settings.machine;
  const Plan& plan = outcome.plan;
  if (plan.gpu) {
    return {{devices::gpu_roofline(machine.gpu.device(), hardware::gpu::Precision::fp32, plan.gpu->kernels.operations,
                                   plan.gpu->kernels.memory_bytes, outcome.time)}};
  }
  const auto steps = static_cast<double>(settings.steps);
  const double stack_bandwidth = machine.stack.bandwidth * settings.speed();
  const Activity& activity = outcome.activity;
  return {{{.name = "host",
            .operations = activity.host_work / steps,
            .memory_bytes = activity.host_bytes / steps,
            .time = outcome.time,
            .peak_rate = machine.host.cores * machine.host.clock * machine.host.rate,
            .memory_bandwidth = plan.memory == MainMemory::own
                                    ? machine.host.memory_bandwidth
                                    : std::min(machine.stack.link_bandwidth, stack_bandwidth / 2)},
           {.name = "PIM",
            .operations = activity.pim_work / steps,
            .memory_bytes = activity.stack_bytes / steps,
            .time = outcome.time,
            .peak_rate = 2 * plan.runtime.pairs * machine.pairs.clock * settings.speed() +
                         plan.runtime.programmable * plan.accelerator.peak_rate,
            .memory_bandwidth = stack_bandwidth}}};
}

void explain_point(const Settings& settings, const workload::training::TrainingGraph& graph, const Outcome& outcome,
                   Explanation& explanation) {
  explain_machine(settings, outcome, explanation);
  explain_profile(outcome, explanation);
  auto& lines = explanation.section("step").lines;
  lines.push_back({"operations", fmt::format("{}", graph.size()), "sources and views included"});
  if (outcome.bounds) {
    lines.push_back({"critical path", seconds(outcome.bounds->critical_path), "each operation on its fastest device"});
    lines.push_back({"work bound", seconds(outcome.bounds->work), "lower bound for each of many steps"});
  }
  lines.push_back({"time", seconds(outcome.time), fmt::format("{} steps were run", settings.steps)});
  lines.push_back({"operation time", seconds(outcome.operation), "some unit computes"});
  lines.push_back({"data movement time", seconds(outcome.movement), "not hidden by computation"});
  lines.push_back({"synchronization time", seconds(outcome.synchronization), "launches and waiting"});
  lines.push_back({"host utilization", percent(outcome.utilization.host), "of the time"});
  lines.push_back({"programmable PIM utilization", percent(outcome.utilization.programmable), "of the time"});
  lines.push_back({"pair utilization", percent(outcome.utilization.pairs), "of pairs x time"});
  auto& parts = explanation.section("energy").lines;
  parts.push_back({"idle", joules(outcome.energy.idle), "host, stack, GPU"});
  parts.push_back({"host", joules(outcome.energy.host), ""});
  parts.push_back({"programmable PIM", joules(outcome.energy.programmable), ""});
  parts.push_back({"pairs", joules(outcome.energy.pairs), ""});
  parts.push_back({"memory", joules(outcome.energy.memory), ""});
  parts.push_back({"GPU", joules(outcome.energy.gpu), ""});
}

}  // namespace pimsweep::systems::heteropim
