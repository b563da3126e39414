#include "driver/local_ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
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

int local_ranks(int asked, std::uint64_t points) {
  if (asked > 0) return asked;
  const auto evaluators = static_cast<std::uint64_t>(evaluator_count(default_local_ranks()));
  return ranks_for(static_cast<int>(std::clamp<std::uint64_t>(points, 1, evaluators)));
}

int cores_for_points(int asked) {
  const int cores = available_cores();
  if (is_mpi_launch()) return cores;
  return std::min(cores, evaluator_count(asked > 0 ? asked : default_local_ranks()));
}

}  // namespace pimsweep::driver
