#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/hypar/search/parallelism.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// Sets parts of an assignment by hand. `text` holds items separated by blanks: "fc1=0011" gives a layer its levels H1,
/// H2, ...; "H2=0110" gives a level its layers in order. Later items win. Throws PointError that names what is wrong
/// and what there is.
void override_states(std::string_view text, const workload::TrainingNetwork& network, int levels,
                     search::Assignment& assignment);

/// What may differ from `fixed`: `text` names layers ("fc1": all its levels) and levels ("H1": of all layers),
/// separated by blanks; junctions stay free where a level is named. Gives nodes x states costs, 0 where a state is
/// allowed and infinity elsewhere; empty where `text` is empty: everything is free. Throws PointError.
std::vector<double> forbidden_states(std::string_view text, const workload::TrainingNetwork& network, int levels,
                                     const search::Assignment& fixed);

}  // namespace pimsweep::systems::hypar
