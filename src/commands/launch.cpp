#include "commands/launch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace pimsweep::commands {

bool is_first_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

bool is_further_rank() {
  static constexpr std::array<std::string_view, 8> launchers{"mpirun",  "mpiexec", "orterun",    "orted",
                                                             "prterun", "prted",   "slurmstepd", "hydra_pmi_proxy"};
  if (is_first_rank()) return false;
  std::ifstream file(fmt::format("/proc/{}/comm", ::getppid()));
  std::string parent;
  std::getline(file, parent);
  return std::find(launchers.begin(), launchers.end(), parent) != launchers.end();
}

}  // namespace pimsweep::commands
