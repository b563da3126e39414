#include "sweep/point_filter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cfenv>

#include "base/downward.h"
#include "base/quantity.h"
#include "base/slow_work.h"

namespace pimsweep::sweep {

namespace {

/// Truth table of a condition over the factors that it uses.
class ConditionTable {
 public:
  ConditionTable(const StudyData& data, Condition condition)
      : data_(data), condition_(std::move(condition)), point_(data.constants.size()) {
    for (std::size_t axis = 0; axis < data_.constants.size(); ++axis) point_.set(axis, &data_.constants[axis]);
    strides_.resize(data_.factors.size(), 0);
    for (const std::size_t f : downward(data_.factors.size())) {
      operands_.insert(operands_.begin(), operands_of(data_.factors[f]));
      if (operands_.front().empty()) continue;
      strides_[f] = size_;
      size_ *= data_.factors[f].size;
    }
  }

  /// Distance in the table for one step of factor f; 0 if the condition does not use the factor.
  std::uint64_t stride(std::size_t f) const { return strides_[f]; }

  /// Evaluates the condition for all combinations. Empty if its value is not a truth value for one of them (reported).
  std::optional<BitSet> evaluate(ProblemList& problems) {
    const std::vector<std::size_t>& axes = condition_.axes();
    for (std::size_t i = 0; i < axes.size(); ++i) condition_.set(i, condition_.number(data_.constants[axes[i]]));
    std::vector<std::uint64_t> digits(data_.factors.size(), 0);
    for (std::size_t f = 0; f < digits.size(); ++f) load(f, 0);
    BitSet fulfilled(size_);
    std::feclearexcept(FE_INVALID);
    SlowWork work(fmt::format("trying combinations of 'where' in {}", condition_.text().where.text()), size_);
    for (std::uint64_t i = 0; i < size_; ++i) {
      work.at(i);
      const double truth = condition_.evaluate();
      const bool is_number = std::fetestexcept(FE_INVALID) == 0;
      if (!is_number || (truth != 0.0 && truth != 1.0)) {
        problems.add(condition_.text().where, complaint(is_number, truth));
        return std::nullopt;
      }
      if (truth != 0.0) fulfilled.insert(i);
      advance(digits);
    }
    return fulfilled;
  }

 private:
  /// An operand of the condition that a factor sets.
  struct Operand {
    std::size_t index;
    std::size_t axis;
    /// The operand's number at each step of a column; empty for a sampled axis, which is computed.
    std::vector<double> numbers;
    const Factor::Column* column;
    const SampledColumn* sampled;
  };

  std::vector<Operand> operands_of(const Factor& factor) {
    std::vector<Operand> operands;
    const std::vector<std::size_t>& axes = condition_.axes();
    for (std::size_t i = 0; i < axes.size(); ++i) {
      for (const Factor::Column& column : factor.columns) {
        if (column.axis != axes[i]) continue;
        Operand& operand = operands.emplace_back(Operand{i, axes[i], {}, &column, nullptr});
        for (std::uint64_t step = 0; step < factor.size; ++step) {
          operand.numbers.push_back(condition_.number(column.at(step)));
        }
      }
      for (const SampledColumn& column : factor.sampled) {
        if (column.axis == axes[i]) operands.push_back({i, axes[i], {}, nullptr, &column});
      }
    }
    return operands;
  }

  void load(std::size_t f, std::uint64_t digit) {
    for (const Operand& operand : operands_[f]) {
      if (operand.sampled == nullptr) {
        point_.set(operand.axis, &operand.column->at(digit));
        condition_.set(operand.index, operand.numbers[digit]);
      } else {
        operand.sampled->put(digit, point_);
        condition_.set(operand.index, condition_.number(point_[operand.axis]));
      }
    }
  }

  /// Advances to the next combination of the used factors, the last one fastest.
  void advance(std::vector<std::uint64_t>& digits) {
    for (const std::size_t f : downward(digits.size())) {
      if (operands_[f].empty()) continue;
      digits[f] = digits[f] + 1 == data_.factors[f].size ? 0 : digits[f] + 1;
      load(f, digits[f]);
      if (digits[f] != 0) return;
    }
  }

  std::string complaint(bool is_number, double truth) const {
    std::vector<std::string> values;
    for (const std::size_t axis : condition_.axes()) {
      const Value& value = point_[axis];
      const bool is_quantity = type_of(value) == ValueType::integer || type_of(value) == ValueType::real;
      const systems::Axis& about = data_.schema->axes[axis];
      values.push_back(fmt::format("{} = {}", about.name,
                                   is_quantity ? format_quantity(to_real(value), about.unit) : to_text(value)));
    }
    const std::string_view where = values.empty() ? "" : " at ";
    if (!is_number) {
      return fmt::format(
          "the condition is not a number{}{}: it divides zero by zero or leaves the domain of a function", where,
          fmt::join(values, ", "));
    }
    return fmt::format("the condition must be true or false, but is {}{}{}: compare it with something", truth, where,
                       fmt::join(values, ", "));
  }

  const StudyData& data_;
  Condition condition_;
  /// The combination being evaluated.
  systems::Point point_;
  /// Operands that each factor sets.
  std::vector<std::vector<Operand>> operands_;
  std::vector<std::uint64_t> strides_;
  std::uint64_t size_ = 1;
};

/// Points of the product for which all tables are true.
BitSet join(const StudyData& data, const std::vector<ConditionTable>& tables, const std::vector<BitSet>& fulfilled) {
  BitSet kept(data.size);
  std::vector<std::uint64_t> digits(data.factors.size(), 0);
  std::vector<std::uint64_t> rows(tables.size(), 0);
  SlowWork work(fmt::format("choosing the points of study '{}'", data.id), data.size);
  for (std::uint64_t point = 0; point < data.size; ++point) {
    work.at(point);
    bool keep = true;
    for (std::size_t t = 0; t < tables.size(); ++t) keep = keep && fulfilled[t].contains(rows[t]);
    if (keep) kept.insert(point);
    for (const std::size_t f : downward(digits.size())) {
      if (++digits[f] < data.factors[f].size) {
        for (std::size_t t = 0; t < tables.size(); ++t) rows[t] += tables[t].stride(f);
        break;
      }
      digits[f] = 0;
      for (std::size_t t = 0; t < tables.size(); ++t) rows[t] -= tables[t].stride(f) * (data.factors[f].size - 1);
    }
  }
  return kept;
}

/// An axis that takes several values in the product may keep only one.
void find_varying(StudyData& data) {
  std::vector<std::size_t> open;
  for (std::size_t axis = 0; axis < data.varies.size(); ++axis) {
    if (data.varies[axis]) open.push_back(axis);
    data.varies[axis] = false;
  }
  systems::Point first(data.varies.size());
  systems::Point point(data.varies.size());
  data.set_factors(data.kept->member(0), first);
  for (std::uint64_t index = data.kept->member(0); index < data.size && !open.empty(); ++index) {
    if (!data.kept->contains(index)) continue;
    data.set_factors(index, point);
    std::erase_if(open, [&](std::size_t axis) {
      if (point[axis] != first[axis]) data.varies[axis] = true;
      return data.varies[axis];
    });
  }
}

}  // namespace

bool take_shard(StudyData& data, const Shard& shard, const SourcePosition& where, ProblemList& problems) {
  if (data.search || data.size > max_filtered_points) {
    problems.add(where, data.search ? std::string("--shard: the points of a search depend on each other")
                                    : fmt::format("--shard supports products of at most {} points, this one has {}",
                                                  max_filtered_points, data.size));
    return false;
  }
  const std::uint64_t machines = data.machines ? data.machines->count + 1 : 1;
  BitSet kept(data.size);
  std::uint64_t designs = 0;
  std::uint64_t last = ~std::uint64_t{0};
  for (std::uint64_t product = 0; product < data.size; ++product) {
    if (data.kept && !data.kept->contains(product)) continue;
    if (product / machines != last) {
      last = product / machines;
      ++designs;
    }
    const std::uint64_t design = designs - 1;
    // Each round begins with another shard, so that a list as long as there are shards does not give each one value.
    if ((design + design / shard.count) % shard.count + 1 == shard.number) kept.insert(product);
  }
  data.kept.emplace(std::move(kept));
  if (data.kept->size() == 0) return false;
  // Part of the hash of the study, whose points are numbered differently.
  data.conditions.push_back(fmt::format("shard {}/{}", shard.number, shard.count));
  find_varying(data);
  return true;
}

void filter_points(StudyData& data, std::vector<Condition> conditions, ProblemList& problems) {
  const SourcePosition where = conditions.front().text().where;
  if (data.size > max_filtered_points) {
    problems.add(where, fmt::format("'where' supports products of at most {} points, this one has {}",
                                    max_filtered_points, data.size));
    return;
  }
  std::vector<ConditionTable> tables;
  std::vector<BitSet> fulfilled;
  tables.reserve(conditions.size());
  for (Condition& condition : conditions) {
    data.conditions.push_back(condition.text().text);
    if (auto truths = tables.emplace_back(data, std::move(condition)).evaluate(problems)) {
      fulfilled.push_back(std::move(*truths));
    }
  }
  if (fulfilled.size() < tables.size()) return;
  data.kept.emplace(join(data, tables, fulfilled));
  if (data.kept->size() == 0) {
    problems.add(where, fmt::format("'where' keeps none of the {} points", data.size));
    return;
  }
  find_varying(data);
}

}  // namespace pimsweep::sweep
