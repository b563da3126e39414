#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/hypar/search/parallelism.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// Sets parts of an assignment by hand. `text` has items separated by blanks: "fc1=0011" sets the levels H1, H2, ... of
/// a layer; "H2=0110" sets all layers at a level, in order. Later items win. Throws PointError that quotes the wrong
/// item and lists the allowed ones.
void override_states(std::string_view text, const workload::TrainingNetwork& network, int levels,
                     search::Assignment& assignment);

/// States that differ from `fixed` only where `text` allows it. `text` names layers ("fc1": all levels of the layer)
/// and levels ("H1": that level of all layers and junctions), separated by blanks. Returns costs, nodes x states: 0
/// where a state is allowed and infinity elsewhere; an empty vector if `text` is empty, which allows all. Throws
/// PointError.
std::vector<double> forbidden_states(std::string_view text, const workload::TrainingNetwork& network, int levels,
                                     const search::Assignment& fixed);

}  // namespace pimsweep::systems::hypar
