#pragma once

#include "systems/rtconc/training_point.h"

namespace pimsweep::systems::rtconc {

void write_record(const TrainingPoint& training, const Point& point, const Schema& schema, Record& record);
void explain_point(const TrainingPoint& training, Explanation& explanation);

}  // namespace pimsweep::systems::rtconc
