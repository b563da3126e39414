#include "sweep/study_data.h"

namespace pimsweep::sweep {

const std::string& Study::id() const { return data_->id; }
const std::string& Study::doc() const { return data_->doc; }
const std::string& Study::system() const { return data_->schema->name; }
const systems::Schema& Study::schema() const { return *data_->schema; }
const HardwareFile* Study::hardware() const { return data_->hardware.get(); }
std::uint64_t Study::size() const { return data_->kept ? data_->kept->size() : data_->size; }
std::string Study::value_source(std::size_t axis) const { return data_->sources.at(axis); }
bool Study::varies(std::size_t axis) const { return data_->varies.at(axis); }
const std::vector<CarriedColumn>& Study::carried() const { return data_->carried; }

void Study::Data::set_factors(std::uint64_t product_index, systems::Point& point) const {
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const std::uint64_t place = digit(product_index, f);
    for (const Factor::Column& column : factors[f].columns) point.set(column.axis, &column.values[place]);
    for (const SampledColumn& column : factors[f].sampled) column.put(place, point);
  }
}

void Study::point(std::uint64_t index, systems::Point& point) const {
  for (std::size_t axis = 0; axis < data_->constants.size(); ++axis) point.set(axis, &data_->constants[axis]);
  data_->set_factors(data_->product_index(index), point);
}

const Value& Study::carried_value(std::size_t column, std::uint64_t index) const {
  return data_->carried_values[column][data_->digit(data_->product_index(index), data_->factors.size() - 1)];
}

}  // namespace pimsweep::sweep
