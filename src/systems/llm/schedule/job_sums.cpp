#include "systems/llm/schedule/job_sums.h"

#include "base/downward.h"

namespace pimsweep::systems::llm::schedule {

JobSums::JobSums(std::span<const Interval> of, std::span<const Resources> cliques)
    : job(of),
      begin(of.size() + 1, 0),
      load((of.size() + 1) * cliques.size(), 0),
      head(load.size(), 0),
      tail(cliques.size(), 0) {
  for (std::size_t i = 0; i < size(); ++i) begin[i + 1] = begin[i] + job[i].seconds;
  for (std::size_t c = 0; c < cliques.size(); ++c) {
    for (const std::size_t i : downward(size())) {
      const std::size_t at = i * cliques.size() + c;
      const std::size_t next = at + cliques.size();
      const bool uses = (job[i].uses & cliques[c]) != 0;
      load[at] = load[next] + (uses ? job[i].seconds : 0);
      head[at] = uses ? 0 : head[next] + job[i].seconds;
      if (uses && load[next] == 0) tail[c] = length() - begin[i + 1];
    }
  }
}

}  // namespace pimsweep::systems::llm::schedule
