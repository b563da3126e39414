#include "systems/llm/schedule/assignments.h"

#include <algorithm>

namespace pimsweep::systems::llm::schedule {

bool dominates(std::span<const Interval> better, std::span<const Interval> worse) {
  std::size_t place = 0;
  double left = worse.empty() ? 0 : worse[0].seconds;
  for (const Interval& interval : better) {
    // An interval may run within one that occupies at least the same resources.
    while (place < worse.size() && ((interval.uses & ~worse[place].uses) != 0 || interval.seconds > left)) {
      if (++place < worse.size()) left = worse[place].seconds;
    }
    if (place == worse.size()) return false;
    left -= interval.seconds;
  }
  return true;
}

void list_block(const StepProblem& problem, const Assignment& ways, RowRange rows, Job& block) {
  block.clear();
  const auto append = [&](Resources uses, const auto& seconds) {
    double least = infinite;
    for (std::size_t r = rows.least; r <= rows.most; ++r) least = std::min(least, seconds(r));
    if (least > 0) block.push_back({uses, least});
  };
  const auto append_move = [&](std::size_t before, Side to) {
    append(link_only, [&](std::size_t r) { return problem.move_seconds(before, to, r); });
  };
  Side side = problem.ways[ways.back()].leaves;
  // Data that PIM leaves and the GPU needs move at the end of a block: they begin on the GPU, and are there at the end.
  const bool is_last_move = side == Side::pim && problem.ways[ways.front()].needs == Side::gpu;
  for (const std::size_t w : ways) {
    const Way& way = problem.ways[w];
    if (side != way.needs && !(is_last_move && w == ways.front())) append_move(way.first, way.needs);
    for (const Phase& phase : way.phases) append(phase.uses, [&](std::size_t r) { return phase.seconds[r]; });
    side = way.leaves;
  }
  if (is_last_move) append_move(0, Side::gpu);
}

Candidate AssignmentLister::candidate(const Assignment& ways, std::size_t rows) const {
  Candidate candidate{
      .ways = ways, .needs = problem_.ways[ways.front()].needs, .leaves = problem_.ways[ways.back()].leaves};
  list_block(problem_, ways, {rows, rows}, candidate.block);
  std::vector<double> sums(relaxation_.size(), 0);
  Side side = candidate.leaves;
  for (const std::size_t w : ways) {
    relaxation_.add(w, side, rows, sums);
    side = problem_.ways[w].leaves;
  }
  candidate.has_first_move =
      candidate.leaves == Side::pim && candidate.needs == Side::pim && problem_.move_seconds(0, Side::pim, rows) > 0;
  candidate.loads = relaxation_.loads(sums);
  return candidate;
}

std::vector<Candidate> AssignmentLister::least(std::size_t rows) {
  std::vector<Assignment> all;
  std::vector<double> sums(relaxation_.size());
  for (const Side end : all_sides) {
    relaxation_.fill(rows, end, rest_);
    if (relaxation_.from(rest_, 0, end)[0] == infinite) continue;
    for (std::size_t k = 0; k < relaxation_.size(); ++k) {
      Assignment& ways = all.emplace_back();
      Side side = end;
      for (std::size_t op = 0; op < problem_.operators;) {
        std::size_t best = problem_.ways.size();
        double least = infinite;
        for (const std::size_t w : relaxation_.ways_from(op)) {
          const Way& way = problem_.ways[w];
          if (way.seconds(rows) == infinite) continue;
          std::ranges::copy(relaxation_.from(rest_, way.last, way.leaves), sums.begin());
          relaxation_.add(w, side, rows, sums);
          if (sums[k] >= least) continue;
          least = sums[k];
          best = w;
        }
        ways.push_back(best);
        side = problem_.ways[best].leaves;
        op = problem_.ways[best].last;
      }
    }
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<Candidate> candidates;
  candidates.reserve(all.size());
  for (const Assignment& ways : all) candidates.push_back(candidate(ways, rows));
  return candidates;
}

std::vector<Listed> AssignmentLister::below(std::size_t rows, std::span<const double> beside, double cutoff,
                                            std::size_t max_count) {
  beside_ = beside;
  cutoff_ = cutoff;
  max_count_ = max_count;
  stopped_ = false;
  listed_.clear();
  whole_.resize(relaxation_.size());
  sums_.resize(problem_.operators + 1);
  for (std::vector<double>& sums : sums_) sums.resize(relaxation_.size());
  std::ranges::fill(sums_[0], 0.0);
  for (const Side end : all_sides) {
    relaxation_.fill(rows, end, rest_);
    current_.clear();
    descend(0, end, 0);
  }
  return std::move(listed_);
}

void AssignmentLister::descend(std::size_t op, Side side, std::size_t depth) {
  if (op == problem_.operators) {
    if (side != rest_.end) return;
    stopped_ = stopped_ || listed_.size() >= max_count_;
    if (!stopped_) listed_.push_back({current_, relaxation_.loads(sums_[depth])});
    return;
  }
  std::vector<double>& next = sums_[depth + 1];
  for (const std::size_t w : relaxation_.ways_from(op)) {
    const Way& way = problem_.ways[w];
    if (stopped_ || way.seconds(rest_.rows) == infinite) continue;
    std::ranges::copy(sums_[depth], next.begin());
    relaxation_.add(w, side, rest_.rows, next);
    const std::span<const double> rest = relaxation_.from(rest_, way.last, way.leaves);
    for (std::size_t k = 0; k < whole_.size(); ++k) whole_[k] = next[k] + rest[k];
    if (relaxation_.bound(whole_, beside_) >= cutoff_) continue;
    current_.push_back(w);
    descend(way.last, way.leaves, depth + 1);
    current_.pop_back();
  }
}

std::vector<Candidate> AssignmentLister::undominated(std::span<const Listed> listed, std::size_t rows) {
  found_.clear();
  for (const Listed& one : listed) keep(candidate(one.ways, rows));
  return std::move(found_);
}

void AssignmentLister::keep(Candidate candidate) {
  // Blocks begin alike after the same move, and the first and the last block have the same moves in addition.
  const auto is_dominated_by = [](const Candidate& a, const Candidate& b) {
    return a.needs == b.needs && a.leaves == b.leaves && dominates(b.block, a.block);
  };
  if (std::ranges::any_of(found_, [&](const Candidate& other) { return is_dominated_by(candidate, other); })) return;
  std::erase_if(found_, [&](const Candidate& other) { return is_dominated_by(other, candidate); });
  found_.push_back(std::move(candidate));
}

}  // namespace pimsweep::systems::llm::schedule
