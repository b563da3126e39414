#include "systems/allspark/placement/placement_method.h"

#include <array>

namespace pimsweep::systems::allspark::placement {

namespace {

constexpr std::array methods{
    PlacementMethod{"greedy",
                    "Allspark's binding (Sec. VII-B2): most dependences on placed branches first, to the nearest slot",
                    bind_greedily, 0.003},
    PlacementMethod{"zig-zag", "branches in their order, rows of sub-arrays from left to right and back again",
                    bind_zig_zag},
    PlacementMethod{"ddam",
                    "integer programs for minimum words x hops, in the manner of DDAM: the whole quadratic "
                    "assignment where it is small, else one set of branches after another",
                    bind_by_programs, 0.1},
    PlacementMethod{"annealing", "simulated annealing of words x hops", bind_by_annealing, 0.2},
    PlacementMethod{"random", "any branch in any slot", bind_randomly},
};

}  // namespace

std::span<const PlacementMethod> placement_methods() { return methods; }

}  // namespace pimsweep::systems::allspark::placement
