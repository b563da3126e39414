#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "hardware/gpu/network/network.h"
#include "workload/model_library.h"

namespace pimsweep::hardware::gpu::network {

/// Networks kept from point to point.
class NetworkCache {
 public:
  explicit NetworkCache(const workload::ModelLibrary& models) : models_(models) {}
  /// `image_px` 0: the model's own size. The reference stays valid as long as the cache.
  const Network& network(const std::string& model, std::int64_t image_px, std::int64_t batch, ElementwiseMode mode);

 private:
  const workload::ModelLibrary& models_;
  std::map<std::tuple<std::string, std::int64_t, std::int64_t, ElementwiseMode>, Network> networks_;
};

}  // namespace pimsweep::hardware::gpu::network
