#include <algorithm>
#include <tuple>

#include "base/downward.h"
#include "systems/allspark/scheduler/stage_front.h"

namespace pimsweep::systems::allspark::scheduler {

/// Label setting over (open branches, weights, cost), with schemes in order of rising workspace. As a scheme's weights
/// are paid once, its pass separates labels that already use it from those that do not.
class StageFront::Search {
 public:
  Search(StageFront& front, const StageLimits& limits) : front_(front), limits_(limits), labels_(front.labels_) {
    const auto size = static_cast<std::size_t>(front.branches_) + 1;
    before_.assign(size, -1);
    using_.assign(size, -1);
    for (std::size_t i = 0; i < front.candidates_.size(); ++i) {
      if (!front.candidates_[i].scheme.single_node()) order_.push_back(i);
    }
    std::ranges::sort(order_, {}, [this](std::size_t i) {
      return std::tuple(workspace(i), -front_.candidates_[i].scheme.capacity, front_.candidates_[i].index);
    });
    bound_completions(size);
  }

  void run() {
    labels_.push_back({});
    before_.back() = 0;
    if (front_.branches_ == 0) front_.points_.push_back({});
    std::size_t shared = 0;
    for (std::size_t step = 0; step < order_.size(); ++step) {
      const std::int64_t bound = workspace(order_[step]);
      for (; shared < front_.shared_.size() && front_.shared_[shared].workspace <= bound; ++shared) {
        insert_point(complete_, front_.shared_[shared]);
      }
      pass(step);
    }
  }

 private:
  std::int64_t workspace(std::size_t candidate) const {
    return std::max(limits_.workspace, front_.candidates_[candidate].scheme.workspace_bytes);
  }

  /// rest_cycles_[step * size + r]: minimum cycles for r branches with the schemes from `step` on, weights left out.
  void bound_completions(std::size_t size) {
    size_ = size;
    rest_cycles_.assign((order_.size() + 1) * size, infinite);
    rest_weight_.assign(order_.size() + 1, infinite);
    rest_cycles_[order_.size() * size] = 0;
    for (const std::size_t step : downward(order_.size())) {
      const Scheme& scheme = front_.candidates_[order_[step]].scheme;
      const auto capacity = static_cast<std::size_t>(scheme.capacity);
      std::int64_t* now = &rest_cycles_[step * size];
      const std::int64_t* later = now + size;
      now[0] = 0;
      for (std::size_t r = 1; r < std::min(capacity, size); ++r) now[r] = std::min(later[r], scheme.cycles);
      for (std::size_t r = capacity; r < size; ++r) now[r] = std::min(later[r], now[r - capacity] + scheme.cycles);
      rest_weight_[step] = std::min(rest_weight_[step + 1], scheme.weight_bytes);
    }
  }

  /// True if layers of these weights and cycles that leave r branches open may still become a point of the front.
  bool promising(std::size_t step, std::size_t r, std::int64_t weight, std::int64_t cycles) const {
    const std::int64_t bound = cycles + rest_cycles_[step * size_ + r];
    if (bound > limits_.cycles) return false;
    if (weight + workspace(order_[step]) > limits_.memory) return false;
    const auto after = std::ranges::upper_bound(complete_, weight, {}, &FrontPoint::weight);
    if (after == complete_.begin()) return true;
    const FrontPoint& best = *std::prev(after);
    return best.cost.cycles > bound || (best.cost.cycles == bound && best.weight == weight);
  }

  void pass(std::size_t step) {
    const auto candidate = static_cast<std::int32_t>(order_[step]);
    const Scheme& scheme = front_.candidates_[order_[step]].scheme;
    for (std::size_t r = size_ - 1; r > 0; --r) {
      drop_hopeless(step, r);
      for (std::int32_t l = before_[r]; l >= 0; l = label(l).next) {
        extend(step, r, l, candidate, label(l).weight + scheme.weight_bytes);
      }
      for (std::int32_t l = using_[r]; l >= 0; l = label(l).next) extend(step, r, l, candidate, label(l).weight);
      while (using_[r] >= 0) {
        const std::int32_t l = using_[r];
        using_[r] = label(l).next;
        link(before_[r], l);
      }
    }
  }

  void drop_hopeless(std::size_t step, std::size_t r) {
    std::int32_t* at = &before_[r];
    while (*at >= 0) {
      const Label& l = label(*at);
      if (promising(step, r, l.weight + rest_weight_[step], l.cost.cycles)) {
        at = &label(*at).next;
      } else {
        *at = l.next;
      }
    }
  }

  void extend(std::size_t step, std::size_t r, std::int32_t parent, std::int32_t candidate, std::int64_t weight) {
    const Candidate& added = front_.candidates_[static_cast<std::size_t>(candidate)];
    const auto capacity = static_cast<std::size_t>(added.scheme.capacity);
    const std::size_t rest = r > capacity ? r - capacity : 0;
    const Cost cost = label(parent).cost + added.cost();
    if (!promising(step, rest, weight, cost.cycles)) return;
    const auto id = static_cast<std::int32_t>(labels_.size());
    if (rest == 0) {
      const FrontPoint point{weight, workspace(static_cast<std::size_t>(candidate)), cost, id};
      if (!insert_point(complete_, point)) return;
      front_.points_.push_back(point);
      labels_.push_back({weight, cost, -1, parent, candidate});
    } else {
      labels_.push_back({weight, cost, -1, parent, candidate});
      if (!link(using_[rest], id)) labels_.pop_back();
    }
  }

  /// Links a label into a list with rising weights and falling cycles, unless it is dominated; unlinks what it
  /// dominates.
  bool link(std::int32_t& head, std::int32_t id) {
    Label& added = label(id);
    std::int32_t* at = &head;
    while (*at >= 0 && label(*at).weight < added.weight) {
      if (dominates(label(*at).weight, label(*at).cost, added.weight, added.cost)) return false;
      at = &label(*at).next;
    }
    if (*at >= 0 && dominates(label(*at).weight, label(*at).cost, added.weight, added.cost)) return false;
    std::int32_t after = *at;
    while (after >= 0 && dominates(added.weight, added.cost, label(after).weight, label(after).cost)) {
      after = label(after).next;
    }
    added.next = after;
    *at = id;
    return true;
  }

  Label& label(std::int32_t id) { return labels_[static_cast<std::size_t>(id)]; }

  StageFront& front_;
  const StageLimits& limits_;
  std::vector<Label>& labels_;
  /// Candidates without the 1 x 1 scheme.
  std::vector<std::size_t> order_;
  std::size_t size_ = 0;
  std::vector<std::int64_t> rest_cycles_;
  std::vector<std::int64_t> rest_weight_;
  /// For each number of open branches: the first label without, and with, the scheme of this pass.
  std::vector<std::int32_t> before_;
  std::vector<std::int32_t> using_;
  /// The front of the complete covers found so far.
  std::vector<FrontPoint> complete_;
};

void StageFront::search(const StageLimits& limits) { Search(*this, limits).run(); }

}  // namespace pimsweep::systems::allspark::scheduler
