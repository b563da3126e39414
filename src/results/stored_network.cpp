#include "results/stored_network.h"

#include "results/hdf5_read.h"
#include "results/open_results.h"

namespace pimsweep::results {

std::string stored_network(const std::string& results_file, const std::string& name) {
  const Hdf5Handle file = open_results(results_file);
  return hdf5::read_text_attribute(file.get(), ("network_" + name).c_str());
}

}  // namespace pimsweep::results
