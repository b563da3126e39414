#include "systems/pimflow/inference_point.h"

namespace pimsweep::systems::pimflow {

InferencePoint::InferencePoint(const PointReader& reader, const Point& point,
                               hardware::gpu::network::NetworkCache& cache)
    : network(
          cache.network(reader.model(point), reader.image_px(point), reader.batch(point), reader.elementwise(point))),
      policy(reader.policy(point)),
      costs(reader.machine(point, policy)),
      baseline(reader.machine(point, policy_named("gpu"))),
      batch(reader.batch(point)),
      split_interval(reader.split_interval(point)),
      plan(policy.plan({network, costs, split_interval, reader.stages(point)})) {}

}  // namespace pimsweep::systems::pimflow
