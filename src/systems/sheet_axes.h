#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.h"
#include "systems/system.h"

/// The columns of the measured sheets (results/reference/measured) as axes, for systems of single kernels.
namespace pimsweep::systems::sheet {

/// In the order of axes().
enum AxisIndex : std::size_t {
  kind,
  device,
  precision,
  pass,
  size_m,
  size_n,
  size_k,
  trans_a,
  trans_b,
  width,
  height,
  channels,
  filter_h,
  filter_w,
  pad_h,
  pad_w,
  stride_h,
  stride_w,
  cell,
  hidden,
  batch,
  timesteps,
  inputs,
  axis_count
};

/// A count of up to 10^8.
Axis size_axis(std::string name, std::int64_t default_value, double min, std::string doc);

/// `kinds`: what can be computed. `device_is`: what a row was measured on ("card"). `pass_doc`: what `pass` chooses.
std::vector<Axis> axes(std::vector<std::string> kinds, const std::string& device_is, std::string pass_doc);

/// Throws PointError if the point is a row that was measured on another device than `name`.
void check_device(const Point& point, const std::string& name);

/// Gates of the point's recurrent cell: 1 vanilla, 3 GRU, 4 LSTM.
double gates_of(const Point& point);

/// The point's convolution or pooling. Throws PointError if the filter does not fit.
template <typename Shape>
Shape convolution_of(const Point& p) {
  const Shape shape{.width = p.real(width),
                    .height = p.real(height),
                    .channels = p.real(channels),
                    .batch = p.real(size_n),
                    .filters = p.real(size_k),
                    .filter_height = p.real(filter_h),
                    .filter_width = p.real(filter_w),
                    .pad_height = p.real(pad_h),
                    .pad_width = p.real(pad_w),
                    .stride_height = p.real(stride_h),
                    .stride_width = p.real(stride_w)};
  if (shape.out_height() < 1 || shape.out_width() < 1) {
    throw PointError(fmt::format("the filter of {} x {} is larger than the padded input of {} x {}",
                                 shape.filter_height, shape.filter_width, shape.height + 2 * shape.pad_height,
                                 shape.width + 2 * shape.pad_width));
  }
  return shape;
}

}  // namespace pimsweep::systems::sheet
