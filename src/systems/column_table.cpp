#include "systems/column_table.h"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <stdexcept>

namespace pimsweep::systems {

void ColumnList::write(const void* object, std::span<Value> cells) const {
  const auto* const base = static_cast<const std::byte*>(object);
  Value* cell = cells.data();
  for (const Place& place : places_) place.get(base + place.offset, *cell++, place.words);
}

ColumnList& ColumnList::quantity(const double& place, std::string name, std::string unit, std::string doc) {
  return add(&place, sizeof place, {std::move(name), std::move(unit), std::move(doc)},
             [](const void* member, Value& cell, const ChoiceTable&) { cell = *static_cast<const double*>(member); });
}

ColumnList& ColumnList::quantity(const std::optional<double>& place, std::string name, std::string unit,
                                 std::string doc, std::string absent) {
  Metric column{std::move(name), std::move(unit), std::move(doc)};
  column.absent = std::move(absent);
  return add(&place, sizeof place, std::move(column), [](const void* member, Value& cell, const ChoiceTable&) {
    cell = static_cast<const std::optional<double>*>(member)->value_or(no_number);
  });
}

ColumnList& ColumnList::may_be_negative() {
  columns_.back().range = Range::any;
  return *this;
}

ColumnList& ColumnList::in_timeline(TimelineRole role) {
  columns_.back().timeline = role;
  return *this;
}

void ColumnList::append_empty(std::vector<Value>& cells) const {
  const std::size_t first = cells.size();
  cells.resize(first + columns_.size());
  Value* cell = cells.data() + first;
  for (const Metric& column : columns_) {
    if (column.type == ValueType::text) cell->emplace<std::string>();
    ++cell;
  }
}

void ColumnList::set_text(Value& cell, std::string_view text) {
  if (auto* held = std::get_if<std::string>(&cell)) {
    // Faster than to assign.
    held->clear();
    held->append(text);
  } else {
    cell = std::string(text);
  }
}

ColumnList& ColumnList::add(const void* place, std::size_t size, Metric column, Getter get, ChoiceTable words) {
  const auto refuse = [&](std::string_view reason) {
    throw std::logic_error(fmt::format("column '{}' {}", column.name, reason));
  };
  const std::less<const void*> before;
  const auto* const begin = static_cast<const std::byte*>(place);
  if (before(begin, layout_) || before(layout_ + size_, begin + size))
    refuse("is bound to a member outside of its layout");
  for (const Metric& known : columns_) {
    if (known.name == column.name) refuse("is declared twice");
  }
  places_.push_back({static_cast<std::size_t>(begin - layout_), get, std::move(words)});
  columns_.push_back(std::move(column));
  return *this;
}

}  // namespace pimsweep::systems
