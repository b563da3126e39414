#include <fmt/format.h>

#include "base/error.h"
#include "systems/llm/records.h"

namespace pimsweep::systems::llm {

namespace {

std::string microseconds(double seconds) { return fmt::format("{:.4g} us", 1e6 * seconds); }

/// The side that an operator runs on, and its work.
std::string account_of(const step::OperatorRun& run) {
  const workload::decoder::Operator& op = *run.op;
  std::string side = "on the GPU";
  if (run.pim_share == 1) side = "on PIM";
  if (run.pim_share > 0 && run.pim_share < 1) side = fmt::format("{:.3g} of it on PIM", run.pim_share);
  if (op.kind == workload::decoder::Kind::all_reduce) side = "between the GPUs";
  return fmt::format("{} times {}, {:.4g} operations, {:.4g} B, {:.3g} operations a byte", op.times, side,
                     op.operations, op.bytes(), op.operations / op.bytes());
}

}  // namespace

Roofline roofline_of(const Settings& settings, const Evaluation& evaluation) {
  const step::Machine& machine = settings.machine;
  if (!evaluation.traffic.operations) return {.reason = "CENT's model of CXL devices does not count bytes of memory"};
  const hardware::gpu::serving::Card& card = machine.gpus.gpu.card;
  const bool has_gpus = machine.gpus.count > 0;
  RooflinePart gpu{.name = "GPU",
                   .peak_rate = evaluation.devices * card.peak_rate(settings.bits.factors / 8),
                   .memory_bandwidth = evaluation.devices * card.memory_bandwidth};
  RooflinePart pim{.name = "PIM"};
  for (const step::OperatorRun& run : evaluation.runs) {
    const double all = run.op->times * evaluation.devices;
    gpu.operations += all * run.op->operations * (1 - run.pim_share);
    gpu.memory_bytes += all * run.gpu.bytes;
    gpu.time += run.op->times * run.seconds;
    pim.operations += all * run.op->operations * run.pim_share;
    pim.memory_bytes += all * run.pim.bytes;
  }
  pim.time = gpu.time;
  Roofline found;
  if (has_gpus) found.parts.push_back(gpu);
  if (pim.operations > 0) found.parts.push_back(pim);
  return found;
}

void explain_point(const Settings& settings, const Evaluation& evaluation, Explanation& explanation) {
  if (evaluation.memory.weights) {
    auto& memory = explanation.section("Memory of each device").lines;
    memory.push_back(
        {"weights", fmt::format("{:.4g} GB", 1e-9 * *evaluation.memory.weights),
         fmt::format("shared by {} devices and {} stages", evaluation.devices, settings.parallel.pipeline)});
    if (evaluation.memory.pim_weights.value_or(0) > 0) {
      memory.push_back({"weights in PIM", fmt::format("{:.4g} GB", 1e-9 * *evaluation.memory.pim_weights),
                        "of the GEMMs that PIM does, in its own memory"});
    }
    memory.push_back({"KV cache", fmt::format("{:.4g} GB", 1e-9 * *evaluation.memory.cache),
                      fmt::format("of {} sequences", settings.sequencing.batch)});
    memory.push_back({"largest batch", fmt::format("{}", *evaluation.memory.largest_batch), "sequences"});
  }
  if (!evaluation.misfit.empty()) throw PointError(evaluation.misfit);
  auto& step = explanation.section("Step").lines;
  step.push_back({"time", fmt::format("{:.4g} ms", 1e3 * evaluation.time), ""});
  step.push_back({"GPU", fmt::format("{:.3g}", evaluation.traffic.gpu_busy), "share of the time"});
  step.push_back({"PIM", fmt::format("{:.3g}", evaluation.pim_busy), "share of the time"});
  step.push_back({"energy", fmt::format("{:.4g} J", evaluation.energy),
                  fmt::format("of which {:.4g} J idle power", evaluation.idle_energy)});
  auto& list = explanation.section("Operators on one device").lines;
  for (const step::OperatorRun& run : evaluation.runs) {
    list.push_back({std::string(run.op->name), microseconds(run.seconds), account_of(run)});
  }
}

}  // namespace pimsweep::systems::llm
