#pragma once

#include <string>
#include <vector>

#include "driver/mpi/functions.h"

namespace pimsweep::driver {

/// Loads the module of the MPI library that the launcher of this process needs: Open MPI for one that speaks of it or
/// PMIx, MPICH for PMI; with the environment variable PIMSWEEP_MPI the one that it names, or whose path it is. Throws
/// InputError if there is none.
const mpi::Functions& load_mpi_module();

/// Name and version of the MPI library of each module that is there and can be loaded.
std::vector<std::string> mpi_libraries();

}  // namespace pimsweep::driver
