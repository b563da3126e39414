#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "systems/allspark/model_costs.h"
#include "workload/model_library.h"

namespace pimsweep::systems::allspark {

/// Keeps the costs of the models used last, so that all policies of a model, size and machine share them.
class ModelCostCache {
 public:
  explicit ModelCostCache(const workload::ModelLibrary& models) : models_(models) {}

  /// With a simulator for costs cycle by cycle. Throws PointError where the image size does not suit the model. The
  /// reference holds until the next call but one.
  ModelCosts& get(std::string_view model, std::int64_t image_px, const Machine& machine, const Conditions& conditions,
                  const std::shared_ptr<cycle::PhaseSimulator>& simulator = nullptr);

 private:
  struct Entry {
    std::string model;
    std::int64_t image_px;
    ModelCosts costs;
  };
  const workload::ModelLibrary& models_;
  std::shared_ptr<GemmCache> gemms_ = std::make_shared<GemmCache>();
  std::list<Entry> entries_;
};

}  // namespace pimsweep::systems::allspark
