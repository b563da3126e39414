#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "driver/evaluator.h"
#include "driver/search_log.h"
#include "driver/work_pool.h"
#include "search/design_problem.h"
#include "sweep/condition.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Results that are known before a search asks for them, by the identity of their points.
using KnownObservations = std::unordered_map<Hash128, Observation>;

/// The search of one study: chooses its points, generation by generation. A deterministic function of the settings and
/// of the results, so that a run that is resumed chooses the same points again and finds their results known.
class SearchRun final : public search::DesignProblem {
 public:
  /// Evaluates points of the plan and calls observe() with each result. May return early if the run has been stopped.
  using Evaluate = std::function<void(const std::vector<Range>& points)>;

  /// All references must outlive the search.
  SearchRun(const sweep::Plan& plan, std::size_t study, Evaluator& evaluator, const KnownObservations& known,
            SearchLog& log);

  /// Searches until the budget is used up or a result is missing, since the run has been stopped. Completes the log.
  void run(const Evaluate& evaluate);
  /// Takes the result of a point, by its index in the study.
  void observe(std::uint64_t index, Observation observation);

  const search::Space& space() const override { return space_; }
  bool is_allowed(const search::Design& design) override;
  std::vector<search::Fitness> evaluate(const std::vector<search::Design>& generation) override;

 private:
  /// The run was stopped.
  struct Stopped : std::exception {};

  /// Appends a generation of points of the product to the log, with their results. Throws Stopped.
  void evaluate_points(const std::vector<std::uint64_t>& product_indices);
  /// Sets the operands of a condition to the values of the current point, and of the metrics of `observation`. False if
  /// one is missing.
  bool set_operands(sweep::Condition& condition, const Observation* observation);
  /// The objectives of the current point as numbers to minimize; empty if it lacks one.
  std::vector<double> objectives_of(const Observation& observation);
  search::Fitness fitness_of(std::uint64_t index);
  bool holds(sweep::Condition& condition, const Observation* observation);
  /// Evaluates the front of the search again, with the values of the recheck.
  void recheck(std::uint64_t points);

  const sweep::Study& study_;
  const sweep::SearchSettings& settings_;
  const sweep::Study product_;
  std::uint64_t offset_;
  Evaluator& evaluator_;
  const KnownObservations& known_;
  SearchLog& log_;
  search::Space space_;
  std::vector<sweep::Condition> objectives_;
  std::vector<sweep::Condition> where_;
  std::vector<sweep::Condition> constraints_;
  /// For each name of the settings beyond the axes, its place in an observation; npos if it is not observed.
  std::vector<std::size_t> places_;
  systems::Point point_;
  Evaluate evaluate_;
};

}  // namespace pimsweep::driver
