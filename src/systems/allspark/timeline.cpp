#include "systems/allspark/timeline.h"

#include <fmt/format.h>

#include "systems/allspark/evaluation.h"

namespace pimsweep::systems::allspark {

namespace {

/// A unit of the active nodes.
std::string_view lane_of(Phase::Unit unit) {
  switch (unit) {
    case Phase::Unit::compute:
      return "PE arrays";
    case Phase::Unit::nonlinear:
      return "nonlinear units";
    case Phase::Unit::transfer:
    case Phase::Unit::weight_sharing:
      break;
  }
  return "links";
}

/// A stage's temporal layer and the active nodes in it; numbers count from 1.
struct ActiveLayer {
  std::size_t stage = 0;
  std::size_t layer = 0;
  std::int64_t nodes = 0;
};

class TimelineWriter {
 public:
  TimelineWriter(const Machine& machine, std::int64_t batch, Outcome& outcome)
      : machine_(machine), batch_(batch), outcome_(outcome) {}

  /// Phases of the temporal layer for the batch, but weights are shared once (Eq. 12).
  void layer(const ActiveLayer& at, std::string name, const std::vector<Phase>& phases) {
    const Count begin = now_;
    for (const Phase& phase : phases) {
      const std::int64_t times = phase.unit == Phase::Unit::weight_sharing ? 1 : batch_;
      const double words = static_cast<double>(std::int64_t{times * phase.words * at.nodes});
      row(at, {"node array", lane_of(phase.unit)}, std::string(phase.name), times * phase.cycles,
          words * machine_.word_bytes);
    }
    const Count cycles = now_ - begin;
    now_ = begin;
    row({at.stage, at.layer, 0}, {"schedule", "temporal layers"}, std::move(name), cycles, 0);
  }

 private:
  struct Place {
    std::string_view group;
    std::string_view lane;
  };
  void row(const ActiveLayer& at, const Place& place, std::string name, Count cycles, double bytes) {
    if (cycles == 0) return;
    const Count end = now_ + cycles;
    outcome_.tables.timeline.add(
        {at.stage, at.layer, place.group, place.lane, std::move(name), seconds(now_), seconds(end), at.nodes, bytes},
        outcome_.record);
    now_ = end;
  }
  double seconds(std::int64_t cycles) const { return static_cast<double>(cycles) / machine_.clock; }

  const Machine& machine_;
  std::int64_t batch_;
  Outcome& outcome_;
  Count now_ = 0;
};

/// "attention 3 of 18"; patch merging has no blocks.
std::string block_name(const workload::EncoderBlocks* blocks, std::int64_t number) {
  if (blocks == nullptr) return "patch merging";
  return fmt::format("{} block {} of {}", blocks->kind.empty() ? "attention" : blocks->kind, number + 1, blocks->count);
}

}  // namespace

void write_timeline(ModelCosts& costs, const Decision& decision, Outcome& outcome) {
  const Evaluation evaluation = evaluate(costs, decision.stages, true);
  TimelineWriter writer(costs.machine(), costs.conditions().batch, outcome);
  for (std::size_t s = 0; s < evaluation.stages.size(); ++s) {
    const std::vector<LayerResult>& layers = evaluation.stages[s].layers;
    std::vector<std::vector<BlockPhases>> phases;
    phases.reserve(layers.size());
    for (const LayerResult& layer : layers) phases.push_back(costs.phases(s, layer.partition));
    const auto write_block = [&](std::size_t kind, std::int64_t number) {
      for (std::size_t i = 0; i < layers.size(); ++i) {
        const BlockPhases& block = phases[i][kind];
        writer.layer({s + 1, i + 1, layers[i].nodes_occupied()},
                     fmt::format("stage {}, {}, layer {} ({})", s + 1, block_name(block.blocks, number), i + 1,
                                 name_of(layers[i].partition)),
                     block.phases);
      }
    };
    const std::vector<BlockPhases>& kinds = phases.front();
    // Patch merging, at the end of the list, comes first.
    if (kinds.back().blocks == nullptr) write_block(kinds.size() - 1, 0);
    for (std::size_t kind = 0; kind < kinds.size() && kinds[kind].blocks != nullptr; ++kind) {
      for (std::int64_t number = 0; number < kinds[kind].blocks->count; ++number) write_block(kind, number);
    }
  }
}

void write_timeline(const OperatorSchedule& schedule, const Machine& machine, Outcome& outcome) {
  TimelineWriter writer(machine, 1, outcome);
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    const OperatorStage& stage = schedule.stages[s];
    writer.layer({s + 1, 1, stage.partition.nodes()},
                 fmt::format("{} ({})", stage.first_operator, name_of(stage.partition)),
                 {{"products", Phase::Unit::compute, stage.time.compute},
                  {"nonlinear operators", Phase::Unit::nonlinear, stage.time.nonlinear},
                  {"transfers", Phase::Unit::transfer, stage.time.transfer},
                  {"weight sharing", Phase::Unit::weight_sharing, stage.time.weight_sharing}});
  }
}

}  // namespace pimsweep::systems::allspark
