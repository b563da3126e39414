#pragma once

#include <map>
#include <string>
#include <tuple>

#include "systems/pimflow/policy.h"
#include "systems/pimflow/schema.h"
#include "workload/model_library.h"

namespace pimsweep::pimflow {

/// Networks kept from point to point.
class NetworkCache {
 public:
  explicit NetworkCache(const workload::ModelLibrary& models) : models_(models) {}
  /// `image_px` 0: the model's own size.
  const Network& network(const std::string& model, std::int64_t image_px, std::int64_t batch, ElementwiseMode mode);

 private:
  const workload::ModelLibrary& models_;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t, ElementwiseMode>, Network> networks_;
};

/// A design point taken apart: what runs, on what, and how it was planned.
struct InferencePoint {
  InferencePoint(const PointReader& reader, const Point& point, NetworkCache& cache);

  const Network& network;
  const Policy& policy;
  Costs costs;
  /// Of the GPU alone with all channels.
  Costs baseline;
  std::int64_t batch;
  std::int64_t split_interval;
  Plan plan;
};

}  // namespace pimsweep::pimflow
