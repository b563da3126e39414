#include "systems/allspark/cycle/phase_simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hardware/integer_math.h"

namespace pimsweep::systems::allspark::cycle {

PhaseSimulator::PhaseSimulator(const Machine& machine, std::shared_ptr<NodeDram> dram, std::shared_ptr<RingTimes> rings)
    : word_bytes_(machine.word_bytes),
      flit_bytes_(machine.packets().flit_bytes),
      transfer_(machine.mesh.transfer),
      dram_(std::move(dram)),
      rings_(std::move(rings)) {}

std::int64_t PhaseSimulator::gemm_cycles(const hardware::pe_array::Gemm& gemm,
                                         const hardware::pe_array::GemmMapping& mapping) {
  const std::int64_t dram = Count::of(std::ceil(dram_->gemm_cycles(gemm, mapping)));
  return std::max(mapping.compute_cycles, dram);
}

std::int64_t PhaseSimulator::movement_cycles(const Partition& partition, std::int64_t branches,
                                             const Movement& movement) {
  const std::int64_t chunk = hardware::ceil_div(movement.words, movement.steps);
  const double bytes = static_cast<double>(chunk) * word_bytes_;
  const std::int64_t flits = Count::of(std::ceil(bytes / flit_bytes_));
  const double network = (*rings_)(partition, branches, movement.path, movement.steps, flits);
  const double dram =
      static_cast<double>(movement.steps) * (dram_->stream_cycles(chunk, false) + dram_->stream_cycles(chunk, true));
  return Count::of(std::ceil(transfer_ == Transfer::pipelined ? std::max(network, dram) : network + dram));
}

}  // namespace pimsweep::systems::allspark::cycle
