#include "driver/local_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/plural.h"
#include "driver/cores.h"
#include "driver/launch.h"
#include "driver/run.h"

namespace pimsweep::driver {

int default_local_ranks() {
  const char* const variable = std::getenv("PIMSWEEP_RANKS");
  if (variable == nullptr || *variable == '\0') return ranks_for(available_cores());
  const std::string_view text = variable;
  int ranks = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), ranks);
  if (error != std::errc{} || end != text.end() || ranks < 1)
    throw InputError(
        fmt::format("the environment variable PIMSWEEP_RANKS must be a number of ranks from 1 on, read '{}'", text));
  return ranks;
}

int allowed_local_ranks(int asked) {
  constexpr int max_ranks_of_core = 32;
  const int ranks = asked > 0 ? asked : default_local_ranks();
  const int cores = available_cores();
  if (ranks > max_ranks_of_core * cores) {
    throw InputError(fmt::format("{} ranks are too many for {}: at most {} for each, {} here", ranks,
                                 count_of(static_cast<std::size_t>(cores), "core"), max_ranks_of_core,
                                 max_ranks_of_core * cores));
  }
  return ranks;
}

int local_ranks(int asked, std::uint64_t points) {
  const int ranks = allowed_local_ranks(asked);
  const auto evaluators = static_cast<std::uint64_t>(evaluator_count(ranks));
  return points >= evaluators ? ranks : ranks_for(static_cast<int>(std::max<std::uint64_t>(points, 1)));
}

int cores_for_points(int asked) {
  const int cores = available_cores();
  if (is_mpi_launch()) return cores;
  return std::min(cores, evaluator_count(asked > 0 ? asked : default_local_ranks()));
}

}  // namespace pimsweep::driver
