#pragma once

#include "systems/allspark/allspark.h"
#include "systems/system_points.h"

namespace pimsweep::systems::allspark {

class AllsparkPoints : public SystemPoints {
 public:
  AllsparkPoints() : SystemPoints(make_allspark("configs"), "allspark-3d-dram") {}
};

}  // namespace pimsweep::systems::allspark
