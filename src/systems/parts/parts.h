#pragma once

#include <memory>
#include <string>

#include "systems/system.h"

/// Thin systems, each of which exposes one part of a machine to a sweep. None has policies.
namespace pimsweep::systems::parts {

/// A GEMV on GDDR6-AiM (docs/cent.md). Metrics have the names of the commands of its simulator.
std::unique_ptr<System> make_aim(const ConfigFolders& configs);

/// Time of single operations on a many-core processor over threads and affinity, alone or two of them side by side
/// (docs/manycore.md). Axes and times are named as the columns of the sheets in results/reference/measured.
std::unique_ptr<System> make_cpu_kernel(const ConfigFolders& configs);

/// One DRAM channel with its controller under a pattern of requests (docs/dram.md).
std::unique_ptr<System> make_dram(const ConfigFolders& configs);

/// A GEMM on a PE array: SCALE-Sim's systolic arrays, or an NVDLA-style engine under the best mapping
/// (docs/pe-array.md).
std::unique_ptr<System> make_gemm(const ConfigFolders& configs);

/// Inference of a whole model on a GPU, kernel after kernel (docs/gpu.md, "Whole models").
std::unique_ptr<System> make_gpu(const ConfigFolders& configs);

/// An operation on a GPU with a chosen number of threads and thread blocks, alone and two at a time
/// (docs/gpu.md): the measurements of Sec. VII of the runtime concurrency paper. Axes are named as those of `kernel`.
std::unique_ptr<System> make_gpu_streams(const ConfigFolders& configs);

/// GEMVs on Samsung's HBM-PIM (docs/cent.md).
std::unique_ptr<System> make_hbm_pim(const ConfigFolders& configs);

/// Time and energy of single GPU kernels (docs/gpu.md): GEMMs, convolutions, recurrent layers, depthwise convolutions,
/// element-wise operations and pooling. Axes and times are named as the columns of the DeepBench sheets in
/// results/reference/measured.
std::unique_ptr<System> make_kernel(const ConfigFolders& configs);

/// The PIM part of PIMFlow on its own: one layer on Newton's DRAM channels (docs/newton.md).
std::unique_ptr<System> make_newton(const ConfigFolders& configs);

/// A mesh, torus or H-tree of virtual-channel routers under synthetic traffic: latency and accepted rate, by formula or
/// cycle by cycle (docs/noc.md).
std::unique_ptr<System> make_noc(const ConfigFolders& configs);

/// Area and cost of a set of parts by densities, yield and prices (docs/explore.md).
std::unique_ptr<System> make_silicon(const ConfigFolders& configs);

/// A system that models nothing: each point keeps its rank busy for a chosen time, and fails or is infeasible at a
/// chosen rate, so that the driver and the results can be measured and tested.
std::unique_ptr<System> make_synthetic(const ConfigFolders& configs);

}  // namespace pimsweep::systems::parts
