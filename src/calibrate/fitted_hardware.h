#pragma once

#include <string>
#include <string_view>

#include "calibrate/report.h"

namespace pimsweep::calibrate {

/// First line of a hardware file with fitted constants.
inline constexpr std::string_view fitted_mark = "# Constants fitted by pimsweep calibrate\n";

/// The text of a hardware file that has another one as its base, and the fitted constants in place of those: basis
/// "calibrated", with the rows as the source and the range of confidence as the range. `base` is how the file names it.
std::string fitted_hardware(const sweep::Study& rows, const Report& report, const std::string& base);

}  // namespace pimsweep::calibrate
