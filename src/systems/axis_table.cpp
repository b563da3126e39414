#include "systems/axis_table.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pimsweep::systems {

AxisList& AxisList::quantity(double& place, std::string name, std::string unit, double min, double max, std::string doc,
                             std::optional<double> default_value) {
  return add(&place, sizeof place,
             {std::move(name), ValueType::real, std::move(unit), as_value(default_value), min, max, {}, std::move(doc)},
             [](void* member, const Value& value, const ChoiceTable&) {
               *static_cast<double*>(member) = std::get<double>(value);
             });
}

AxisList& AxisList::flag(bool& place, std::string name, std::string doc, std::optional<bool> default_value) {
  return add(&place, sizeof place,
             {std::move(name), ValueType::boolean, "1", as_value(default_value), {}, {}, {}, std::move(doc)},
             [](void* member, const Value& value, const ChoiceTable&) {
               *static_cast<bool*>(member) = std::get<bool>(value);
             });
}

AxisList& AxisList::kind(AxisKind kind) {
  axes_.back().kind = kind;
  return *this;
}

void AxisList::read(const Point& point, void* object) const {
  auto* const base = static_cast<std::byte*>(object);
  std::size_t axis = 0;
  for (const Place& place : places_) place.set(base + place.offset, point[axis++], place.words);
}

void AxisList::refuse(const std::string& name, std::string_view reason) {
  throw std::logic_error(fmt::format("axis '{}' {}", name, reason));
}

const void* AxisList::value_named(const ChoiceTable& words, const Value& name) {
  const auto& text = std::get<std::string>(name);
  for (const auto& [word, value] : words) {
    if (word == text) return value.get();
  }
  throw std::logic_error(fmt::format("'{}' is none of an axis' choices", text));
}

AxisList& AxisList::add(void* place, std::size_t size, Axis axis, Setter set, ChoiceTable words) {
  const std::less<const void*> before;
  auto* const begin = static_cast<std::byte*>(place);
  if (before(begin, layout_) || before(layout_ + size_, begin + size))
    refuse(axis.name, "is bound to a member outside of its layout");
  for (const Axis& known : axes_) {
    if (known.name == axis.name) refuse(axis.name, "is declared twice");
  }
  places_.push_back({static_cast<std::size_t>(begin - layout_), set, std::move(words)});
  axes_.push_back(std::move(axis));
  return *this;
}

}  // namespace pimsweep::systems
