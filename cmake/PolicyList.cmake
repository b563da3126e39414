# pimsweep_write_policies(FILE SYSTEM NAME ...): the header that declares NAME_policy() of each policy and lists them.
function(pimsweep_write_policies file system)
  list(JOIN ARGN "_policy();\nPolicy " declarations)
  list(JOIN ARGN "_policy(), " calls)
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
// Written by cmake/PolicyList.cmake.
#pragma once

#include <vector>

#include "systems/@system@/policy.h"

namespace pimsweep::systems::@system@ {

Policy @declarations@_policy();

inline std::vector<Policy> registered_policies() { return {@calls@_policy()}; }

}  // namespace pimsweep::systems::@system@
]])
endfunction()

# As a script: cmake -DFILE=... -DSYSTEM=... "-DNAMES=a;b" -P PolicyList.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  pimsweep_write_policies("${FILE}" "${SYSTEM}" ${NAMES})
endif()
