#include "results/columns.h"

#include <fmt/format.h>

namespace pimsweep::results {

Element element_of(const ColumnInfo& column) {
  if (!column.flags.empty()) return Element::flag;
  switch (column.type) {
    case ValueType::integer:
      return Element::integer;
    case ValueType::real:
      return Element::real;
    case ValueType::boolean:
      return Element::flag;
    case ValueType::text:
      break;
  }
  return Element::text;
}

std::string source_of_results(const systems::Schema& schema) {
  return fmt::format("{} version {}", schema.name, schema.version);
}

ColumnInfo numbering(const char* name, const char* doc) {
  return {.name = name, .unit = "1", .long_name = doc, .source = "", .type = ValueType::integer};
}

GroupInfo long_texts_of(const GroupInfo& group, const ColumnInfo& column) {
  GroupInfo pieces{fmt::format("{}/{}/{}", group.path, long_texts_group, column.name)};
  pieces.columns = {numbering("piece", "number of the piece of text"),
                    numbering("owner", "number of the row that the text belongs to"),
                    {.name = "text",
                     .unit = "1",
                     .long_name = "piece of a text that is too long for its column",
                     .source = "",
                     .type = ValueType::text}};
  return pieces;
}

}  // namespace pimsweep::results
