#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bounded_cache.h"
#include "base/key_hash.h"
#include "systems/allspark/cycle/phase_simulator.h"
#include "systems/allspark/model_costs.h"
#include "workload/model_library.h"

namespace pimsweep::systems::allspark {

/// Keeps the costs of the models used last, so that all policies of a model, size and machine share them. Machines with
/// equal banks or node arrays share the simulations of these.
class ModelCostCache {
 public:
  explicit ModelCostCache(const workload::ModelLibrary& models) : models_(models) {}

  /// The costs by formula or simulation, by the conditions. Throws PointError where the image size does not suit
  /// the model, or where banks or routers cannot be simulated. The reference holds until many others were requested.
  ModelCosts& get(std::string_view model, std::int64_t image_px, const Machine& machine, const Conditions& conditions);

 private:
  struct Key {
    std::string model;
    std::int64_t image_px;
    Machine machine;
    Conditions conditions;

    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Banks {
    hardware::dram::Dram bank;
    std::int64_t banks;
    double word_bytes;
    friend bool operator==(const Banks&, const Banks&) = default;
  };
  /// Hashes cover the members that studies vary most; equality covers all.
  struct Hash {
    std::size_t operator()(const Key& key) const;
    std::size_t operator()(const Banks& key) const { return combined_hash(key.banks, key.word_bytes); }
    std::size_t operator()(const cycle::NodeNetwork& key) const { return combined_hash(key.node_rows, key.node_cols); }
  };
  /// More than the models of one study, so that a sweep whose outer axis is the policy still finds them.
  static constexpr std::size_t max_models = 128;
  /// More than the machines of one study.
  static constexpr std::size_t max_simulators = 64;

  std::unique_ptr<cycle::PhaseTimes> phase_times(const Machine& machine, const Conditions& conditions);

  const workload::ModelLibrary& models_;
  std::shared_ptr<GemmCache> gemms_ = std::make_shared<GemmCache>();
  BoundedCache<Key, ModelCosts, Hash> costs_{max_models};
  BoundedCache<Banks, std::shared_ptr<cycle::NodeDram>, Hash> drams_{max_simulators};
  BoundedCache<cycle::NodeNetwork, std::shared_ptr<cycle::RingTimes>, Hash> rings_{max_simulators};
};

}  // namespace pimsweep::systems::allspark
