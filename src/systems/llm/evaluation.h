#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/llm/batch.h"
#include "systems/llm/halves.h"
#include "systems/llm/newton_costs.h"
#include "systems/llm/optimum.h"
#include "systems/llm/settings.h"
#include "systems/llm/step_run.h"
#include "systems/system.h"
#include "workload/decoder/tables.h"

namespace pimsweep::systems::llm {

/// Results of a point. SI units.
struct Evaluation {
  /// Why the machine cannot run the point; empty if it can. Then what comes of a run is missing.
  std::string misfit;
  double time = no_number;
  std::optional<double> time_per_token;
  std::optional<double> time_to_first_token;
  double tokens_per_second = no_number;
  double energy = no_number;
  double energy_per_token = no_number;
  double idle_energy = no_number;
  /// Mean power of the machine.
  double power = no_number;
  std::optional<double> largest_batch;
  std::optional<double> largest_bounded_batch;
  std::optional<double> bounded_tokens_per_second;
  /// Policy llm-optimal: what no schedule takes less than.
  std::optional<double> lower_bound;
  std::optional<double> optimum_gap;
  std::optional<double> weights;
  std::optional<double> pim_weights;
  std::optional<double> cache;
  double gpu_busy = no_number;
  double pim_busy = no_number;
  std::optional<double> operations;
  std::optional<double> gpu_bytes;
  std::optional<double> pim_bytes;
  std::optional<double> link_bytes;
  std::string_view caveat;
  /// Cards, or PIM devices without a card, that share each operator.
  double devices = 1;
  /// The operators of the step, or of the first step after the prompt.
  std::vector<OperatorRun> runs;
  PipedOperators piped;
  /// Places of the operators in time are known; not in an optimum of two batches, whose blocks are not alike.
  bool has_timeline = true;
};

/// Evaluates points; keeps its buffers.
class Evaluator {
 public:
  /// `tables` has requests and shares of experts, where points name some.
  explicit Evaluator(workload::decoder::Tables& tables) : tables_(&tables) {}

  /// The reference holds until the next call. Throws PointError where the machine or the model cannot be divided as the
  /// point says, or lacks what the policy needs.
  const Evaluation& operator()(const Settings& settings, const workload::decoder::Decoder& decoder);

 private:
  /// Sums over the operators of a step, on one device.
  struct Totals {
    double seconds = 0;
    double lower_bound = 0;
    /// Of the slowest stage of the pipeline.
    double stage_seconds = 0;
    double gpu_seconds = 0;
    double pim_seconds = 0;
    double operations = 0;
    double gpu_bytes = 0;
    double pim_bytes = 0;
    double link_bytes = 0;
    double energy = 0;

    void add(const Totals& other, double times);
  };

  void divide();
  void read_load();
  void fit();
  std::span<const workload::decoder::Sequences> generating(double batch);
  std::span<const workload::decoder::Sequences> prompts(double batch);
  Totals run(std::span<const workload::decoder::Sequences> sequences);
  void run_turns();
  Totals run_optimum();
  AllowedSides allowed_sides() const;
  PimRoom pim_room() const;
  StepInRoom run_one_batch(const AllowedSides& allowed);
  bool take_better_policy(const AllowedSides& allowed, double& seconds);
  double run_neupims(const AllowedSides& allowed);
  void list_runs(const Halves& halves);
  Totals totals_of(std::span<const OperatorRun> runs) const;
  Totals run_queries();
  Totals run_batch(double batch);
  Totals run_in_turn();
  void bound();
  std::string place_weights(const Policy& policy);
  void finish(const Totals& totals);
  double tokens_of_point() const;
  double mean_context() const;
  double tokens_of(double batch) const;
  double interval_of(const Totals& totals) const;
  bool is_queued() const;

  workload::decoder::Tables* tables_;
  const Settings* settings_ = nullptr;
  const workload::decoder::Decoder* decoder_ = nullptr;
  std::int64_t tensor_ = 1;
  /// Sequences that run at a time, and bytes of keys and values of one beside each card.
  double batch_ = 1;
  double sequence_bytes_ = 0;
  NewtonCosts newton_costs_;
  BatchPlace place_;
  /// Probability that a token chooses each expert; empty: all alike.
  std::vector<double> routing_;
  /// Lengths of sequences that are not all equal, and these.
  std::vector<std::int64_t> lengths_;
  std::vector<workload::decoder::Sequences> sequences_;
  Batch whole_;
  /// Of policies that let two batches take turns, and of the optimum.
  Halves halves_;
  Halves best_halves_;
  Halves halves_of_bound_;
  OptimumFinder optimum_;
  /// The point with the best assignment of sequences to channels.
  Settings with_best_channels_;
  const Pim* pim_ = nullptr;
  /// Bytes beside each card that keys and values may take in its memory, and in that of its PIM.
  double card_room_ = 0;
  double pim_room_ = 0;
  Evaluation evaluation_;
};

}  // namespace pimsweep::systems::llm
