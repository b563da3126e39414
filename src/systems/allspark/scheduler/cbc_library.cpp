#include "systems/allspark/scheduler/cbc_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

namespace pimsweep::systems::allspark::scheduler {

namespace {

[[noreturn]] void fail() {
  const char* const reason = ::dlerror();
  throw std::runtime_error(fmt::format("cannot load the solver CBC: {}", reason == nullptr ? "unknown" : reason));
}

void* open_library() {
  // First the name, as for a linked program; then the path, for a library outside of the default folders.
  for (const char* name : {PIMSWEEP_CBC_NAME, PIMSWEEP_CBC_PATH}) {
    void* const library = *name == '\0' ? nullptr : ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return library;
  }
  fail();
}

template <typename Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) fail();
}

CbcLibrary load() {
  void* const library = open_library();
  CbcLibrary cbc{};
  find(library, "Cbc_newModel", cbc.new_model);
  find(library, "Cbc_deleteModel", cbc.delete_model);
  find(library, "Cbc_setLogLevel", cbc.set_log_level);
  find(library, "Cbc_loadProblem", cbc.load_problem);
  find(library, "Cbc_setInteger", cbc.set_integer);
  find(library, "Cbc_setParameter", cbc.set_parameter);
  find(library, "Cbc_solve", cbc.solve);
  find(library, "Cbc_isProvenInfeasible", cbc.is_proven_infeasible);
  find(library, "Cbc_isProvenOptimal", cbc.is_proven_optimal);
  find(library, "Cbc_bestSolution", cbc.best_solution);
  find(library, "Cbc_getColSolution", cbc.column_solution);
  return cbc;
}

}  // namespace

const CbcLibrary& cbc_library() {
  static const CbcLibrary cbc = load();
  return cbc;
}

}  // namespace pimsweep::systems::allspark::scheduler
