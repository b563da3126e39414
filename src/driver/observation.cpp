#include "driver/observation.h"

namespace pimsweep::driver {

Observation observation_of(const sweep::SearchSettings& search, const systems::Record& record) {
  Observation observation{record.status, {}};
  for (const std::size_t metric : search.observed) observation.numbers.push_back(to_real(record.metrics[metric]));
  return observation;
}

void append_observation(const Observation& observation, std::string& bytes) {
  append_number(bytes, static_cast<std::uint8_t>(observation.status));
  for (const double number : observation.numbers) append_number(bytes, number);
}

Observation read_observation(const sweep::SearchSettings& search, ByteReader& reader) {
  Observation observation{static_cast<systems::Status>(reader.number<std::uint8_t>()), {}};
  for (std::size_t i = 0; i < search.observed.size(); ++i) observation.numbers.push_back(reader.number<double>());
  return observation;
}

}  // namespace pimsweep::driver
