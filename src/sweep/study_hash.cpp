#include "base/bytes.h"
#include "sweep/study.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

namespace {

// Every item is prefixed with its length or type, so that different studies cannot have equal encodings.

void append_value(std::string& bytes, const Value& value) {
  append_number(bytes, static_cast<std::uint8_t>(value.index()));
  switch (type_of(value)) {
    case ValueType::integer:
      append_number(bytes, std::get<std::int64_t>(value));
      break;
    case ValueType::real:
      append_number(bytes, std::get<double>(value));
      break;
    case ValueType::boolean:
      append_number(bytes, std::get<bool>(value));
      break;
    case ValueType::text:
      append_text(bytes, std::get<std::string>(value));
      break;
  }
}

void append_values(std::string& bytes, const std::vector<Value>& values) {
  append_number(bytes, std::uint64_t{values.size()});
  for (const Value& value : values) append_value(bytes, value);
}

void append_choice(std::string& bytes, const Factor::Column& column) {
  if (column.choice == nullptr) return;
  append_text(bytes, "choice");
  for (const std::uint32_t place : *column.choice) append_number(bytes, place);
}

struct RangeAppender {
  std::string& bytes;

  void operator()(const IntegerGrid& grid) const {
    append_number(bytes, grid.from);
    append_number(bytes, grid.step);
    append_number(bytes, grid.count);
  }
  void operator()(const RealGrid& grid) const {
    append_number(bytes, grid.from);
    append_number(bytes, grid.to);
    append_number(bytes, grid.step);
    append_number(bytes, grid.count);
  }
  void operator()(const RealInterval& range) const {
    append_number(bytes, range.from);
    append_number(bytes, range.to);
  }
  void operator()(const LogScale& scale) const {
    append_number(bytes, scale.start);
    append_number(bytes, scale.from);
    append_number(bytes, scale.to);
    append_number(bytes, scale.count);
    append_number(bytes, scale.whole);
    for (const auto& digits : scale.power) append_number(bytes, digits[1]);
  }
  void operator()(const LogNormal& range) const { (*this)(range.scale); }
  void operator()(const std::vector<Value>& values) const { append_values(bytes, values); }
};

void append_sampled(std::string& bytes, const SampledColumn& column) {
  append_number(bytes, std::uint64_t{column.axis});
  append_number(bytes, static_cast<std::uint8_t>(column.range.index()));
  std::visit(RangeAppender{bytes}, column.range);
}

void append_search(std::string& bytes, const SearchSettings& search) {
  append_text(bytes, "search");
  append_text(bytes, word_of(search_algorithm_words, search.algorithm));
  append_number(bytes, search.seed);
  append_number(bytes, search.population);
  append_number(bytes, search.points);
  for (const SearchObjective& objective : search.objectives) {
    append_text(bytes, objective.expression.text);
    append_number(bytes, static_cast<std::uint8_t>(objective.maximize));
  }
  for (const auto* conditions : {&search.where, &search.constraints}) {
    append_number(bytes, std::uint64_t{conditions->size()});
    for (const PlacedText& condition : *conditions) append_text(bytes, condition.text);
  }
}

}  // namespace

Hash128 Study::hash() const {
  std::string bytes;
  append_text(bytes, data_->id);
  append_text(bytes, data_->schema->name);
  append_number(bytes, data_->schema->version);
  append_number(bytes, std::uint64_t{data_->schema->axes.size()});
  for (const systems::Axis& axis : data_->schema->axes) append_text(bytes, axis.name);
  append_values(bytes, data_->constants);
  append_number(bytes, std::uint64_t{data_->factors.size()});
  for (const Factor& factor : data_->factors) {
    append_number(bytes, factor.size);
    append_number(bytes, std::uint64_t{factor.columns.size()});
    for (const Factor::Column& column : factor.columns) {
      append_number(bytes, std::uint64_t{column.axis});
      append_values(bytes, column.values);
      append_choice(bytes, column);
    }
  }
  append_number(bytes, std::uint64_t{data_->carried.size()});
  for (std::size_t i = 0; i < data_->carried.size(); ++i) {
    append_text(bytes, data_->carried[i].name);
    append_number(bytes, static_cast<std::uint8_t>(data_->carried[i].role));
    append_values(bytes, data_->carried_values[i]);
  }
  // Studies without these keep the hash that they had before these features existed.
  if (data_->sample) {
    append_text(bytes, "sample");
    append_text(bytes, name_of(data_->sample->method));
    append_number(bytes, data_->sample->seed);
    const std::vector<SampledColumn>& sampled = data_->factors.front().sampled;
    append_number(bytes, std::uint64_t{sampled.size()});
    for (const SampledColumn& column : sampled) append_sampled(bytes, column);
  }
  if (data_->machines) {
    append_text(bytes, "uncertainty");
    append_number(bytes, std::uint64_t{data_->machines->constants.size()});
    for (const SampledMachines::Constant& constant : data_->machines->constants) {
      append_number(bytes, std::uint64_t{constant.axis});
      append_values(bytes, constant.values);
    }
  }
  if (!data_->conditions.empty()) {
    append_text(bytes, "where");
    append_number(bytes, std::uint64_t{data_->conditions.size()});
    for (const std::string& condition : data_->conditions) append_text(bytes, condition);
  }
  if (data_->search) append_search(bytes, *data_->search);
  for (const auto& network : data_->networks) {
    append_text(bytes, network->name);
    append_text(bytes, network->model.content.text());
  }
  return hash128(bytes);
}

}  // namespace pimsweep::sweep
