#include <fmt/format.h>

#include <array>

#include "systems/allspark/allspark.h"
#include "systems/heteropim/heteropim.h"
#include "systems/hypar/hypar.h"
#include "systems/parts/cpu_kernel/cpu_kernel.h"
#include "systems/parts/gemm/gemm.h"
#include "systems/parts/gpu/gpu.h"
#include "systems/parts/gpu_streams/gpu_streams.h"
#include "systems/parts/kernel/kernel.h"
#include "systems/parts/noc/noc.h"
#include "systems/parts/parts.h"
#include "systems/parts/silicon/silicon.h"
#include "systems/parts/synthetic/synthetic.h"
#include "systems/pimflow/pimflow.h"
#include "systems/rtconc/rtconc.h"
#include "systems/system.h"

namespace pimsweep::systems {

namespace {

std::vector<PolicyInfo> no_policies() { return {}; }

}  // namespace

std::span<const SystemEntry> systems() {
  static const std::array entries{
      SystemEntry{"allspark", allspark::make_allspark, allspark::allspark_policies},
      SystemEntry{"cpu-kernel", parts::cpu_kernel::make_cpu_kernel, parts::cpu_kernel::cpu_kernel_policies},
      SystemEntry{"dram", parts::make_dram, no_policies},
      SystemEntry{"gemm", parts::gemm::make_gemm, parts::gemm::gemm_policies},
      SystemEntry{"gpu", parts::gpu::make_gpu, parts::gpu::gpu_policies},
      SystemEntry{"gpu-streams", parts::gpu_streams::make_gpu_streams, parts::gpu_streams::gpu_streams_policies},
      SystemEntry{"heteropim", heteropim::make_heteropim, heteropim::heteropim_policies},
      SystemEntry{"hypar", hypar::make_hypar, hypar::hypar_policies},
      SystemEntry{"kernel", parts::kernel::make_kernel, parts::kernel::kernel_policies},
      SystemEntry{"newton", parts::make_newton, no_policies},
      SystemEntry{"noc", parts::noc::make_noc, parts::noc::noc_policies},
      SystemEntry{"pimflow", pimflow::make_pimflow, pimflow::pimflow_policies},
      SystemEntry{"rtconc", rtconc::make_rtconc, rtconc::rtconc_policies},
      SystemEntry{"silicon", parts::silicon::make_silicon, parts::silicon::silicon_policies},
      SystemEntry{"synthetic", parts::synthetic::make_synthetic, parts::synthetic::synthetic_policies}};
  return entries;
}

std::unique_ptr<System> make_system(std::string_view name, const std::string& config_dir) {
  std::vector<std::string> names;
  for (const SystemEntry& entry : systems()) {
    if (entry.name == name) return entry.make(config_dir);
    names.push_back(entry.name);
  }
  throw InputError(
      fmt::format("there is no system '{}'{}; systems: {}", name, suggestion(name, names), fmt::join(names, ", ")));
}

}  // namespace pimsweep::systems
