#include <fmt/format.h>

#include <array>

#include "systems/allspark/allspark.h"
#include "systems/artifacts/artifacts.h"
#include "systems/extensible_list.h"
#include "systems/heteropim/heteropim.h"
#include "systems/hypar/hypar.h"
#include "systems/llm/llm.h"
#include "systems/parts/parts.h"
#include "systems/pimflow/pimflow.h"
#include "systems/register_system.h"
#include "systems/rtconc/rtconc.h"
#include "systems/schema_check.h"
#include "systems/serving/serving.h"
#include "systems/system.h"
#include "systems/upmem/upmem.h"

namespace pimsweep::systems {

namespace {

ExtensibleList<SystemEntry>& all_systems() {
  static const std::array entries{SystemEntry{"aim", parts::make_aim},
                                  SystemEntry{"allspark", allspark::make_allspark, allspark::allspark_policies},
                                  SystemEntry{"attacc-artifact", artifacts::make_attacc_artifact},
                                  SystemEntry{"cent-artifact", artifacts::make_cent_artifact},
                                  SystemEntry{"cpu-kernel", parts::make_cpu_kernel},
                                  SystemEntry{"dram", parts::make_dram},
                                  SystemEntry{"gemm", parts::make_gemm},
                                  SystemEntry{"gpu", parts::make_gpu},
                                  SystemEntry{"gpu-streams", parts::make_gpu_streams},
                                  SystemEntry{"hbm-pim", parts::make_hbm_pim},
                                  SystemEntry{"heteropim", heteropim::make_heteropim, heteropim::heteropim_policies},
                                  SystemEntry{"hypar", hypar::make_hypar, hypar::hypar_policies},
                                  SystemEntry{"kernel", parts::make_kernel},
                                  SystemEntry{"llm", llm::make_llm, llm::llm_policies},
                                  SystemEntry{"newton", parts::make_newton},
                                  SystemEntry{"noc", parts::make_noc},
                                  SystemEntry{"pimflow", pimflow::make_pimflow, pimflow::pimflow_policies},
                                  SystemEntry{"rtconc", rtconc::make_rtconc, rtconc::rtconc_policies},
                                  SystemEntry{"serving", serving::make_serving, serving::serving_policies},
                                  SystemEntry{"silicon", parts::make_silicon},
                                  SystemEntry{"synthetic", parts::make_synthetic},
                                  SystemEntry{"upmem", upmem::make_upmem},
                                  SystemEntry{"upmem-network", upmem::make_upmem_network, upmem::upmem_policies}};
  static ExtensibleList<SystemEntry> list(entries);
  return list;
}

}  // namespace

std::span<const SystemEntry> systems() { return all_systems().read(); }

void register_system(SystemEntry entry) { all_systems().add(std::move(entry)); }

std::unique_ptr<System> make_system(std::string_view name, const ConfigFolders& configs) {
  std::vector<std::string> names;
  for (const SystemEntry& entry : systems()) {
    if (entry.name == name) {
      std::unique_ptr<System> system = entry.make(configs);
      check_schema(system->schema());
      return system;
    }
    names.push_back(entry.name);
  }
  throw InputError(
      fmt::format("there is no system '{}'{}; systems: {}", name, suggestion(name, names), fmt::join(names, ", ")));
}

}  // namespace pimsweep::systems
