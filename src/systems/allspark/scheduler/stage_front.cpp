#include "systems/allspark/scheduler/stage_front.h"

#include <algorithm>
#include <tuple>

namespace pimsweep::systems::allspark::scheduler {
namespace {

/// True if every layer of `b` can be a layer of `a` instead, and the schedule is then at least as good in the
/// tie-breaker. Only another 1 x 1 scheme could stand in for the 1 x 1 scheme, as that one frees all others of weights.
bool replaces(const Scheme& a, std::int32_t index_a, const Scheme& b, std::int32_t index_b) {
  if (b.single_node()) return false;
  if (a.capacity < b.capacity || a.cycles > b.cycles || a.weight_bytes > b.weight_bytes ||
      a.workspace_bytes > b.workspace_bytes) {
    return false;
  }
  return a.cycles < b.cycles || index_a < index_b;
}

}  // namespace

bool insert_point(std::vector<FrontPoint>& front, const FrontPoint& point) {
  const auto first = std::ranges::lower_bound(front, point.weight, {}, &FrontPoint::weight);
  if (first != front.begin() && dominates(std::prev(first)->weight, std::prev(first)->cost, point.weight, point.cost)) {
    return false;
  }
  if (first != front.end() && dominates(first->weight, first->cost, point.weight, point.cost)) return false;
  auto last = first;
  while (last != front.end() && dominates(point.weight, point.cost, last->weight, last->cost)) ++last;
  if (first == last) {
    front.insert(first, point);
  } else {
    *first = point;
    front.erase(std::next(first), last);
  }
  return true;
}

StageFront::StageFront(const StageProblem& stage) : branches_(stage.branches), schemes_(stage.schemes.size()) {
  if (branches_ == 0) return;
  candidates_.reserve(stage.schemes.size());
  for (std::size_t i = 0; i < stage.schemes.size(); ++i) {
    Candidate candidate{stage.schemes[i], static_cast<std::int32_t>(i)};
    if (candidate.scheme.capacity == 0) continue;
    candidate.scheme.capacity = std::min(candidate.scheme.capacity, branches_);
    candidates_.push_back(candidate);
  }
  const std::vector<Candidate> all = candidates_;
  std::erase_if(candidates_, [&all](const Candidate& b) {
    return std::ranges::any_of(all,
                               [&b](const Candidate& a) { return replaces(a.scheme, a.index, b.scheme, b.index); });
  });
  std::ranges::sort(candidates_, {}, [](const Candidate& c) {
    return std::tuple(c.scheme.workspace_bytes, -c.scheme.capacity, c.index);
  });

  std::vector<Cost> cover(static_cast<std::size_t>(branches_) + 1, Cost{infinite, 0});
  cover[0] = {};
  const Candidate* single = nullptr;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& candidate = candidates_[i];
    const std::int64_t workspace = candidate.scheme.workspace_bytes;
    add_layer(cover, candidate);
    if (candidate.scheme.single_node()) single = &candidate;
    if (workspaces_.empty() || workspaces_.back() != workspace) {
      workspaces_.push_back(workspace);
      min_cycles_.push_back(infinite);
      min_weight_.push_back(min_weight_.empty() ? infinite : min_weight_.back());
    }
    min_cycles_.back() = cover.back().cycles;
    min_weight_.back() = std::min(min_weight_.back(), candidate.scheme.weight_bytes);
    if (single != nullptr) {
      const auto rest = static_cast<std::size_t>(branches_ - single->scheme.capacity);
      const FrontPoint point{single->scheme.weight_bytes, workspace, single->cost() + cover[rest], shared_weights};
      if (shared_.empty() || point.cost < shared_.back().cost) shared_.push_back(point);
    }
  }
}

void StageFront::add_layer(std::vector<Cost>& cover, const Candidate& candidate) const {
  const auto capacity = static_cast<std::size_t>(candidate.scheme.capacity);
  const Cost cost = candidate.cost();
  for (std::size_t r = 1; r < capacity; ++r) cover[r] = std::min(cover[r], cost);
  for (std::size_t r = capacity; r < cover.size(); ++r) cover[r] = std::min(cover[r], cover[r - capacity] + cost);
}

std::int64_t StageFront::at_workspace(const std::vector<std::int64_t>& values, std::int64_t workspace) const {
  if (branches_ == 0) return 0;
  const auto after = std::ranges::upper_bound(workspaces_, workspace) - workspaces_.begin();
  return after == 0 ? infinite : values[static_cast<std::size_t>(after) - 1];
}

void StageFront::sketch() {
  points_ = shared_;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const bool i_is_larger = candidates_[i].scheme.capacity >= candidates_[j].scheme.capacity;
      const Scheme& large = candidates_[i_is_larger ? i : j].scheme;
      const Scheme& small = candidates_[i_is_larger ? j : i].scheme;
      if (large.single_node() || small.single_node()) continue;
      const std::int64_t weight = i == j ? large.weight_bytes : large.weight_bytes + small.weight_bytes;
      std::int64_t cycles = infinite;
      std::int64_t rest = branches_;
      for (std::int64_t layers = 0; rest > 0; ++layers) {
        cycles = std::min(cycles, layers * large.cycles + (rest + small.capacity - 1) / small.capacity * small.cycles);
        rest -= large.capacity;
      }
      points_.push_back({weight, std::max(large.workspace_bytes, small.workspace_bytes), {cycles, 0}, 0});
    }
  }
}

void StageFront::build(const StageLimits& limits) {
  points_.clear();
  labels_.clear();
  for (const FrontPoint& point : shared_) {
    if (point.weight + point.workspace <= limits.memory && point.cost.cycles <= limits.cycles) points_.push_back(point);
  }
  search(limits);
}

std::int64_t StageFront::fastest_point() const {
  std::int64_t smallest = infinite;
  for (const FrontPoint& point : points_) smallest = std::min(smallest, point.cost.cycles);
  return smallest;
}

std::int64_t StageFront::lightest_point() const {
  std::int64_t smallest = infinite;
  for (const FrontPoint& point : points_) smallest = std::min(smallest, point.weight);
  return smallest;
}

void StageFront::front_within(std::int64_t workspace, std::vector<FrontPoint>& front) const {
  front.clear();
  for (const FrontPoint& point : points_) {
    if (point.workspace <= workspace) insert_point(front, point);
  }
}

std::vector<std::int64_t> StageFront::layers(const FrontPoint& point) const {
  std::vector<std::int64_t> layers(schemes_, 0);
  if (point.origin == shared_weights) {
    count_shared(point.workspace, layers);
    return layers;
  }
  const auto label = [this](std::int32_t id) -> const Label& { return labels_[static_cast<std::size_t>(id)]; };
  for (std::int32_t l = point.origin; label(l).candidate >= 0; l = label(l).parent) {
    const Candidate& candidate = candidates_[static_cast<std::size_t>(label(l).candidate)];
    ++layers[static_cast<std::size_t>(candidate.index)];
  }
  return layers;
}

void StageFront::count_shared(std::int64_t workspace, std::vector<std::int64_t>& layers) const {
  std::vector<Cost> cover(static_cast<std::size_t>(branches_) + 1, Cost{infinite, 0});
  cover[0] = {};
  std::size_t allowed = 0;
  std::size_t single = 0;
  for (; allowed < candidates_.size() && candidates_[allowed].scheme.workspace_bytes <= workspace; ++allowed) {
    add_layer(cover, candidates_[allowed]);
    if (candidates_[allowed].scheme.single_node()) single = allowed;
  }
  std::int64_t rest = branches_ - candidates_[single].scheme.capacity;
  ++layers[static_cast<std::size_t>(candidates_[single].index)];
  while (rest > 0) {
    for (std::size_t i = 0; i < allowed; ++i) {
      const std::int64_t after = std::max<std::int64_t>(0, rest - candidates_[i].scheme.capacity);
      if (cover[static_cast<std::size_t>(after)] + candidates_[i].cost() == cover[static_cast<std::size_t>(rest)]) {
        ++layers[static_cast<std::size_t>(candidates_[i].index)];
        rest = after;
        break;
      }
    }
  }
}

}  // namespace pimsweep::systems::allspark::scheduler
