#include "halves.h"

namespace mysweep {

namespace hypar = pimsweep::systems::hypar;

hypar::Choice choose_halves(const hypar::PolicyInput& input) {
  // Bit 0: level H1 of the array.
  const hypar::search::State state = input.levels > 0 ? 1 : 0;
  return {hypar::search::Assignment(input.network.nodes.size(), state), "rule"};
}

}  // namespace mysweep
