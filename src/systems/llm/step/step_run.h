#pragma once

#include <span>
#include <vector>

#include "base/words.h"
#include "hardware/links/link.h"
#include "systems/llm/step/cost.h"
#include "systems/llm/step/head_pipeline.h"
#include "systems/llm/step/machine.h"

namespace pimsweep::systems::llm::step {

/// Work beside attention on PIM, head by head.
enum class Pipelining : std::uint8_t {
  none,
  /// Transfers between GPUs and PIM.
  transfers,
  /// Also the GEMMs before and after it.
  projections,
};
inline constexpr Words<Pipelining, 3> pipelining_words{
    {{"none", Pipelining::none}, {"transfers", Pipelining::transfers}, {"projections", Pipelining::projections}}};

/// An operator in a step that has run: its costs each time, on one of the GPUs that share the model, and on its PIM.
struct OperatorRun {
  const workload::decoder::Operator* op = nullptr;
  double pim_share = 0;
  Cost gpu = {};
  Cost pim = {};
  /// Data between GPU and PIM, and between GPUs.
  Cost link = {};
  /// Seconds of the link after the operator, for the data that PIM sends back.
  double returned = 0;
  /// Its part of the time of the step: these add up, whatever runs side by side.
  double seconds = 0;
  /// Since the start of its block, or of the non-block layers.
  double start = 0;
  double end = 0;

  bool is_in_block() const { return op->part != workload::decoder::Part::non_block; }
};

/// Connections of a machine; some may be missing.
struct Connections {
  /// Between GPUs; between a GPU and its PIM.
  hardware::links::Link gpus;
  hardware::links::Link pim;
  /// Measured times of collectives between GPUs, in place of times by the link; nullptr: none.
  const hardware::links::Collectives* collectives = nullptr;
  /// GPUs that share each operator.
  double devices = 1;
  /// True if the GPU waits while PIM runs attention, or GEMMs, in the memory of the GPU.
  bool attention_stops_gpu = false;
  bool gemms_stop_gpu = false;
  /// Units for GEMMs are in the memory of the GPU, so that nothing goes over the link to them.
  bool gemms_in_gpu_memory = false;

  bool uses_link(const workload::decoder::Operator& op) const {
    return op.kind == workload::decoder::Kind::attention || !gemms_in_gpu_memory;
  }
};

/// Seconds of an all-reduce of `bytes` bytes on each GPU.
double all_reduce_seconds(const Connections& connections, double bytes);

/// Operators `begin` to `end` of a step, of which GPU, link and PIM work on different heads at a time; empty where the
/// two are equal.
struct PipedOperators {
  std::size_t begin = 0;
  std::size_t end = 0;
  HeadPipeline heads;
};

/// Runs the operators of a step one after the other, but for attention on PIM: heads in a pipeline with transfers, and
/// with the GEMMs around them, as `pipelining` says; attention of prompts on the GPU beside it, where PIM does not stop
/// the GPU (attention co-processing of Duplex, MICRO 2024). Sides that an operator leaves idle wait. `runs` keeps its
/// memory.
PipedOperators run_step(Pipelining pipelining, std::span<const Choice> choices, double heads,
                        const Connections& connections, std::vector<OperatorRun>& runs);

/// Seconds of all operators, and of those in blocks.
double step_seconds(std::span<const OperatorRun> runs);
double block_seconds(std::span<const OperatorRun> runs);

}  // namespace pimsweep::systems::llm::step
