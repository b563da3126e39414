#pragma once

#include <map>
#include <string>
#include <string_view>

namespace pimsweep::results {

/// Beginnings of the names of root attributes that keep the definitions of models and of training steps; the rest is
/// the name of the model or step.
inline constexpr std::string_view model_prefix = "model_";
inline constexpr std::string_view training_prefix = "training_";

/// The texts of the files that defined the names that a results file keeps. Throws InputError if it cannot be read.
std::map<std::string, std::string> stored_definitions(const std::string& results_file, std::string_view prefix);

}  // namespace pimsweep::results
