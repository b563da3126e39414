#include "driver/fit_report.h"

#include <cstdio>

#include "base/error.h"
#include "base/message.h"

namespace pimsweep::driver {

void report_misfits(const std::vector<sweep::StudyFit>& fits) {
  const sweep::FitProblems problems = sweep::problems_of(fits);
  for (const Problem& problem : problems.warnings) {
    print_warning("{}: {}", problem.where.text(), problem.message);
  }
  if (!problems.errors.empty()) throw InputError(problems.errors);
}

}  // namespace pimsweep::driver
