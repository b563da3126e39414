#pragma once

#include "base/checked.h"
#include "base/integer_math.h"

namespace pimsweep::hardware {

using pimsweep::ceil_div;

}  // namespace pimsweep::hardware
