#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/words.h"
#include "systems/system.h"

namespace pimsweep::systems {

/// The axes of a system, each declared once together with the member that receives its value (its place), so that the
/// schema and the reader of points agree by construction. Places are members of one object, the layout; a point can be
/// read into any object of the same type.
///
///     Settings layout;
///     axes.count(layout.batch, "batch", 1, 65536, "samples processed together", 1)
///         .quantity(layout.bandwidth, "hardware.memory.bandwidth", "B/s", 0, 1e15, "memory bandwidth");
///
/// An axis without a default must be set by the experiment or a hardware file.
///
/// Declarations throw std::logic_error for a place outside the layout, for bounds that the place cannot represent, and
/// for duplicate names.
class AxisList {
 public:
  /// An integer from `min` to `max`. The place may be real. `unit` is "1", or that of the integer ("cycle").
  template <typename Number>
  requires std::is_arithmetic_v<Number> AxisList& count(Number& place, std::string name, double min, double max,
                                                        std::string doc, std::optional<std::int64_t> default_value = {},
                                                        std::string unit = "1") {
    check_bounds<Number>(name, min, max);
    return add(
        &place, sizeof place,
        {std::move(name), ValueType::integer, std::move(unit), as_value(default_value), min, max, {}, std::move(doc)},
        [](void* member, const Value& value, const ChoiceTable&) {
          *static_cast<Number*>(member) = static_cast<Number>(std::get<std::int64_t>(value));
        });
  }

  /// A real number in an SI unit, from `min` to `max`.
  AxisList& quantity(double& place, std::string name, std::string unit, double min, double max, std::string doc,
                     std::optional<double> default_value = {});

  AxisList& flag(bool& place, std::string name, std::string doc, std::optional<bool> default_value = {});

  /// Text. A place of type std::string_view refers to the text of the point, which lives as long as the plan. Without
  /// choices, any text is allowed.
  template <typename Text>
  requires std::same_as<Text, std::string> || std::same_as<Text, std::string_view> AxisList& text(
      Text& place, std::string name, std::string doc, std::optional<std::string_view> default_value = {},
      std::vector<std::string> choices = {}) {
    return add(
        &place, sizeof place,
        {std::move(name), ValueType::text, "1", as_text(default_value), {}, {}, std::move(choices), std::move(doc)},
        [](void* member, const Value& value, const ChoiceTable&) {
          *static_cast<Text*>(member) = std::get<std::string>(value);
        });
  }

  /// A word that represents a value of the type of the place.
  template <typename Choice>
  AxisList& choice(Choice& place, std::string name, std::type_identity_t<std::span<const Word<Choice>>> words,
                   std::string doc, std::type_identity_t<std::optional<Choice>> default_value = {}) {
    std::optional<Value> default_word;
    if (default_value) default_word = std::string(word_of(words, *default_value));
    ChoiceTable values;
    for (const Word<Choice>& word : words) values.emplace_back(word.name, std::make_shared<Choice>(word.value));
    return add(
        &place, sizeof(Choice),  // NOLINT(bugprone-sizeof-expression): a choice may be a pointer
        {std::move(name), ValueType::text, "1", std::move(default_word), {}, {}, names_of(words), std::move(doc)},
        [](void* member, const Value& value, const ChoiceTable& known) {
          *static_cast<Choice*>(member) = *static_cast<const Choice*>(value_named(known, value));
        },
        std::move(values));
  }

  /// The axis "policy": one of an array of policies, each with a `name`.
  template <typename Policy>
  AxisList& policy(const Policy*& place, std::type_identity_t<std::span<const Policy>> policies, std::string doc,
                   std::optional<std::string_view> default_name = {}) {
    std::vector<std::string> names;
    ChoiceTable values;
    for (const Policy& policy : policies) {
      names.emplace_back(policy.name);
      values.emplace_back(policy.name, std::shared_ptr<const void>(std::shared_ptr<void>(), &policy));
    }
    return add(
        &place, sizeof(const Policy*),
        {"policy",
         ValueType::text,
         "1",
         as_text(default_name),
         {},
         {},
         std::move(names),
         std::move(doc),
         AxisKind::policy},
        [](void* member, const Value& value, const ChoiceTable& known) {
          *static_cast<const Policy**>(member) = static_cast<const Policy*>(value_named(known, value));
        },
        std::move(values));
  }

  /// Sets the kind of the axis that was declared last.
  AxisList& kind(AxisKind kind);

  /// In order of declaration, which is the order of the values of a point.
  const std::vector<Axis>& axes() const { return axes_; }

 protected:
  AxisList(void* layout, std::size_t size) : layout_(static_cast<std::byte*>(layout)), size_(size) {}
  /// Stores the first values of a point in an object of the layout's type.
  void read(const Point& point, void* object) const;

 private:
  /// The words of a choice, and pointers to their values.
  using ChoiceTable = std::vector<std::pair<std::string, std::shared_ptr<const void>>>;
  using Setter = void (*)(void* member, const Value& value, const ChoiceTable& words);
  struct Place {
    std::size_t offset;
    Setter set;
    ChoiceTable words;
  };

  template <typename T>
  static std::optional<Value> as_value(const std::optional<T>& value) {
    return value ? std::optional<Value>(Value{*value}) : std::nullopt;
  }
  static std::optional<Value> as_text(std::optional<std::string_view> text) {
    std::optional<Value> value;
    if (text) value.emplace(std::string(*text));
    return value;
  }
  template <typename Number>
  static void check_bounds(const std::string& name, double min, double max) {
    if constexpr (std::integral<Number>) {
      if (min < static_cast<double>(std::numeric_limits<Number>::min()) ||
          max > static_cast<double>(std::numeric_limits<Number>::max())) {
        refuse(name, "has bounds that its member cannot hold");
      }
    }
  }
  [[noreturn]] static void refuse(const std::string& name, std::string_view reason);
  /// Throws std::logic_error for an unknown word, which the plan has excluded.
  static const void* value_named(const ChoiceTable& words, const Value& name);
  AxisList& add(void* place, std::size_t size, Axis axis, Setter set, ChoiceTable words = {});

  std::byte* layout_;
  std::size_t size_;
  std::vector<Axis> axes_;
  std::vector<Place> places_;
};

/// An AxisList whose layout is an object of type `Settings`, the system's view of a point.
///
///     AxisTable<Settings> axes;
///     Settings& s = axes.layout();
///     axes.count(s.batch, "batch", 1, 65536, "images of a training step", 256)
///         .quantity(s.machine.clock, "hardware.clock", "Hz", 1e3, 1e12, "clock of the processing units");
template <typename Settings>
class AxisTable : public AxisList {
 public:
  AxisTable() : AxisTable(std::make_unique<Settings>()) {}

  /// The object whose members are the places.
  Settings& layout() { return *layout_; }

  using AxisList::read;
  void read(const Point& point, Settings& settings) const { AxisList::read(point, &settings); }
  Settings read(const Point& point) const {
    Settings settings;
    read(point, settings);
    return settings;
  }

 private:
  explicit AxisTable(std::unique_ptr<Settings> layout)
      : AxisList(layout.get(), sizeof(Settings)), layout_(std::move(layout)) {}

  std::unique_ptr<Settings> layout_;
};

}  // namespace pimsweep::systems
