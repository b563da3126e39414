#include "systems/llm/schedule/experts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "systems/llm/schedule/resources.h"

namespace pimsweep::systems::llm::schedule {

namespace {

/// Share of the time by which a faster split may be missed: sums of times are not more exact than about 1e-14.
constexpr double tolerance = 1e-10;

/// A class whose experts may be on either side, in both positive time.
struct OpenClass {
  ExpertClass expert;
  /// Its place in the caller's list.
  std::size_t index = 0;

  /// Advantage of the GPU over PIM for this expert (logarithm of the ratio of times).
  double preference() const { return std::log(expert.pim_seconds / expert.gpu_seconds); }
};

/// Loads of both sides by the classes that are decided so far, and where the pair came from.
struct Pair {
  double gpu = 0;
  double pim = 0;
  std::size_t parent = 0;
  std::size_t on_gpu = 0;
};

/// Searches over open classes in order of falling preference for the GPU. What is not decided is always a range
/// [begin, end) of them, around the class that the relaxation divides: those with the clearest preference are decided
/// first.
class ExpertSearch {
 public:
  ExpertSearch(std::span<const OpenClass> classes, double gpu_base, double pim_base, std::size_t max_pairs)
      : classes_(classes),
        end_(classes.size()),
        pairs_left_(max_pairs),
        gpu_sum_(classes.size() + 1, 0),
        pim_sum_(gpu_sum_) {
    for (std::size_t c = 0; c < classes.size(); ++c) {
      const auto count = static_cast<double>(classes[c].expert.count);
      gpu_sum_[c + 1] = gpu_sum_[c] + count * classes[c].expert.gpu_seconds;
      pim_sum_[c + 1] = pim_sum_[c] + count * classes[c].expert.pim_seconds;
    }
    layers_.push_back({{.gpu = gpu_base, .pim = pim_base}});
  }

  /// Fills the best number of experts on the GPU by open class.
  ExpertSplit run() {
    const Relaxed root = relax(layers_[0][0]);
    complete(root, {});
    ExpertSplit split;
    split.lower_bound = root.bound;
    split.proven = true;
    while (begin_ < end_ && !layers_.back().empty() && split.proven) {
      const bool from_begin = is_clearer_at_begin(root.divided);
      order_.push_back(from_begin ? begin_++ : --end_);
      split.proven = decide(order_.back());
    }
    split.seconds = least_;
    split.on_gpu = best_;
    return split;
  }

 private:
  /// The relaxation of a pair: classes before `divided` on the GPU, those after it on PIM.
  struct Relaxed {
    double bound = 0;
    std::size_t divided = 0;
    /// Loads with the divided class on PIM, and how many of its experts, not rounded, go to the GPU.
    double gpu = 0;
    double pim = 0;
    double on_gpu = 0;
  };

  Relaxed relax(const Pair& pair) const {
    const double gpu = pair.gpu - gpu_sum_[begin_];
    const double pim = pair.pim + pim_sum_[end_];
    std::size_t low = begin_;
    for (std::size_t high = end_; low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      if (gpu + gpu_sum_[middle + 1] >= pim - pim_sum_[middle + 1]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    Relaxed relaxed{.divided = low, .gpu = gpu + gpu_sum_[low], .pim = pim - pim_sum_[low]};
    relaxed.bound = std::max(relaxed.gpu, relaxed.pim);
    if (low < end_ && relaxed.gpu < relaxed.pim) {
      const ExpertClass& expert = classes_[low].expert;
      relaxed.on_gpu = (relaxed.pim - relaxed.gpu) / (expert.gpu_seconds + expert.pim_seconds);
      relaxed.bound = relaxed.gpu + relaxed.on_gpu * expert.gpu_seconds;
    }
    return relaxed;
  }

  /// Tries the split that rounds the divided class down and up.
  void complete(const Relaxed& relaxed, const Pair& pair) {
    const ExpertClass expert = relaxed.divided < end_ ? classes_[relaxed.divided].expert : ExpertClass{.count = 0};
    const double down = std::floor(relaxed.on_gpu);
    for (const double on_gpu : {down, down + 1}) {
      if (on_gpu > static_cast<double>(expert.count)) continue;
      const double seconds =
          std::max(relaxed.gpu + on_gpu * expert.gpu_seconds, relaxed.pim - on_gpu * expert.pim_seconds);
      if (seconds >= least_) continue;
      least_ = seconds;
      record(relaxed.divided, static_cast<std::size_t>(on_gpu), pair);
    }
  }

  void record(std::size_t divided, std::size_t on_gpu, Pair pair) {
    best_.assign(classes_.size(), 0);
    for (std::size_t c = begin_; c < std::min(divided, end_); ++c) best_[c] = classes_[c].expert.count;
    if (divided < end_) best_[divided] = on_gpu;
    for (std::size_t decided = order_.size(); decided > 0; --decided) {
      best_[order_[decided - 1]] = pair.on_gpu;
      pair = layers_[decided - 1][pair.parent];
    }
  }

  bool is_clearer_at_begin(std::size_t divided) const {
    const double middle = classes_[std::min(divided, classes_.size() - 1)].preference();
    return std::abs(classes_[begin_].preference() - middle) >= std::abs(classes_[end_ - 1].preference() - middle);
  }

  /// Adds the layer of pairs with class `c` decided; false if there are too many.
  bool decide(std::size_t c) {
    const ExpertClass& expert = classes_[c].expert;
    std::vector<Pair> next;
    const std::vector<Pair>& last = layers_.back();
    for (std::size_t parent = 0; parent < last.size(); ++parent) {
      bool any = false;
      for (std::size_t on_gpu = 0; on_gpu <= expert.count; ++on_gpu) {
        const Pair pair{.gpu = last[parent].gpu + static_cast<double>(on_gpu) * expert.gpu_seconds,
                        .pim = last[parent].pim + static_cast<double>(expert.count - on_gpu) * expert.pim_seconds,
                        .parent = parent,
                        .on_gpu = on_gpu};
        const Relaxed relaxed = relax(pair);
        complete(relaxed, pair);
        if (relaxed.bound < least_ * (1 - tolerance)) {
          next.push_back(pair);
          any = true;
        } else if (any) {
          break;  // The bound is convex in the number on the GPU.
        }
      }
      if (next.size() > pairs_left_) return false;
    }
    keep_front(next);
    pairs_left_ -= next.size();
    layers_.push_back(std::move(next));
    return true;
  }

  /// Leaves the pairs that no other one equals or betters on both sides.
  static void keep_front(std::vector<Pair>& pairs) {
    std::ranges::sort(pairs,
                      [](const Pair& a, const Pair& b) { return a.gpu < b.gpu || (a.gpu == b.gpu && a.pim < b.pim); });
    double min_pim = infinite;
    std::size_t kept = 0;
    for (const Pair& pair : pairs) {
      if (pair.pim >= min_pim) continue;
      min_pim = pair.pim;
      pairs[kept++] = pair;
    }
    pairs.resize(kept);
  }

  std::span<const OpenClass> classes_;
  std::size_t begin_ = 0;
  std::size_t end_;
  std::size_t pairs_left_;
  std::vector<double> gpu_sum_;
  std::vector<double> pim_sum_;
  /// The classes in the order in which they are decided, and the front after each of them.
  std::vector<std::size_t> order_;
  std::vector<std::vector<Pair>> layers_;
  double least_ = infinite;
  std::vector<std::size_t> best_;
};

void validate_classes(std::span<const ExpertClass> classes, double gpu_base, double pim_base) {
  const auto require = [](double seconds, const char* what) {
    if (!(seconds >= 0)) throw PointError(fmt::format("{} takes {} s; allowed are times of at least 0", what, seconds));
  };
  require(gpu_base, "other work on the GPU");
  require(pim_base, "other work on PIM");
  for (const ExpertClass& expert : classes) {
    require(expert.gpu_seconds, "an expert on the GPU");
    require(expert.pim_seconds, "an expert on PIM");
  }
}

}  // namespace

ExpertSplit split_experts(std::span<const ExpertClass> classes, double gpu_base, double pim_base,
                          std::size_t max_pairs) {
  validate_classes(classes, gpu_base, pim_base);
  std::vector<std::size_t> on_gpu(classes.size(), 0);
  std::vector<OpenClass> open;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const ExpertClass& expert = classes[c];
    if (expert.count == 0) continue;
    // Experts that are free on one side or impossible on the other are assigned first.
    if (expert.pim_seconds == 0 || expert.gpu_seconds == infinite) {
      pim_base += static_cast<double>(expert.count) * expert.pim_seconds;
    } else if (expert.gpu_seconds == 0 || expert.pim_seconds == infinite) {
      gpu_base += static_cast<double>(expert.count) * expert.gpu_seconds;
      on_gpu[c] = expert.count;
    } else {
      open.push_back({expert, c});
    }
  }
  if (open.empty() || gpu_base == infinite || pim_base == infinite) {
    const double seconds = std::max(gpu_base, pim_base);
    return {.on_gpu = std::move(on_gpu), .seconds = seconds, .lower_bound = seconds, .proven = true};
  }
  std::ranges::stable_sort(open, std::ranges::greater(), &OpenClass::preference);
  ExpertSplit split = ExpertSearch(open, gpu_base, pim_base, max_pairs).run();
  for (std::size_t i = 0; i < open.size(); ++i) on_gpu[open[i].index] = split.on_gpu[i];
  split.on_gpu = std::move(on_gpu);
  return split;
}

}  // namespace pimsweep::systems::llm::schedule
