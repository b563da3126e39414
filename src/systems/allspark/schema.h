#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/silicon/silicon.h"
#include "systems/allspark/cycle/phase_simulator.h"
#include "systems/allspark/machine.h"
#include "systems/allspark/placement/interactions.h"
#include "systems/allspark/record_writer.h"
#include "systems/system.h"

namespace pimsweep::systems::allspark {

/// Axes, metrics and tables of the system "allspark".
Schema make_schema(const std::vector<std::string>& models);

/// Reads a point by axis name; the indices are looked up once.
class PointReader {
 public:
  explicit PointReader(const Schema& schema);

  const std::string& model(const Point& point) const { return point.text(model_); }
  std::int64_t image_px(const Point& point) const { return point.integer(image_px_); }
  const std::string& policy(const Point& point) const { return point.text(policy_); }
  std::int64_t batch(const Point& point) const { return point.integer(batch_); }
  bool weight_sharing(const Point& point) const { return point.boolean(weight_sharing_); }
  bool weight_reuse(const Point& point) const { return point.boolean(weight_reuse_); }
  const std::string& schedule(const Point& point) const { return point.text(schedule_); }
  double ilp_time_limit(const Point& point) const { return point.real(ilp_time_limit_); }
  /// Throws PointError where the buffer cannot hold a tile of the PE array.
  Machine machine(const Point& point) const;
  /// Throws PointError where the network cannot be simulated.
  placement::PlacementOptions placement(const Point& point) const;
  bool simulated(const Point& point) const { return point.text(fidelity_) == "cycle"; }
  /// For fidelity "cycle". Throws PointError where routers or banks cannot be simulated.
  cycle::CycleSettings cycle_settings(const Point& point) const;
  EnergyCosts energy(const Point& point) const;
  /// What the machine is made of, for area and cost.
  hardware::silicon::Parts parts(const Point& point) const;

 private:
  /// Timing of one bank. Throws PointError where refreshes leave no time.
  hardware::dram::Dram bank(const Point& point) const;
  cycle::SustainedSettings sustained_settings(const Point& point) const;

  std::size_t model_, image_px_, policy_, batch_, weight_sharing_, weight_reuse_, schedule_, ilp_time_limit_;
  std::size_t node_rows_, node_cols_, pe_rows_, pe_cols_, clock_, word_, buffer_, bank_capacity_, banks_,
      bank_bandwidth_, link_bandwidth_, transfer_, acu_lanes_, softmax_passes_, layernorm_passes_, gelu_passes_,
      min_patch_chunk_, fidelity_, rates_, placement_, placement_seed_, interaction_flit_hops_, interaction_route_,
      virtual_channels_, router_buffer_, packet_, noc_energy_, dram_energy_, mac_energy_, register_energy_,
      accumulator_energy_, accumulators_, sram_energy_, row_, tRCD_, tRP_, tRAS_, tRFC_, tREFI_, tCL_, tCWL_, tWR_,
      tRTP_, tWTR_;
};

}  // namespace pimsweep::systems::allspark
