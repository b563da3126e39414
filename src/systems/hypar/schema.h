#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/hypar/communication.h"
#include "systems/hypar/layer_costs.h"
#include "systems/hypar/machine.h"
#include "systems/system.h"

namespace pimsweep::systems::hypar {

/// Axes, metrics and tables of the system "hypar".
Schema make_schema(const std::vector<std::string>& models);

/// Reads a point by axis name; the indices are looked up once.
class PointReader {
 public:
  explicit PointReader(const Schema& schema);

  const std::string& model(const Point& point) const { return point.text(model_); }
  /// 0: the model's own size.
  std::int64_t image_px(const Point& point) const { return point.integer(image_px_); }
  std::int64_t batch(const Point& point) const { return point.integer(batch_); }
  const std::string& policy(const Point& point) const { return point.text(policy_); }
  bool objective_is_time(const Point& point) const { return point.text(objective_) == "time"; }
  const std::string& fidelity(const Point& point) const { return point.text(fidelity_); }
  bool overlap(const Point& point) const { return point.boolean(overlap_); }
  const std::string& overrides(const Point& point) const { return point.text(overrides_); }
  const std::string& more_overrides(const Point& point) const { return point.text(more_overrides_); }
  const std::string& free(const Point& point) const { return point.text(free_); }
  Accounting accounting(const Point& point) const;
  MacCount mac_count(const Point& point) const;
  ComputeModel compute_model(const Point& point) const;
  bool counts_all_energy(const Point& point) const { return point.text(energy_scope_) == "all"; }
  Machine machine(const Point& point) const;

 private:
  std::size_t model_, image_px_, batch_, levels_, task_, policy_, objective_, fidelity_, overlap_, overrides_,
      more_overrides_, free_, feature_maps_, partial_sum_count_, conversion_count_, conversion_shape_, mac_count_,
      compute_model_, energy_scope_, topology_, bandwidth_scaling_;
  std::size_t units_, pe_rows_, pe_cols_, clock_, utilization_, buffer_, pe_input_, pe_filter_, pe_psum_,
      dram_capacity_, dram_bandwidth_, word_, network_bandwidth_, network_accelerators_, torus_routing_, torus_mapping_;
  std::size_t flit_, packet_flits_, virtual_channels_, buffer_flits_;
  std::size_t add_, multiply_, sram_word_, dram_word_, link_byte_, exchange_accesses_;
};

}  // namespace pimsweep::systems::hypar
