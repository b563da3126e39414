#include "hardware/gpu/network/network_cache.h"

namespace pimsweep::hardware::gpu::network {

const Network& NetworkCache::network(const std::string& model, std::int64_t image_px, std::int64_t batch,
                                     ElementwiseMode mode) {
  const std::int64_t size = image_px > 0 ? image_px : models_.default_image_px(model);
  return networks_.get({model, size, batch, mode},
                       [&] { return make_network(models_.graph(model, size), batch, mode); });
}

}  // namespace pimsweep::hardware::gpu::network
