#include <fmt/format.h>

#include "systems/hypar/policies/policies.h"
#include "systems/hypar/policies/restricted.h"

namespace pimsweep::hypar {

Policy exhaustive_policy() {
  return {"exhaustive", "every assignment of what `free` names, one after another; the rest as HyPar chooses",
          [](const PolicyInput& input) {
            Choice choice;
            const Enumeration tried = enumerate(restricted_problem(input), choice.assignment);
            choice.found_by = fmt::format("best of {:.0f} assignments", tried.assignments);
            return choice;
          }};
}

}  // namespace pimsweep::hypar
