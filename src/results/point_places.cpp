#include "results/point_places.h"

#include <fmt/format.h>

#include <algorithm>

namespace pimsweep::results {

namespace {

std::vector<std::string> told_axes(const std::string& results_file, const std::string& study,
                                   const std::vector<std::string>& left_out) {
  std::vector<std::string> axes = varying_axes(results_file, study);
  std::erase_if(axes, [&](const std::string& axis) { return std::ranges::find(left_out, axis) != left_out.end(); });
  return axes;
}

/// Cuts the list and returns how many axes are gone.
std::size_t cut(std::vector<std::string>& axes, std::size_t max_axes) {
  if (max_axes == 0 || axes.size() <= max_axes) return 0;
  const std::size_t gone = axes.size() - max_axes;
  axes.resize(max_axes);
  return gone;
}

}  // namespace

PointPlaces::PointPlaces(const std::string& results_file, const std::string& study,
                         const std::vector<std::string>& left_out, std::size_t max_axes)
    : axes_(told_axes(results_file, study, left_out)),
      untold_(cut(axes_, max_axes)),
      cells_(results_file, study, axes_) {}

std::string PointPlaces::text(std::uint64_t point) {
  const std::vector<std::string> cells = cells_.brief(point);
  std::string text;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", axes_[i], cells[i]);
  }
  return untold_ == 0 ? text : fmt::format("{} and {} more", text, untold_);
}

}  // namespace pimsweep::results
