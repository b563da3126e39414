#include "hardware/gpu/network/network_cache.h"

namespace pimsweep::hardware::gpu::network {

const Network& NetworkCache::network(const std::string& model, std::int64_t image_px, std::int64_t batch,
                                     ElementwiseMode mode) {
  const std::int64_t size = image_px > 0 ? image_px : models_.default_image_px(model);
  const auto key = std::tuple(model, size, batch, mode);
  const auto found = networks_.find(key);
  if (found != networks_.end()) return found->second;
  return networks_.emplace(key, make_network(models_.graph(model, size), batch, mode)).first->second;
}

}  // namespace pimsweep::hardware::gpu::network
