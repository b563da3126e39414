#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.h"
#include "hardware/gpu/network/inference.h"
#include "hardware/gpu/network/network.h"
#include "hardware/silicon/silicon.h"
#include "systems/allspark/cycle/phase_simulator.h"
#include "systems/allspark/interactions.h"
#include "systems/allspark/machine.h"
#include "systems/allspark/policy.h"
#include "systems/devices/gpu_axes.h"
#include "workload/input_size.h"

namespace pimsweep::systems::allspark {

/// How a model is run.
enum class Execution : std::uint8_t {
  /// The branches of its encoder blocks on the node array, as a policy schedules them.
  schedule,
  /// Any operator graph on the node array, operator after operator (docs/crossover.md).
  operators,
  /// All PEs busy with multiply-accumulates, nothing moved: a lower bound.
  ideal,
  /// The whole network on the graphics card beside the node array (Figure 16).
  gpu
};
inline constexpr std::array execution_words{Word{"schedule", Execution::schedule},
                                            Word{"operators", Execution::operators}, Word{"ideal", Execution::ideal},
                                            Word{"gpu", Execution::gpu}};

enum class Fidelity : std::uint8_t { analytic, cycle };
/// The rates of DRAM and links in formulas.
enum class Rates : std::uint8_t { sustained, peak };
/// Whether DRAM read, link and DRAM write of a transfer follow each other or overlap.
enum class Transfer : std::uint8_t { store_and_forward, pipelined };

/// The constants of a hardware file, in SI units.
struct Constants {
  std::int64_t node_rows = 0;
  std::int64_t node_cols = 0;
  std::int64_t pe_rows = 0;
  std::int64_t pe_cols = 0;
  /// Partial sums that the accumulators of a PE column hold.
  std::int64_t accumulators = 0;
  double clock = 0;
  double word_bytes = 0;
  double buffer_bytes = 0;
  std::int64_t acu_lanes = 0;
  std::int64_t softmax_passes = 0;
  std::int64_t layernorm_passes = 0;
  std::int64_t gelu_passes = 0;
  std::int64_t min_patch_chunk = 0;

  std::int64_t banks = 0;
  double bank_bytes = 0;
  double bank_bandwidth = 0;
  double row_bytes = 0;
  double tRCD = 0, tRP = 0, tRAS = 0, tRFC = 0, tREFI = 0, tCL = 0, tCWL = 0, tWR = 0, tRTP = 0, tWTR = 0;

  double link_bandwidth = 0;
  unsigned virtual_channels = 0;
  /// Flits.
  unsigned router_buffer = 0;
  unsigned packet_flits = 0;
  Transfer transfer = Transfer::store_and_forward;

  EnergyCosts energy;
  hardware::silicon::Densities silicon;
};

/// Axes "hardware.gpu.*" are the constants of the graphics card.
inline constexpr std::string_view gpu_prefix = "gpu.";

/// The graphics card beside the node array, and how it runs a network.
struct GpuSettings {
  devices::Precision precision = devices::Precision::fp32;
  hardware::gpu::network::ElementwiseMode elementwise = hardware::gpu::network::ElementwiseMode::eager;
  hardware::gpu::network::Launches launches = hardware::gpu::network::Launches::queued;
  /// Samples per second measured at `throughput_batch` and the model's own size, to which the card's time is scaled at
  /// all sizes and batches; 0 for none.
  double throughput = 0;
  std::int64_t throughput_batch = 64;
  devices::GpuCard card;
};

/// What a point of the system "allspark" says.
struct Settings {
  std::string_view model;
  workload::InputSize input;
  const Policy* policy = nullptr;
  Execution execution = Execution::schedule;
  Conditions conditions;
  Fidelity fidelity = Fidelity::analytic;
  Rates rates = Rates::sustained;
  /// Null: interactions between branches are left out.
  const placement::PlacementMethod* placement = nullptr;
  placement::InteractionRoute interaction_route = placement::InteractionRoute::corner;
  double interaction_flit_hops = 0;
  std::uint64_t placement_seed = 0;
  PolicyOptions options;
  bool record_timeline = false;
  Constants constants;
  GpuSettings gpu;
};

/// The node array in cycles, words and bytes. Throws PointError where the buffer cannot hold a tile of the PE array, or
/// where refreshes leave no time.
Machine machine_of(const Settings& settings);

/// How the branches of a schedule are placed and what they exchange. Throws PointError where the network of routers
/// cannot be simulated.
PlacementOptions placement_options_of(const Settings& settings);

/// What a simulation of the phases needs. Throws PointError where routers or banks cannot be simulated.
cycle::CycleSettings cycle_settings_of(const Settings& settings);

/// What the node array is made of, for area and cost.
hardware::silicon::Parts parts_of(const Constants& constants);

}  // namespace pimsweep::systems::allspark
