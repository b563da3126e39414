#include "systems/allspark/placement/placement_method.h"

#include <stdexcept>
#include <string>

namespace pimsweep::systems::allspark::placement {

const std::vector<PlacementMethod>& placement_methods() {
  static const std::vector<PlacementMethod> all{
      {"greedy", "Allspark's binding (Sec. VII-B2): most dependences on placed branches first, to the nearest slot",
       bind_greedily},
      {"zig-zag", "branches in their order, rows of sub-arrays from left to right and back again", bind_zig_zag},
      {"ddam",
       "integer programs for the least words x hops, in the manner of DDAM: the whole quadratic assignment where it is "
       "small, else sets of branches in turn while the others stay",
       bind_by_programs},
      {"annealing", "simulated annealing of words x hops", bind_by_annealing},
      {"random", "any branch in any slot", bind_randomly},
  };
  return all;
}

const PlacementMethod& placement_method_named(std::string_view name) {
  for (const PlacementMethod& method : placement_methods()) {
    if (method.name == name) return method;
  }
  throw std::logic_error("no placement " + std::string(name));
}

}  // namespace pimsweep::systems::allspark::placement
