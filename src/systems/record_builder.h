#pragma once

#include <initializer_list>
#include <string_view>

#include "systems/system.h"

namespace pimsweep::systems {

/// Fills a record by the names that the schema gives to metrics and tables; a name that it does not have is a
/// std::logic_error.
class RecordBuilder {
 public:
  RecordBuilder(const Schema& schema, Record& record) : schema_(schema), record_(record) {}

  void set(std::string_view metric, double value) { put(metric, value); }
  void set(std::string_view metric, std::int64_t value) { put(metric, static_cast<double>(value)); }
  void set(std::string_view metric, std::string value) { put(metric, std::move(value)); }
  /// Appends a row to a table.
  void add(std::string_view table, std::initializer_list<Value> row);

 private:
  void put(std::string_view metric, Value value);

  const Schema& schema_;
  Record& record_;
};

}  // namespace pimsweep::systems
