#include "systems/pimflow/inference_point.h"

namespace pimsweep::pimflow {

const Network& NetworkCache::network(const std::string& model, std::int64_t image_px, std::int64_t batch,
                                     ElementwiseMode mode) {
  const std::int64_t size = image_px > 0 ? image_px : models_.default_image_px(model);
  const auto key = std::tuple(model, size, batch, mode);
  const auto found = networks_.find(key);
  if (found != networks_.end()) return found->second;
  return networks_.emplace(key, make_network(models_.graph(model, size), batch, mode)).first->second;
}

InferencePoint::InferencePoint(const PointReader& reader, const Point& point, NetworkCache& cache)
    : network(
          cache.network(reader.model(point), reader.image_px(point), reader.batch(point), reader.elementwise(point))),
      policy(reader.policy(point)),
      costs(reader.machine(point, policy)),
      baseline(reader.machine(point, policy_named("gpu"))),
      batch(reader.batch(point)),
      split_interval(reader.split_interval(point)),
      plan(policy.plan({network, costs, split_interval, reader.stages(point)})) {}

}  // namespace pimsweep::pimflow
