#include "systems/renamed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace pimsweep::systems {

namespace {

/// One a line, by system; axes, metrics, then columns of detail tables.
constexpr std::array keys{
    RenamedKey{"allspark", "latency", "time"},
    RenamedKey{"allspark", "time_per_image", "time_per_sample"},
    RenamedKey{"allspark", "sharing_time_per_image", "sharing_time_per_sample"},
    RenamedKey{"allspark", "ideal_latency", "ideal_time"},
    RenamedKey{"allspark", "energy_per_image", "energy_per_sample"},
    RenamedKey{"cpu-kernel", "span", "makespan"},
    RenamedKey{"dram", "preset", "hardware"},
    RenamedKey{"gpu", "product_time", "gemm_time"},
    RenamedKey{"gpu-streams", "span", "makespan"},
    RenamedKey{"heteropim", "workload", "model"},
    RenamedKey{"heteropim", "hardware.pim.synchronisation.launch", "hardware.pim.synchronization.launch"},
    RenamedKey{"heteropim", "hardware.pim.synchronisation.recursive_call",
               "hardware.pim.synchronization.recursive_call"},
    RenamedKey{"heteropim", "hardware.pim.synchronisation.query", "hardware.pim.synchronization.query"},
    RenamedKey{"heteropim", "hardware.pim.synchronisation.interrupt", "hardware.pim.synchronization.interrupt"},
    RenamedKey{"heteropim", "synchronisation_time", "synchronization_time"},
    RenamedKey{"heteropim", "time_per_image", "time_per_sample"},
    RenamedKey{"heteropim", "energy_per_image", "energy_per_sample"},
    RenamedKey{"heteropim", "pair_utilisation", "pair_utilization"},
    RenamedKey{"heteropim", "host_utilisation", "host_utilization"},
    RenamedKey{"heteropim", "programmable_utilisation", "programmable_utilization"},
    RenamedKey{"heteropim", "card_utilisation", "card_utilization"},
    RenamedKey{"heteropim", "begin", "start"},
    RenamedKey{"hypar", "step_time", "time"},
    RenamedKey{"hypar", "time_per_image", "time_per_sample"},
    RenamedKey{"hypar", "least_time", "time_lower_bound"},
    RenamedKey{"hypar", "total_communication", "communication"},
    RenamedKey{"hypar", "energy_per_image", "energy_per_sample"},
    RenamedKey{"newton", "preset", "hardware"},
    RenamedKey{"pimflow", "preset", "part of the hardware file"},
    RenamedKey{"pimflow", "command_optimisations", "command_optimizations"},
    RenamedKey{"pimflow", "memory_optimiser", "memory_optimizer"},
    RenamedKey{"pimflow", "hardware.synchronisation", "hardware.synchronization"},
    RenamedKey{"pimflow", "time_per_image", "time_per_sample"},
    RenamedKey{"pimflow", "energy_per_image", "energy_per_sample"},
    RenamedKey{"rtconc", "step", "model"},
    RenamedKey{"rtconc", "time_per_image", "time_per_sample"},
    RenamedKey{"rtconc", "energy_per_image", "energy_per_sample"},
    RenamedKey{"rtconc", "company_time", "contention_time"},
    RenamedKey{"rtconc", "begins", "starts"},
};

constexpr std::array values{
    RenamedValue{"policy", "gpu", "execution = \"gpu\"", "allspark"},
    RenamedValue{"policy", "ideal", "execution = \"ideal\"", "allspark"},
    RenamedValue{"policy", "operators", "execution = \"operators\"", "allspark"},
    RenamedValue{"kind", "optimiser", "optimizer", "optimizer"},
    RenamedValue{"pointwise", "product", "gemm", "gemm"},
    RenamedValue{"performance_model", "k-neighbours", "k-neighbors", "k-neighbors"},
};

}  // namespace

std::span<const RenamedKey> renamed_keys() { return keys; }

std::span<const RenamedValue> renamed_values() { return values; }

std::string unknown_name_hint(std::string_view system, std::string_view name, std::span<const std::string> candidates) {
  return pimsweep::unknown_name_hint(keys, system, name, candidates);
}

std::string unknown_name_hint(std::span<const std::string> system_names, std::string_view name,
                              std::span<const std::string> candidates) {
  for (const std::string& system : system_names) {
    if (std::string hint = unknown_name_hint(system, name, {}); !hint.empty()) return hint;
  }
  return suggestion(name, candidates);
}

std::string unknown_value_hint(std::string_view axis, std::string_view text, std::span<const std::string> choices) {
  const auto* value = std::find_if(values.begin(), values.end(), [&](const RenamedValue& renamed) {
    return renamed.axis == axis && renamed.old_text == text &&
           std::find(choices.begin(), choices.end(), renamed.beside) != choices.end();
  });
  if (value == values.end()) return suggestion(text, choices);
  return fmt::format("; '{}' is {} since version {}", text,
                     value->now == value->beside ? fmt::format("called '{}'", value->now) : std::string(value->now),
                     value->since);
}

}  // namespace pimsweep::systems
