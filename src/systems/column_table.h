#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/checked.h"
#include "base/words.h"
#include "systems/system.h"

namespace pimsweep::systems {

/// The metrics of a system, or the columns of a detail table: each declared once together with the member that its
/// values come from (its place). Places are members of one object, the layout; values are taken from any object of the
/// same type. Throws std::logic_error for a place outside of the layout and for a name that is taken.
class ColumnList {
 public:
  /// A quantity in an SI unit, not negative unless may_be_negative() follows. Every point with status ok has one, every
  /// other one may have none (NaN).
  ColumnList& quantity(const double& place, std::string name, std::string unit, std::string doc);
  /// A quantity that a point with status ok may lack; `absent` says when or why: "policy gpu", "the network is
  /// saturated".
  ColumnList& quantity(const std::optional<double>& place, std::string name, std::string unit, std::string doc,
                       std::string absent);
  /// A temporary copy is no place.
  ColumnList& quantity(const double& place, std::string name, std::string unit, std::string doc,
                       std::string absent) = delete;
  /// The quantity that was declared last may be negative.
  ColumnList& may_be_negative();
  /// What the column that was declared last means on the timeline that its table is (timeline.h).
  ColumnList& in_timeline(TimelineRole role);

  /// How many there are of something, which the doc says. Metrics hold counts as reals, columns of tables as integers.
  /// `unit` is "1", or that of the integer ("cycle", "B").
  template <typename Number>
  requires(std::is_arithmetic_v<Number> ||
           std::same_as<Number, Count>) ColumnList& count(const Number& place, std::string name, std::string doc,
                                                          std::string unit = "1") {
    Metric column{std::move(name), std::move(unit), std::move(doc)};
    if (!counts_are_real_) column.type = ValueType::integer;
    return add(&place, sizeof place, std::move(column),
               counts_are_real_ ? &put_number<Number, double> : &put_number<Number, std::int64_t>);
  }

  template <typename Text>
  requires std::same_as<Text, std::string> || std::same_as<Text, std::string_view> ColumnList& text(const Text& place,
                                                                                                    std::string name,
                                                                                                    std::string doc) {
    return add(
        &place, sizeof place, {std::move(name), "1", std::move(doc), ValueType::text},
        [](const void* member, Value& cell, const Words&) { set_text(cell, *static_cast<const Text*>(member)); });
  }

  /// The word of a value.
  template <typename Choice>
  ColumnList& choice(const Choice& place, std::string name, std::type_identity_t<std::span<const Word<Choice>>> words,
                     std::string doc) {
    Words names;
    for (const Word<Choice>& word : words) names.emplace_back(word.name, std::make_shared<Choice>(word.value));
    return add(
        &place, sizeof place, {std::move(name), "1", std::move(doc), ValueType::text},
        [](const void* member, Value& cell, const Words& known) {
          for (const auto& [word, value] : known) {
            if (*static_cast<const Choice*>(value.get()) == *static_cast<const Choice*>(member)) {
              set_text(cell, word);
            }
          }
        },
        std::move(names));
  }

  /// In the order of their declaration.
  const std::vector<Metric>& columns() const { return columns_; }

 protected:
  ColumnList(void* layout, std::size_t size, bool counts_are_real)
      : layout_(static_cast<std::byte*>(layout)), size_(size), counts_are_real_(counts_are_real) {}
  /// Fills one cell for each column.
  void write(const void* object, std::span<Value> cells) const;
  /// An empty cell of each column: NaN, 0 or an empty text.
  void append_empty(std::vector<Value>& cells) const;

 private:
  /// The words of a choice; pointers to their values.
  using Words = std::vector<std::pair<std::string, std::shared_ptr<const void>>>;
  using Getter = void (*)(const void* member, Value& cell, const Words& words);
  struct Place {
    std::size_t offset;
    Getter get;
    Words words;
  };

  template <typename Number, typename Stored>
  static void put_number(const void* member, Value& cell, const Words&) {
    cell = static_cast<Stored>(*static_cast<const Number*>(member));
  }
  /// Keeps the memory of the cell's text.
  static void set_text(Value& cell, std::string_view text);
  ColumnList& add(const void* place, std::size_t size, Metric column, Getter get, Words words = {});

  std::byte* layout_;
  std::size_t size_;
  bool counts_are_real_;
  std::vector<Metric> columns_;
  std::vector<Place> places_;
};

/// The metrics of a system, taken from a `Result`.
///
///     MetricTable<Result> metrics;
///     const Result& r = metrics.layout();
///     metrics.quantity(r.time, "time", "s", "time of a training step")
///         .quantity(r.card_time, "card_time", "s", "time of all kernels on the card", "policies other than gpu");
template <typename Result>
class MetricTable : public ColumnList {
 public:
  MetricTable() : MetricTable(std::make_unique<Result>()) {}
  const Result& layout() const { return *layout_; }
  /// Fills the record's first metrics; the status stays.
  void write(const Result& result, Record& record) const { ColumnList::write(&result, record.metrics); }

 private:
  explicit MetricTable(std::unique_ptr<Result> layout)
      : ColumnList(layout.get(), sizeof(Result), true), layout_(std::move(layout)) {}
  std::unique_ptr<Result> layout_;
};

/// A tidy detail table, whose rows are taken from a `Row`.
template <typename Row>
class RowTable : public ColumnList {
 public:
  RowTable(std::string name, std::string doc) : RowTable(std::move(name), std::move(doc), std::make_unique<Row>()) {}
  const Row& layout() const { return *layout_; }

  /// Adds the table to a schema. Call it once, when all columns are declared.
  void attach(Schema& schema) {
    index_ = schema.tables.size();
    schema.tables.push_back({name_, doc_, columns()});
  }
  /// Appends a row to the table in a record of the schema.
  void add(const Row& row, Record& record) const {
    std::vector<Value>& cells = record.tables[index_];
    const std::size_t first = cells.size();
    append_empty(cells);
    write(&row, std::span(cells).subspan(first));
  }

 private:
  RowTable(std::string name, std::string doc, std::unique_ptr<Row> layout)
      : ColumnList(layout.get(), sizeof(Row), false),
        name_(std::move(name)),
        doc_(std::move(doc)),
        layout_(std::move(layout)) {}

  std::string name_;
  std::string doc_;
  std::unique_ptr<Row> layout_;
  std::size_t index_ = 0;
};

}  // namespace pimsweep::systems
