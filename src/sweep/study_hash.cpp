#include "base/bytes.h"
#include "sweep/study_data.h"

namespace pimsweep {

namespace {

// Every item carries its length or type, so that no two different studies run together.

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

}  // namespace

Hash128 Study::hash() const {
  std::string bytes;
  append_text(bytes, data_->id);
  append_text(bytes, data_->schema->name);
  append_number(bytes, data_->schema->version);
  append_number(bytes, std::uint64_t{data_->schema->axes.size()});
  for (const Axis& axis : data_->schema->axes) append_text(bytes, axis.name);
  append_values(bytes, data_->constants);
  append_number(bytes, std::uint64_t{data_->factors.size()});
  for (const Factor& factor : data_->factors) {
    append_number(bytes, factor.size);
    append_number(bytes, std::uint64_t{factor.columns.size()});
    for (const Factor::Column& column : factor.columns) {
      append_number(bytes, std::uint64_t{column.axis});
      append_values(bytes, column.values);
    }
  }
  append_number(bytes, std::uint64_t{data_->carried.size()});
  for (std::size_t i = 0; i < data_->carried.size(); ++i) {
    append_text(bytes, data_->carried[i].name);
    append_number(bytes, static_cast<std::uint8_t>(data_->carried[i].role));
    append_values(bytes, data_->carried_values[i]);
  }
  return hash128(bytes);
}

}  // namespace pimsweep
