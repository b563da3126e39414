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

/// Times of a point, in s, and rates of tokens, in 1/s.
struct Times {
  double time = no_number;
  std::optional<double> per_token = {};
  std::optional<double> to_first_token = {};
  double tokens_per_second = no_number;
  std::optional<double> bounded_tokens_per_second = {};
  /// Policies that prove a bound: minimum time of all schedules, and the share of it that may be lost.
  std::optional<double> lower_bound = {};
  std::optional<double> optimum_gap = {};
};

/// Energies of a point, in J, and its mean power, in W.
struct Energies {
  double energy = no_number;
  double per_token = no_number;
  double idle = no_number;
  double power = no_number;
};

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
  double pim_busy = no_number;
  std::optional<double> operations;
  std::optional<double> gpu_bytes;
  std::optional<double> pim_bytes;
  std::optional<double> link_bytes;
};

/// Results of a point. SI units.
struct Evaluation {
  /// Why the machine cannot run the point; empty if it can. Then the results of a run are missing.
  std::string misfit;
  std::string_view caveat;
  Times times;
  Energies energies;
  Memory memory;
  Traffic traffic;
  /// GPUs, or PIM devices without a GPU, that share each operator.
  double devices = 1;
  /// Operators of the step, or of the first step after the prompt, which hold as long as the evaluation.
  std::span<const step::OperatorRun> runs;
  step::PipedOperators piped;
  bool has_timeline = true;
};

/// Evaluates points: divides the model over the GPUs, looks for room, and runs the steps of a phase. Keeps its memory.
class Evaluator {
 public:
  /// `tables` has requests and shares of experts, where points name some.
  explicit Evaluator(workload::decoder::Tables& tables) : load_(tables) {}

  /// The reference holds until the next call. Throws PointError where the machine or the model cannot be divided as the
  /// point says, or lacks what the policy needs.
  const Evaluation& operator()(const Settings& settings, const workload::decoder::Decoder& decoder);

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
  step::cent::Run cxl_run_;
  const Settings* settings_ = nullptr;
  step::StepContext context_;
  step::Capacity capacity_;
  Evaluation evaluation_;
};

}  // namespace pimsweep::systems::llm
