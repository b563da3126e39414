#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "base/bounded_cache.h"
#include "hardware/gpu/network/network.h"
#include "workload/model_library.h"

namespace pimsweep::hardware::gpu::network {

/// Networks kept from point to point.
class NetworkCache {
 public:
  explicit NetworkCache(const workload::ModelLibrary& models) : models_(models) {}
  /// `image_px` 0: the model's default size. The reference remains valid until many other networks have been requested.
  const Network& network(const std::string& model, std::int64_t image_px, std::int64_t batch, ElementwiseMode mode);

 private:
  const workload::ModelLibrary& models_;
  /// More than the networks of one study.
  static constexpr std::size_t max_networks = 256;
  BoundedCache<std::tuple<std::string, std::int64_t, std::int64_t, ElementwiseMode>, Network> networks_{max_networks};
};

}  // namespace pimsweep::hardware::gpu::network
