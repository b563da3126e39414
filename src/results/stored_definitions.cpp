#include "results/stored_definitions.h"

#include "results/hdf5_read.h"
#include "results/open_results.h"

namespace pimsweep::results {

std::map<std::string, std::string> stored_definitions(const std::string& results_file, std::string_view prefix) {
  const Hdf5Handle file = open_results(results_file);
  std::map<std::string, std::string> texts;
  for (const std::string& name : hdf5::attributes(file.get())) {
    if (name.starts_with(prefix)) {
      texts.emplace(name.substr(prefix.size()), hdf5::read_text_attribute(file.get(), name.c_str()));
    }
  }
  return texts;
}

}  // namespace pimsweep::results
