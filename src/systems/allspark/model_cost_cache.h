#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bounded_cache.h"
#include "base/key_hash.h"
#include "systems/allspark/model_costs.h"
#include "workload/model_library.h"

namespace pimsweep::systems::allspark {

/// Keeps the costs of the models used last, so that all policies of a model, size and machine share them.
class ModelCostCache {
 public:
  explicit ModelCostCache(const workload::ModelLibrary& models) : models_(models) {}

  /// With a simulator for costs cycle by cycle. Throws PointError where the image size does not suit the model. The
  /// reference holds until many others were asked for.
  ModelCosts& get(std::string_view model, std::int64_t image_px, const Machine& machine, const Conditions& conditions,
                  const std::shared_ptr<cycle::PhaseSimulator>& simulator = nullptr);

 private:
  struct Key {
    std::string model;
    std::int64_t image_px;
    Machine machine;
    Conditions conditions;
    std::shared_ptr<cycle::PhaseSimulator> simulator;

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const {
      return combined_hash(key.model, key.image_px, key.conditions.batch, key.simulator.get());
    }
  };
  /// More than the models of one study, so that a sweep whose outer axis is the policy still finds them.
  static constexpr std::size_t max_models = 128;

  const workload::ModelLibrary& models_;
  std::shared_ptr<GemmCache> gemms_ = std::make_shared<GemmCache>();
  BoundedCache<Key, ModelCosts, Hash> costs_{max_models};
};

}  // namespace pimsweep::systems::allspark
