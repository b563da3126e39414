#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/downward.h"
#include "sweep/study.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

namespace {

/// Maximum number of visited steps of a factor, and of visited points of a study with conditions.
constexpr std::uint64_t max_visited = 1U << 20U;

/// The steps of a factor, grouped by the values of some axes.
struct Projection {
  /// The first step of each group.
  std::vector<std::uint64_t> steps;
  /// The group of each step; empty if there is one group.
  std::vector<std::uint32_t> groups;
  bool complete = true;
};

/// The axes among `axes` that a factor sets.
std::vector<std::size_t> axes_of(const Factor& factor, const std::vector<std::size_t>& axes) {
  std::vector<std::size_t> own;
  for (const std::size_t axis : axes) {
    const auto sets = [&](const auto& column) { return column.axis == axis; };
    if (std::ranges::any_of(factor.columns, sets) || std::ranges::any_of(factor.sampled, sets)) own.push_back(axis);
  }
  return own;
}

/// Stops after `limit` groups.
Projection project(const Factor& factor, const std::vector<std::size_t>& axes, std::size_t all_axes,
                   std::uint64_t limit) {
  const std::vector<std::size_t> own = axes_of(factor, axes);
  if (own.empty()) return {{0}, {}, true};
  Projection projection;
  const std::uint64_t visited = std::min(factor.size, max_visited);
  systems::Point point(all_axes);
  std::map<std::vector<Value>, std::uint32_t> known;
  for (std::uint64_t step = 0; step < visited && known.size() < limit; ++step) {
    factor.set(step, point);
    std::vector<Value> values;
    values.reserve(own.size());
    for (const std::size_t axis : own) values.push_back(point[axis]);
    const auto group = static_cast<std::uint32_t>(projection.steps.size());
    const auto [found, added] = known.emplace(std::move(values), group);
    if (added) projection.steps.push_back(step);
    projection.groups.push_back(found->second);
  }
  projection.complete = projection.groups.size() == factor.size;
  return projection;
}

using Projections = std::vector<Projection>;

std::uint64_t combination_count(const Projections& projections) {
  std::uint64_t size = 1;
  for (const Projection& projection : projections) size *= projection.steps.size();
  return size;
}

/// The representative point of a combination.
std::uint64_t point_of(std::uint64_t combination, const Projections& projections, const StudyData& data) {
  std::uint64_t point = 0;
  for (const std::size_t f : downward(projections.size())) {
    const std::vector<std::uint64_t>& steps = projections[f].steps;
    point += steps[combination % steps.size()] * data.strides[f];
    combination /= steps.size();
  }
  return point;
}

/// The combination of a point; empty if a step was not visited.
std::optional<std::uint64_t> combination_of(std::uint64_t point, const Projections& projections,
                                            const StudyData& data) {
  std::uint64_t combination = 0;
  for (std::size_t f = 0; f < projections.size(); ++f) {
    const Projection& projection = projections[f];
    combination *= projection.steps.size();
    if (projection.groups.empty()) continue;
    const std::uint64_t step = data.digit(point, f);
    if (step >= projection.groups.size()) return std::nullopt;
    combination += projection.groups[step];
  }
  return combination;
}

/// The combinations of a product without conditions; evenly spaced ones if there are too many.
void take_evenly(const Projections& projections, const StudyData& data, std::uint64_t limit,
                 Study::Combinations& result) {
  const std::uint64_t all = combination_count(projections);
  const std::uint64_t taken = std::min(all, limit);
  result.complete = result.complete && taken == all;
  for (std::uint64_t i = 0; i < taken; ++i) {
    const std::uint64_t combination = all / taken * i + all % taken * i / taken;
    result.points.push_back(point_of(combination, projections, data));
  }
}

/// The combinations that satisfy conditions; visits evenly spaced points if there are too many.
void take_kept(const Projections& projections, const StudyData& data, std::uint64_t limit,
               Study::Combinations& result) {
  const std::uint64_t size = data.kept->size();
  const std::uint64_t pace = (size + max_visited - 1) / max_visited;
  std::set<std::uint64_t> seen;
  bool skipped = pace > 1;
  for (std::uint64_t index = 0; index < size; index += pace) {
    const auto combination = combination_of(data.product_index(index), projections, data);
    if (!combination || seen.contains(*combination)) continue;
    if (seen.size() == limit) {
      skipped = true;
      break;
    }
    seen.insert(*combination);
    result.points.push_back(index);
  }
  result.complete = result.complete && (!skipped || seen.size() == combination_count(projections));
}

}  // namespace

Study::Combinations Study::combinations(const std::vector<std::size_t>& axes, std::uint64_t limit) const {
  Projections projections;
  projections.reserve(data_->factors.size());
  Combinations result;
  for (const Factor& factor : data_->factors) {
    projections.push_back(project(factor, axes, data_->constants.size(), limit));
    result.complete = result.complete && projections.back().complete;
  }
  const auto take = data_->kept ? take_kept : take_evenly;
  take(projections, *data_, limit, result);
  return result;
}

}  // namespace pimsweep::sweep
