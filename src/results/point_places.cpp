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

}  // namespace

PointPlaces::PointPlaces(const std::string& results_file, const std::string& study,
                         const std::vector<std::string>& left_out)
    : axes_(told_axes(results_file, study, left_out)), cells_(results_file, study, axes_) {}

std::string PointPlaces::text(std::uint64_t point) {
  const std::vector<std::string> cells = cells_.brief(point);
  std::string text;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    text += fmt::format("{}{} {}", i == 0 ? "" : ", ", axes_[i], cells[i]);
  }
  return text;
}

}  // namespace pimsweep::results
