#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "systems/llm/load.h"
#include "systems/llm/settings.h"
#include "systems/llm/step/capacity.h"
#include "systems/llm/step/cent/run.h"
#include "systems/system.h"

namespace pimsweep::systems::llm {

/// Memory of a point: bytes on each GPU, and sequences that have room.
struct Memory {
  std::optional<double> weights;
  std::optional<double> pim_weights;
  std::optional<double> cache;
  std::optional<double> largest_batch;
  std::optional<double> largest_bounded_batch;
};

/// Work of a point on all GPUs.
struct Traffic {
  double gpu_busy = no_number;
  std::optional<double> operations;
  std::optional<double> gpu_bytes;
  std::optional<double> pim_bytes;
  std::optional<double> link_bytes;
};

/// Results of a point; SI units.
struct Evaluation : step::ModelRun {
  std::string_view caveat;
  /// Generated tokens in a second with the largest batch within the bound.
  std::optional<double> bounded_tokens_per_second;
  /// Policies that prove a bound: minimum time of all schedules, and the share of it that may be lost.
  std::optional<double> lower_bound;
  std::optional<double> optimum_gap;
  Memory memory;
  Traffic traffic;
  devices::SiliconEstimate silicon;
  /// GPUs, or PIM devices without a GPU, that share each operator.
  double devices = 1;
  /// Operators of the step, or of the first step after the prompt, which hold as long as the evaluation.
  std::span<const step::OperatorRun> runs;
  step::PipedOperators piped;
  bool has_timeline = true;
};

/// Evaluates points of the system `llm` in the order of its private members: divides the model over the GPUs (or runs
/// it on CXL devices), finds out which weights and KV caches fit where, and runs the steps of the phase. With a bound
/// on TPOT, it also searches for the largest batch within the bound.
///
///     Evaluator evaluate(tables);
///     const Evaluation& evaluation = evaluate(settings, decoder);
///
/// A model that does not fit sets Evaluation::misfit instead of throwing. An evaluator keeps its memory between points,
/// so that evaluating many points rarely allocates; it is used by one thread at a time. The steps themselves, with
/// their policies, are the business of step::StepPlanner.
class Evaluator {
 public:
  /// `tables` has requests and shares of experts, where points name some.
  explicit Evaluator(workload::decoder::Tables& tables) : load_(tables) {}

  /// The reference holds until the next call. Throws PointError if the machine or the model cannot be divided as the
  /// point says.
  const Evaluation& operator()(const Settings& settings, const workload::decoder::Decoder& decoder);
  /// Throws those PointErrors that depend on no costs: lengths, routing and their tables, and the division over GPUs.
  void require_fit(const Settings& settings, const workload::decoder::Decoder& decoder);

 private:
  const Sequencing& sequencing() const { return settings_->sequencing; }
  void run_on_cxl(const workload::decoder::Decoder& decoder);
  void divide(const workload::decoder::Decoder& decoder);
  void fit();
  step::StepTotals run(std::span<const workload::decoder::Sequences> sequences, double batch);
  step::StepTotals run_queries(double batch);
  step::StepTotals run_batch(double batch);
  step::StepTotals run_all();
  void search_bounded_batch();
  void finish(const step::StepTotals& totals);
  double interval_of(const step::StepTotals& totals) const;
  bool is_queued() const;

  LoadReader load_;
  step::StepPlanner planner_;
  const Settings* settings_ = nullptr;
  step::StepContext context_;
  step::Capacity capacity_;
  Evaluation evaluation_;
};

}  // namespace pimsweep::systems::llm
