#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hardware/aim/device.h"
#include "hardware/links/link.h"
#include "hardware/pim_memory/conditions.h"
#include "systems/axis_table.h"
#include "systems/llm/step/cost.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm::step {

/// PIM devices beside each GPU: what machines of all kinds have.
struct PimDevices {
  /// Stacks or devices of each GPU, and bytes of memory of each.
  std::int64_t count = 0;
  double memory = 0;
  double idle_power = 0;
  /// Between a GPU and its PIM.
  hardware::links::Link link;
  /// Weights and KV caches that PIM reads lie in its own memory; else in that of the GPU, which is the same memory.
  bool has_own_memory = true;
  /// Banks that GPU and PIM share serve both at a time (NeuPIMs' dual row buffers, Duplex's bundles of banks); else
  /// either waits for the other.
  bool dual_row_buffer = false;
  /// Operations on each weight above which PAPI runs GEMMs on the GPU.
  double intensity_threshold = 0;
  /// Joules of a byte and of an operation inside PIM, for kinds without energies of their own.
  double memory_energy = 0;
  double operation_energy = 0;
  /// The device of kinds made of GDDR6-AiM.
  hardware::aim::Device aim;
};

/// An operator of a step, and the bits of its numbers.
struct Work {
  const workload::decoder::Operator& op;
  const workload::decoder::Step& step;
  const workload::decoder::Bits& bits;
};

/// A kind of PIM: its constants and what operators cost on it. A new kind is a file of the folder `pim` with a class
/// that derives from this one, and a line in pim/kinds.h. Such a class has a `name`, the word of `hardware.pim.kind`.
///
/// Costs are those of running an operator once on all devices of one GPU; what a kind cannot run is `impossible`, which
/// is also the default. Example: a kind that overrides `attention` alone is a machine for the policy "attacc".
class PimUnits {
 public:
  virtual ~PimUnits() = default;

  /// Declares the constants of the kind as axes, with the kind's members as their places.
  virtual void add_axes(AxisList& /*axes*/) {}
  /// Puts the devices on the memory of the conditions, with their heat and power; called once for each point. Throws
  /// PointError as hardware::pim_memory::apply().
  virtual void apply(const hardware::pim_memory::Conditions& /*conditions*/) {}

  /// Attention of the sequences that generate. `fullest`: seconds that it takes in the channel with the most to do, for
  /// kinds whose channels hold whole sequences; where it is not given, the kind assigns the sequences to channels.
  virtual Cost attention(const PimDevices& /*pim*/, const Work& /*work*/, std::optional<double> /*fullest*/) const {
    return impossible;
  }
  /// A GEMM of weights and activations.
  virtual Cost gemm(const PimDevices& /*pim*/, const Work& /*work*/) const { return impossible; }

  /// An expert among others, as expected over routing, without what the operator takes once; `passages` of tokens
  /// through all experts.
  virtual Cost expert(const PimDevices& /*pim*/, const workload::decoder::Operator& /*op*/,
                      const workload::decoder::ExpertLoad& /*load*/, double /*passages*/) const {
    return impossible;
  }
  /// Multipliers of 16-bit numbers in all devices of a GPU; empty if their number is unknown.
  virtual std::optional<double> multipliers(const PimDevices& /*pim*/) const { return std::nullopt; }

  virtual bool has_expert_units() const { return false; }
  /// Seconds of an operator of experts beside the experts.
  virtual double experts_latency() const { return 0; }

  /// The devices stand beside GPUs; else they are the whole machine.
  virtual bool is_beside_gpus() const { return true; }
  /// GEMMs read the weights of the GPU from its memory, so that nothing goes over the link for them, and the GPU waits
  /// unless banks serve both.
  virtual bool gemms_use_gpu_memory() const { return false; }
  /// Shorter sequences never take longer. Where that is not so, the search for an optimum has a weaker bound.
  virtual bool is_monotone_in_context() const { return true; }

  /// Channels beside a GPU that each hold whole sequences; 1 where all units share each sequence.
  virtual std::int64_t sequence_channels(const PimDevices& /*pim*/) const { return 1; }
  virtual bool holds_whole_sequences() const { return false; }
  /// Seconds of each sequence that generates on the channel that holds it, in the order of the step.
  virtual void channel_loads(const PimDevices& /*pim*/, const Work& /*work*/, std::vector<double>& /*loads*/) const {}
  /// Channel of each sequence with these loads, by the rule of the point.
  virtual void assign_channels(const PimDevices& /*pim*/, std::span<const double> loads,
                               std::vector<std::int32_t>& channels) const {
    channels.assign(loads.size(), 0);
  }
  /// Sequences come to channels as evenly as can be found from now on (policy llm-optimal).
  virtual void use_best_assignment() {}

 protected:
  PimUnits() = default;
  PimUnits(const PimUnits&) = default;
  PimUnits& operator=(const PimUnits&) = default;
};

/// The positions that a query of a sequence reads on average, over blocks too: at least one.
inline double mean_positions(const workload::decoder::Sequences& some, const workload::decoder::Step& step) {
  return workload::decoder::attended_positions(some, step) / some.new_tokens;
}

}  // namespace pimsweep::systems::llm::step
