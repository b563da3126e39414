#include "driver/read_plan.h"

#include <ctime>
#include <utility>

#include "calibrate/fit_plan.h"

namespace pimsweep::driver {

ReadPlan read_plan(const std::string& experiment, const sweep::PlanOptions& options) {
  const std::int64_t started = std::time(nullptr);
  const auto clock_start = std::chrono::steady_clock::now();
  sweep::Plan plan = sweep::load_plan(experiment, options);
  return {started, clock_start, options.calibrate ? calibrate::fit_plan(plan) : std::move(plan)};
}

std::vector<sweep::StudyFit> fits_at_start(const sweep::Plan& plan) {
  // A second or two.
  constexpr std::uint64_t max_combinations = 500;
  return sweep::find_misfits(plan, max_combinations);
}

PlanReader::PlanReader(const std::string& experiment, const sweep::PlanOptions& options, bool has_fits)
    : plan_(std::async(std::launch::async, [&experiment, &options, has_fits] {
        ReadPlan read = read_plan(experiment, options);
        if (has_fits) read.fits = fits_at_start(read.plan);
        return read;
      })) {}

}  // namespace pimsweep::driver
