#pragma once

#include <cstdint>
#include <optional>

#include "hardware/noc/router/synthetic_traffic.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"

namespace pimsweep::systems::parts {

enum class NocFidelity : std::uint8_t { analytic, cycle };
enum class NocRouting : std::uint8_t { dimension, dor, dim_order, up_down };

struct AllocatorChoice {
  hardware::noc::router::Allocator allocator;
  unsigned iterations;
  friend bool operator==(const AllocatorChoice&, const AllocatorChoice&) = default;
};

/// A point of the system `noc`.
struct NocSettings {
  NocFidelity fidelity = NocFidelity::cycle;
  hardware::noc::router::Topology topology = hardware::noc::router::Topology::mesh;
  unsigned radix = 0;
  unsigned dimensions = 0;
  NocRouting routing = NocRouting::dimension;
  hardware::noc::router::RouterSettings router;
  /// The router model supports only 1 for these two.
  unsigned vc_alloc_delay = 1;
  unsigned sw_alloc_delay = 1;
  AllocatorChoice allocator{};
  bool folded_torus = false;
  hardware::noc::router::SyntheticTraffic traffic;
};

/// Its metrics.
struct NocResult {
  std::optional<double> packet_latency;
  std::optional<double> network_latency;
  std::optional<double> hops;
  double accepted_rate = 0;
  bool saturated = false;
  double zero_load_latency = 0;
  double link_load_bound = 0;
  std::optional<double> simulated_cycles;
  std::optional<double> flit_hops;
};

void add_axes(AxisList& axes, NocSettings& settings);
void add_metrics(ColumnList& metrics, const NocResult& result);

/// The axes' words of topologies and routing algorithms.
std::string_view word_of(hardware::noc::router::Topology topology);
std::string_view word_of(NocRouting routing);

}  // namespace pimsweep::systems::parts
