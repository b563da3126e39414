#pragma once

#include <string>
#include <vector>

#include "base/bytes.h"
#include "sweep/search_settings.h"
#include "systems/system.h"

namespace pimsweep::driver {

/// Part of a point's result that a search uses.
struct Observation {
  systems::Status status = systems::Status::not_run;
  /// One for each of SearchSettings::observed; NaN where the point has none.
  std::vector<double> numbers;
};

Observation observation_of(const sweep::SearchSettings& search, const systems::Record& record);
void append_observation(const Observation& observation, std::string& bytes);
Observation read_observation(const sweep::SearchSettings& search, ByteReader& reader);

}  // namespace pimsweep::driver
