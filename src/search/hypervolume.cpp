#include "search/hypervolume.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace pimsweep::search {

namespace {

/// The area dominated by points of a plane, kept as a staircase: the second coordinate falls as the first one rises.
class DominatedArea {
 public:
  DominatedArea(double first_end, double second_end) : first_end_(first_end), second_end_(second_end) {}

  double area() const { return area_; }

  /// A point below both ends.
  void add(double first, double second) {
    auto step = steps_.upper_bound(first);
    double height = step == steps_.begin() ? second_end_ : std::prev(step)->second;
    if (height <= second) return;
    // Adds the newly dominated area, from the point to the first lower step.
    double left = first;
    while (step != steps_.end() && step->second >= second) {
      area_ += (step->first - left) * (height - second);
      left = step->first;
      height = step->second;
      step = steps_.erase(step);
    }
    area_ += ((step == steps_.end() ? first_end_ : step->first) - left) * (height - second);
    steps_.insert_or_assign(first, second);
  }

 private:
  double first_end_;
  double second_end_;
  std::map<double, double> steps_;
  double area_ = 0;
};

}  // namespace

double hypervolume(std::vector<std::vector<double>> designs, const std::vector<double>& reference) {
  const std::size_t objectives = reference.size();
  std::erase_if(designs, [&](const std::vector<double>& design) {
    return !std::equal(design.begin(), design.end(), reference.begin(), [](double a, double b) { return a < b; });
  });
  // Missing objectives are padded with a constant: the volume has height 1 there.
  const auto number = [&](const std::vector<double>& design, std::size_t i) {
    return i < objectives ? design[i] : 0.0;
  };
  const auto end = [&](std::size_t i) { return i < objectives ? reference[i] : 1.0; };
  std::sort(designs.begin(), designs.end(), [&](const auto& a, const auto& b) { return number(a, 2) < number(b, 2); });
  DominatedArea slice(end(0), end(1));
  double volume = 0;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    slice.add(number(designs[i], 0), number(designs[i], 1));
    const double next = i + 1 < designs.size() ? number(designs[i + 1], 2) : end(2);
    volume += slice.area() * (next - number(designs[i], 2));
  }
  return volume;
}

}  // namespace pimsweep::search
