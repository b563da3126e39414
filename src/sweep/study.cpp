#include "sweep/study_data.h"

namespace pimsweep {

const std::string& Study::id() const { return data_->id; }
const std::string& Study::doc() const { return data_->doc; }
const std::string& Study::system() const { return data_->schema->name; }
const Schema& Study::schema() const { return *data_->schema; }
const HardwareFile* Study::hardware() const { return data_->hardware.get(); }
std::uint64_t Study::size() const { return data_->size; }
std::string Study::value_source(std::size_t axis) const { return data_->sources.at(axis); }
bool Study::varies(std::size_t axis) const { return data_->varies.at(axis); }
const std::vector<CarriedColumn>& Study::carried() const { return data_->carried; }

void Study::point(std::uint64_t index, Point& point) const {
  for (std::size_t axis = 0; axis < data_->constants.size(); ++axis) point.set(axis, &data_->constants[axis]);
  for (std::size_t f = 0; f < data_->factors.size(); ++f) {
    const Factor& factor = data_->factors[f];
    const std::uint64_t digit = index / data_->strides[f] % factor.size;
    for (const Factor::Column& column : factor.columns) point.set(column.axis, &column.values[digit]);
  }
}

const Value& Study::carried_value(std::size_t column, std::uint64_t index) const {
  // The point table is the last factor, so its stride is 1.
  return data_->carried_values[column][index % data_->factors.back().size];
}

}  // namespace pimsweep
