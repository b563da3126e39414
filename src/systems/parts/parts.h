#pragma once

#include <memory>
#include <string>

#include "systems/system.h"

namespace pimsweep::systems::parts {

/// One DRAM channel with its controller under a pattern of requests (docs/dram.md).
std::unique_ptr<System> make_dram(const std::string& config_dir);

/// The PIM part of PIMFlow on its own: one layer on Newton's DRAM channels (docs/newton.md).
std::unique_ptr<System> make_newton(const std::string& config_dir);

}  // namespace pimsweep::systems::parts
