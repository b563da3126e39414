#include "sweep/study_data.h"

#include <algorithm>
#include <limits>

#include "base/downward.h"

namespace pimsweep::sweep {

namespace {

bool varies(const Factor::Column& column) {
  return std::any_of(column.values.begin(), column.values.end(),
                     [&](const Value& value) { return value != column.values[0]; });
}

/// True if the points of the sample have different values, which shows within a few points unless all are equal.
bool varies(const SampledColumn& column, std::uint64_t points, std::size_t axes) {
  if (is_single(column.range)) return false;
  systems::Point first(axes);
  systems::Point other(axes);
  column.put(0, first);
  for (std::uint64_t n = 1; n < points; ++n) {
    column.put(n, other);
    if (other[column.axis] != first[column.axis]) return true;
  }
  return false;
}

}  // namespace

void Factor::set(std::uint64_t step, systems::Point& point) const {
  for (const Column& column : columns) point.set(column.axis, &column.at(step));
  for (const SampledColumn& column : sampled) column.put(step, point);
}

void StudyData::set_factors(std::uint64_t product_index, systems::Point& point) const {
  // As digit() does, with one division for each factor.
  std::uint64_t rest = product_index;
  for (const std::size_t f : downward(factors.size())) {
    factors[f].set(f == 0 ? rest : rest % factors[f].size, point);
    rest /= factors[f].size;
  }
  if (machines) set_sampled_constants(product_index, point);
}

void StudyData::set_sampled_constants(std::uint64_t product_index, systems::Point& point) const {
  const std::uint64_t draw = digit(product_index, factors.size() - 1);
  if (draw == 0) return;
  for (const SampledMachines::Constant& constant : machines->constants) {
    const std::uint64_t file = constant.file_factor ? (*constant.file)[digit(product_index, *constant.file_factor)] : 0;
    point.set(constant.axis, &constant.values[file * machines->count + draw - 1]);
  }
}

bool is_whole(const StudyData& data) {
  return std::all_of(data.factors.begin(), data.factors.end(), [](const Factor& factor) {
    return factor.size > 0 && std::all_of(factor.columns.begin(), factor.columns.end(),
                                          [&](const Factor::Column& column) { return column.steps() == factor.size; });
  });
}

bool multiply(StudyData& data, const SourcePosition& where, ProblemList& problems) {
  data.strides.assign(data.factors.size(), 1);
  for (const std::size_t f : downward(data.factors.size())) {
    const Factor& factor = data.factors[f];
    data.strides[f] = data.size;
    if (data.size > std::uint64_t{std::numeric_limits<std::int64_t>::max()} / factor.size) {
      problems.add(where, "the study has more than 2^63 points");
      return false;
    }
    data.size *= factor.size;
    for (const Factor::Column& column : factor.columns) data.varies[column.axis] = varies(column);
    for (const SampledColumn& column : factor.sampled) {
      data.varies[column.axis] = varies(column, factor.size, data.varies.size());
    }
  }
  if (!data.machines) return true;
  for (const SampledMachines::Constant& constant : data.machines->constants) {
    const Value& first = constant.values.front();
    const bool moves = first != data.constants[constant.axis] ||
                       std::ranges::any_of(constant.values, [&](const Value& value) { return value != first; });
    data.varies[constant.axis] = data.varies[constant.axis] || moves;
  }
  return true;
}

}  // namespace pimsweep::sweep
