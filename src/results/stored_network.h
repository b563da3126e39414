#pragma once

#include <string>

namespace pimsweep::results {

/// A network that the points of a results file name by its file ("net.onnx"), as NetworkFile::text() wrote it; empty if
/// the file has none of that name. Throws InputError if the file cannot be read.
std::string stored_network(const std::string& results_file, const std::string& name);

}  // namespace pimsweep::results
