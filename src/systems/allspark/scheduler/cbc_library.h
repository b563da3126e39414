#pragma once

#include <Cbc_C_Interface.h>

namespace pimsweep::systems::allspark::scheduler {

/// The functions of CBC that are used here, from the shared library.
struct CbcLibrary {
  decltype(&Cbc_newModel) new_model;
  decltype(&Cbc_deleteModel) delete_model;
  decltype(&Cbc_setLogLevel) set_log_level;
  decltype(&Cbc_loadProblem) load_problem;
  decltype(&Cbc_setInteger) set_integer;
  decltype(&Cbc_setParameter) set_parameter;
  decltype(&Cbc_solve) solve;
  decltype(&Cbc_isProvenInfeasible) is_proven_infeasible;
  decltype(&Cbc_isProvenOptimal) is_proven_optimal;
  decltype(&Cbc_bestSolution) best_solution;
  decltype(&Cbc_getColSolution) column_solution;
};

/// Loads the library at the first call. Throws std::runtime_error if it is not there.
const CbcLibrary& cbc_library();

}  // namespace pimsweep::systems::allspark::scheduler
