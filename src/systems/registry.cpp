#include <fmt/format.h>

#include <array>

#include "systems/allspark/allspark.h"
#include "systems/cpu_kernel/cpu_kernel.h"
#include "systems/dram/dram.h"
#include "systems/gemm/gemm.h"
#include "systems/gpu/gpu.h"
#include "systems/gpu_streams/gpu_streams.h"
#include "systems/heteropim/heteropim.h"
#include "systems/hypar/hypar.h"
#include "systems/kernel/kernel.h"
#include "systems/newton/newton.h"
#include "systems/noc/noc.h"
#include "systems/pimflow/pimflow.h"
#include "systems/rtconc/rtconc.h"
#include "systems/silicon/silicon.h"
#include "systems/synthetic/synthetic.h"
#include "systems/system.h"

namespace pimsweep {

std::span<const SystemEntry> systems() {
  static const std::array entries{SystemEntry{"allspark", make_allspark, allspark_policies},
                                  SystemEntry{"cpu-kernel", make_cpu_kernel, cpu_kernel_policies},
                                  SystemEntry{"dram", make_dram, dram_policies},
                                  SystemEntry{"gemm", make_gemm, gemm_policies},
                                  SystemEntry{"gpu", make_gpu, gpu_policies},
                                  SystemEntry{"gpu-streams", make_gpu_streams, gpu_streams_policies},
                                  SystemEntry{"heteropim", make_heteropim, heteropim_policies},
                                  SystemEntry{"hypar", make_hypar, hypar_policies},
                                  SystemEntry{"kernel", make_kernel, kernel_policies},
                                  SystemEntry{"newton", make_newton, newton_policies},
                                  SystemEntry{"noc", make_noc, noc_policies},
                                  SystemEntry{"pimflow", make_pimflow, pimflow_policies},
                                  SystemEntry{"rtconc", make_rtconc, rtconc_policies},
                                  SystemEntry{"silicon", make_silicon, silicon_policies},
                                  SystemEntry{"synthetic", make_synthetic, synthetic_policies}};
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

}  // namespace pimsweep
