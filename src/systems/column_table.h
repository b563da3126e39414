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

/// The metrics of a system, or the columns of a detail table, each declared once together with the member that holds
/// its values (its place). Places are members of one object, the layout; values can be taken from any object of the
/// same type. Declarations throw std::logic_error for a place outside the layout and for duplicate names.
class ColumnList {
 public:
  /// A quantity in an SI unit, not negative unless may_be_negative() follows. It is present in every point with status
  /// ok; in other points it may be missing (NaN).
  ColumnList& quantity(const double& place, std::string name, std::string unit, std::string doc);
  /// A quantity that may be missing in a point with status ok; `absent` states when or why: "policy gpu", "the network
  /// is saturated".
  ColumnList& quantity(const std::optional<double>& place, std::string name, std::string unit, std::string doc,
                       std::string absent);
  /// A temporary copy is not a place.
  ColumnList& quantity(const double& place, std::string name, std::string unit, std::string doc,
                       std::string absent) = delete;
  /// Allows negative values of the quantity that was declared last.
  ColumnList& may_be_negative();
  /// Sets the role of the column that was declared last in its timeline (timeline.h).
  ColumnList& in_timeline(TimelineRole role);

  /// A number of things that the doc names. Metrics store counts as reals, detail tables store them as integers.
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
        [](const void* member, Value& cell, const ChoiceTable&) { set_text(cell, *static_cast<const Text*>(member)); });
  }

  /// The word that represents a value.
  template <typename Choice>
  ColumnList& choice(const Choice& place, std::string name, std::type_identity_t<std::span<const Word<Choice>>> words,
                     std::string doc) {
    ChoiceTable names;
    for (const Word<Choice>& word : words) names.emplace_back(word.name, std::make_shared<Choice>(word.value));
    return add(
        &place, sizeof place, {std::move(name), "1", std::move(doc), ValueType::text},
        [](const void* member, Value& cell, const ChoiceTable& known) {
          for (const auto& [word, value] : known) {
            if (*static_cast<const Choice*>(value.get()) == *static_cast<const Choice*>(member)) {
              set_text(cell, word);
            }
          }
        },
        std::move(names));
  }

  /// In order of declaration.
  const std::vector<Metric>& columns() const { return columns_; }

 protected:
  ColumnList(void* layout, std::size_t size, bool counts_are_real)
      : layout_(static_cast<std::byte*>(layout)), size_(size), counts_are_real_(counts_are_real) {}
  /// Fills one cell for each column.
  void write(const void* object, std::span<Value> cells) const;
  /// Appends a cell for each column, an empty text or 0, for write() to fill.
  void append_empty(std::vector<Value>& cells) const;

 private:
  /// The words of a choice, and pointers to their values.
  using ChoiceTable = std::vector<std::pair<std::string, std::shared_ptr<const void>>>;
  using Getter = void (*)(const void* member, Value& cell, const ChoiceTable& words);
  struct Place {
    std::size_t offset;
    Getter get;
    ChoiceTable words;
  };

  template <typename Number, typename Stored>
  static void put_number(const void* member, Value& cell, const ChoiceTable&) {
    cell = static_cast<Stored>(*static_cast<const Number*>(member));
  }
  /// Reuses the memory of the cell's text.
  static void set_text(Value& cell, std::string_view text);
  ColumnList& add(const void* place, std::size_t size, Metric column, Getter get, ChoiceTable words = {});

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
///         .quantity(r.gpu_time, "gpu_time", "s", "time of all kernels on the GPU", "policies other than gpu");
template <typename Result>
class MetricTable : public ColumnList {
 public:
  MetricTable() : MetricTable(std::make_unique<Result>()) {}
  const Result& layout() const { return *layout_; }
  /// Fills the first metrics of the record and leaves its status.
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

  /// Adds the table to a schema. Call it once, after all columns have been declared.
  void attach(Schema& schema) {
    index_ = schema.tables.size();
    schema.tables.push_back({name_, doc_, columns()});
  }
  /// Appends a row to the table in a record of this schema.
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
