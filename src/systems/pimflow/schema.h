#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardware/gpu/network/network.h"
#include "systems/gpu_axes.h"
#include "systems/newton_axes.h"
#include "systems/pimflow/machine.h"
#include "systems/pimflow/policy.h"
#include "systems/system.h"

namespace pimsweep::systems::pimflow {

/// Axes, metrics and tables of the system "pimflow".
Schema make_schema(const std::vector<std::string>& models, const hardware::newton::PresetLibrary& presets);

/// Reads a point by axis name; the indices are looked up once.
class PointReader {
 public:
  PointReader(const Schema& schema, const hardware::newton::PresetLibrary& presets);

  const std::string& model(const Point& point) const { return point.text(model_); }
  /// 0: the model's own size.
  std::int64_t image_px(const Point& point) const { return point.integer(image_px_); }
  std::int64_t batch(const Point& point) const { return point.integer(batch_); }
  const Policy& policy(const Point& point) const { return policy_named(point.text(policy_)); }
  hardware::gpu::network::ElementwiseMode elementwise(const Point& point) const;
  std::int64_t split_interval(const Point& point) const { return point.integer(split_interval_); }
  std::int64_t stages(const Point& point) const { return point.integer(stages_); }
  /// The machine as a policy uses it; throws PointError where the channels cannot be divided so.
  Machine machine(const Point& point, const Policy& policy) const;
  std::string missing_unit(const Point& point) const {
    return device_.missing_unit(point, precision_of(point.text(precision_)));
  }
  Hash128 preset_content(const Point& point) const { return dram_.content(point); }

 private:
  DeviceReader device_;
  DramReader dram_;
  std::size_t model_, image_px_, batch_, policy_, memory_channels_, controller_, n_gwrite_, command_optimisations_,
      split_interval_, stages_, offload_, memory_optimiser_, contention_, elementwise_, pointwise_, precision_,
      synchronisation_;
};

}  // namespace pimsweep::systems::pimflow
