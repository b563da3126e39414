#pragma once

#include <string>
#include <vector>

#include "commands/output.h"
#include "results/ranking.h"

namespace pimsweep::commands {

/// Prints the chosen points of each group: point, objectives, and the axes that the study varies. CSV and JSON
/// have all of them in SI units. `max_rows` limits the rows that are printed of a group; 0: all.
void print_ranking(const std::string& results, const results::RankingOptions& request,
                   const std::vector<results::RankedGroup>& groups, std::size_t max_rows, const OutputForm& form);

/// Prints the best point of each study, at most `max_rows` studies of each group: what it reached, where it is, and
/// the axes that its study varies.
void print_studies(const std::string& results, const results::RankingOptions& request,
                   const std::vector<results::RankingAcross>& rankings, std::size_t max_rows, const OutputForm& form);

}  // namespace pimsweep::commands
