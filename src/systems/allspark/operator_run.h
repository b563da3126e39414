#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/allspark/stage_cost.h"
#include "workload/model_library.h"

namespace pimsweep::systems::allspark {

/// Consecutive operators of one stage under one partition: positions of a map, or tokens, are spread over the patch
/// split, channels over the head split.
struct OperatorStage {
  std::string first_operator;
  Partition partition;
  /// For the batch.
  TimeShares time;
};

/// A network on the node array, operator after operator (docs/crossover.md, "Any operator graph on Allspark").
struct OperatorSchedule {
  std::vector<OperatorStage> stages;
  TimeShares time;
  WordVolume volume;
  /// Bytes on a node.
  std::int64_t weights = 0;
  std::int64_t workspace = 0;
  /// Multiply-accumulates of a sample.
  std::int64_t macs = 0;
};

/// Finds the fastest partition for each stage of an operator graph by dynamic programming over the stages: where two
/// neighboring stages differ, the feature map is redistributed. Sub-arrays process samples of the batch side by side.
///
///     OperatorRun run(models);
///     const OperatorSchedule schedule = run("resnet-50", 224, machine, conditions);
///
/// Costs are formulas of single operators on a node (docs/crossover.md): data that windows and shifts rearrange moves
/// for free, and transposed convolutions, response normalization and embeddings inside a network are refused.
class OperatorRun {
 public:
  explicit OperatorRun(const workload::ModelLibrary& models) : models_(models) {}

  /// Operator graph of a model. Throws PointError with the names of operators without a mapping.
  workload::OperatorGraph graph(std::string_view model, std::int64_t image_px) const;
  /// Throws PointError as graph() does.
  OperatorSchedule operator()(std::string_view model, std::int64_t image_px, const Machine& machine,
                              const Conditions& conditions);

 private:
  const workload::ModelLibrary& models_;
  GemmCache gemms_;
};

}  // namespace pimsweep::systems::allspark
