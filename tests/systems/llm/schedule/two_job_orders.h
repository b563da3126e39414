#pragma once

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "systems/llm/schedule/problem.h"

namespace pimsweep::systems::llm::schedule {

/// The earliest end of two jobs, by every order in which their intervals may be put, each as early as those before it
/// allow.
class JobOrders {
 public:
  JobOrders(const Conflicts& conflicts, const Job& first, const Job& second)
      : conflicts_(conflicts), jobs_{&first, &second} {}

  double best() {
    put(0, 0);
    return least_;
  }

 private:
  void put(std::size_t i, std::size_t j) {
    if (i == jobs_[0]->size() && j == jobs_[1]->size()) {
      double end = 0;
      for (const std::vector<double>& ends : ends_) end = std::max(end, ends.empty() ? 0 : ends.back());
      least_ = std::min(least_, end);
      return;
    }
    if (i < jobs_[0]->size()) with(0, i, [&] { put(i + 1, j); });
    if (j < jobs_[1]->size()) with(1, j, [&] { put(i, j + 1); });
  }

  template <typename Next>
  void with(std::size_t which, std::size_t at, Next next) {
    const Interval& interval = (*jobs_[which])[at];
    double start = at == 0 ? 0 : ends_[which].back();
    for (std::size_t k = 0; k < ends_[1 - which].size(); ++k) {
      if (conflicts_.between(interval.uses, (*jobs_[1 - which])[k].uses)) start = std::max(start, ends_[1 - which][k]);
    }
    ends_[which].push_back(start + interval.seconds);
    next();
    ends_[which].pop_back();
  }

  const Conflicts& conflicts_;
  std::array<const Job*, 2> jobs_;
  std::array<std::vector<double>, 2> ends_;
  double least_ = infinite;
};

inline double best_order(const Conflicts& conflicts, const Job& first, const Job& second) {
  return JobOrders(conflicts, first, second).best();
}

/// The end of a schedule, which must keep the order of each job and never use what excludes one another.
inline double end_of(const Conflicts& conflicts, const Job& first, const Job& second,
                     const std::array<std::vector<double>, 2>& starts) {
  REQUIRE(starts[0].size() == first.size());
  REQUIRE(starts[1].size() == second.size());
  double end = 0;
  for (const auto& [job, start] : {std::pair(&first, &starts[0]), std::pair(&second, &starts[1])}) {
    double free = 0;
    for (std::size_t i = 0; i < job->size(); ++i) {
      REQUIRE(start->at(i) >= free * (1 - 1e-12));
      free = start->at(i) + job->at(i).seconds;
    }
    end = std::max(end, free);
  }
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = 0; j < second.size(); ++j) {
      if (!conflicts.between(first[i].uses, second[j].uses)) continue;
      const bool before = starts[0][i] + first[i].seconds <= starts[1][j] * (1 + 1e-12);
      const bool after = starts[1][j] + second[j].seconds <= starts[0][i] * (1 + 1e-12);
      REQUIRE((before || after));
    }
  }
  return end;
}

}  // namespace pimsweep::systems::llm::schedule
