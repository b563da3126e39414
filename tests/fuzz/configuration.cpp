#include "network_format.h"
#include "readers.h"

namespace pimsweep::fuzz {

void read_configuration(std::string_view input) { read_network_format(input, workload::import::read_json_network); }

}  // namespace pimsweep::fuzz
