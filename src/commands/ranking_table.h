#pragma once

#include <string>
#include <vector>

#include "results/ranking.h"

namespace pimsweep::commands {

/// Prints the chosen points of each group: point, objectives, and the axes that the study varies; with `csv`, writes
/// all of them in SI units to that file too. `most` limits the rows that are printed of a group; 0: all.
void print_ranking(const std::string& results, const results::RankingQuestion& question,
                   const std::vector<results::RankedGroup>& groups, std::size_t most, const std::string& csv);

}  // namespace pimsweep::commands
