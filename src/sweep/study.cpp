#include "sweep/study.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/splitmix64.h"
#include "sweep/hardware_axis.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// The points of the product that a search has chosen, by their index in the search.
class ChosenPoints {
 public:
  void choose(std::uint64_t index, std::uint64_t product_index) {
    if (index >= products_.size()) products_.resize(index + 1, Study::not_chosen);
    products_[index] = product_index;
  }
  std::uint64_t product_index(std::uint64_t index) const {
    return index < products_.size() ? products_[index] : Study::not_chosen;
  }

 private:
  std::vector<std::uint64_t> products_;
};

const std::string& Study::id() const { return data_->id; }
const std::string& Study::origin() const { return data_->origin; }
const std::string& Study::doc() const { return data_->doc; }
const std::string& Study::system() const { return data_->schema->name; }
const systems::Schema& Study::schema() const { return *data_->schema; }
const std::vector<std::shared_ptr<const HardwareFile>>& Study::hardware() const { return data_->hardware; }
const std::vector<DerivedMetric>& Study::derived() const { return data_->derived; }
const DefinitionTexts& Study::definitions() const { return data_->definitions; }

Study::Study(std::shared_ptr<const StudyData> data) : data_(std::move(data)) {
  if (data_->search) chosen_ = std::make_shared<ChosenPoints>();
}

std::uint64_t Study::size() const {
  if (chosen_ == nullptr) return data_->kept ? data_->kept->size() : data_->size;
  const SearchSettings& search = *data_->search;
  return std::min(search.points, search.space) * (search.recheck.empty() ? 1 : 2);
}

const SearchSettings* Study::search() const { return chosen_ == nullptr ? nullptr : &*data_->search; }

const Calibration* Study::calibration() const { return data_->calibration ? &*data_->calibration : nullptr; }

const Study* Study::rows() const { return data_->rows.get(); }

Study Study::space() const {
  Study space = *this;
  space.chosen_ = nullptr;
  return space;
}

void Study::choose(std::uint64_t index, std::uint64_t product_index) const { chosen_->choose(index, product_index); }

std::uint64_t Study::chosen(std::uint64_t index) const { return chosen_->product_index(index); }

std::uint64_t Study::product_index(std::uint64_t index) const {
  if (chosen_ == nullptr) return data_->product_index(index);
  const std::uint64_t product_index = chosen_->product_index(index);
  return product_index == not_chosen ? SplitMix64::mix(index) % data_->search->space : product_index;
}

bool Study::is_drawn(std::size_t axis) const {
  return data_->machines && std::ranges::find(data_->machines->constants, axis, &SampledMachines::Constant::axis) !=
                                data_->machines->constants.end();
}
bool Study::varies(std::size_t axis) const { return data_->varies.at(axis); }
const std::vector<CarriedColumn>& Study::carried() const { return data_->carried; }

const SourcePosition& Study::model_place(std::string_view model) const {
  const auto found = data_->model_places.find(model);
  return found == data_->model_places.end() ? data_->where : found->second;
}

bool Study::follows_hardware(std::size_t axis) const {
  return data_->origins.at(axis).kind == systems::ValueOrigin::Kind::hardware;
}

namespace {

const systems::ValueOrigin built_in{systems::ValueOrigin::Kind::built_in, "default"};

/// Source of the value of an axis in a hardware file.
std::string source_in(const HardwareFile& file, const systems::Axis& axis) {
  const HardwareConstant* constant = file.find(axis);
  return fmt::format("hardware {}: {}", file.short_name, constant == nullptr ? "default" : constant->source);
}

/// The hardware files of the section that an axis belongs to.
std::vector<std::shared_ptr<const HardwareFile>> files_of(const StudyData& data, const systems::Axis& axis) {
  const bool has_memories =
      std::ranges::any_of(data.hardware, [](const auto& file) { return file->section == memory_section; });
  const std::string_view section = has_memories && is_memory_constant(axis) ? memory_section : "";
  std::vector<std::shared_ptr<const HardwareFile>> files = data.hardware;
  std::erase_if(files, [&](const auto& file) { return file->section != section; });
  return files;
}

}  // namespace

systems::ValueOrigin Study::origin_of(std::size_t axis) const {
  if (!follows_hardware(axis)) return data_->origins[axis];
  const systems::Axis& described = schema().axes[axis];
  const auto files = files_of(*data_, described);
  const bool any = std::ranges::any_of(files, [&](const auto& file) { return file->find(described) != nullptr; });
  if (!any) return built_in;
  std::vector<std::string> sources;
  sources.reserve(files.size());
  for (const auto& file : files) sources.push_back(source_in(*file, described));
  return {systems::ValueOrigin::Kind::hardware, fmt::format("{}", fmt::join(sources, "; "))};
}

systems::ValueOrigin Study::origin_of(std::size_t axis, const systems::Point& point) const {
  if (!follows_hardware(axis)) return data_->origins[axis];
  const systems::Axis& described = schema().axes[axis];
  for (const auto& file : files_of(*data_, described)) {
    const std::string_view of_files = file->section.empty() ? hardware_axis : memory_axis;
    const std::string& name = point.text(static_cast<std::size_t>(schema().axis_index(of_files)));
    if (file->short_name == name && file->find(described) != nullptr)
      return {systems::ValueOrigin::Kind::hardware, source_in(*file, described)};
  }
  return built_in;
}

void Study::point(std::uint64_t index, systems::Point& point) const {
  for (std::size_t axis = 0; axis < data_->constants.size(); ++axis) point.set(axis, &data_->constants[axis]);
  data_->set_factors(product_index(index), point);
}

const Value& Study::carried_value(std::size_t column, std::uint64_t index) const {
  return data_->carried_values[column][data_->digit(product_index(index), data_->table_factor)];
}

}  // namespace pimsweep::sweep
