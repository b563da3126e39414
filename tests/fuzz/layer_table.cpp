#include "network_format.h"
#include "readers.h"

namespace pimsweep::fuzz {

void read_layer_table(std::string_view input) { read_network_format(input, workload::import::read_csv_network); }

}  // namespace pimsweep::fuzz
