#include "commands/differences_json.h"

#include "commands/json.h"

namespace pimsweep::commands {

namespace {

Json json_of(const std::vector<results::NoteDifference>& notes) {
  Json list = Json::array();
  for (const results::NoteDifference& note : notes) list.push_back({{"name", note.name}, {"a", note.a}, {"b", note.b}});
  return list;
}

Json json_of(const std::vector<results::ColumnDifference>& columns) {
  Json list = Json::array();
  for (const results::ColumnDifference& column : columns) {
    Json changes = Json::array();
    for (const results::CellChange& change : column.largest) {
      changes.push_back({{"point_a", change.point_a},
                         {"point_b", change.point_b},
                         {"a", commands::json_of(change.a)},
                         {"b", commands::json_of(change.b)},
                         {"change", commands::json_of(change.change)}});
    }
    list.push_back({{"table", column.table},
                    {"column", column.column},
                    {"unit", column.unit},
                    {"compared", column.compared},
                    {"differing", column.differing},
                    {"median_change", commands::json_of(column.median)},
                    {"largest", changes}});
  }
  return list;
}

Json json_of(const results::LonePoints& points) { return {{"count", points.count}, {"first", points.first}}; }

}  // namespace

std::string differences_json(const std::string& file_a, const std::string& file_b,
                             const results::FileDifference& difference) {
  Json studies = Json::array();
  for (const results::StudyDifference& study : difference.studies) {
    studies.push_back({{"study", study.study},
                       {"equal", study.is_equal()},
                       {"points_in_both", study.in_both},
                       {"points_only_a", json_of(study.only_a)},
                       {"points_only_b", json_of(study.only_b)},
                       {"other_identities", study.other_identities},
                       {"columns_only_a", study.columns_only_a},
                       {"columns_only_b", study.columns_only_b},
                       {"notes", json_of(study.notes)},
                       {"inputs", json_of(study.inputs)},
                       {"outputs", json_of(study.outputs)}});
  }
  return text_of({{"a", file_a},
                  {"b", file_b},
                  {"equal", difference.is_equal()},
                  {"origins", json_of(difference.origins)},
                  {"studies_only_a", difference.studies_only_a},
                  {"studies_only_b", difference.studies_only_b},
                  {"studies", studies}});
}

}  // namespace pimsweep::commands
