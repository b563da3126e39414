#include <bit>

#include "sweep/study_data.h"

namespace pimsweep {

namespace {

/// Bytes in which every item carries its length or type, so that no two different studies run together.
class Canonical {
 public:
  void add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) bytes_ += static_cast<char>(number >> shift & 0xFF);
  }
  void add(const std::string& text) {
    add(text.size());
    bytes_ += text;
  }
  void add(const Value& value) {
    add(value.index());
    switch (type_of(value)) {
      case ValueType::integer:
        add(std::bit_cast<std::uint64_t>(std::get<std::int64_t>(value)));
        break;
      case ValueType::real:
        add(std::bit_cast<std::uint64_t>(std::get<double>(value)));
        break;
      case ValueType::boolean:
        add(std::uint64_t{std::get<bool>(value)});
        break;
      case ValueType::text:
        add(std::get<std::string>(value));
        break;
    }
  }
  void add(const std::vector<Value>& values) {
    add(values.size());
    for (const Value& value : values) add(value);
  }
  Hash128 hash() const { return hash128(bytes_); }

 private:
  std::string bytes_;
};

}  // namespace

Hash128 Study::hash() const {
  Canonical canonical;
  canonical.add(data_->id);
  canonical.add(data_->schema->name);
  canonical.add(static_cast<std::uint64_t>(data_->schema->version));
  canonical.add(data_->schema->axes.size());
  for (const Axis& axis : data_->schema->axes) canonical.add(axis.name);
  canonical.add(data_->constants);
  canonical.add(data_->factors.size());
  for (const Factor& factor : data_->factors) {
    canonical.add(factor.size);
    canonical.add(factor.columns.size());
    for (const Factor::Column& column : factor.columns) {
      canonical.add(column.axis);
      canonical.add(column.values);
    }
  }
  canonical.add(data_->carried.size());
  for (std::size_t i = 0; i < data_->carried.size(); ++i) {
    canonical.add(data_->carried[i].name);
    canonical.add(static_cast<std::uint64_t>(data_->carried[i].role));
    canonical.add(data_->carried_values[i]);
  }
  return canonical.hash();
}

}  // namespace pimsweep
