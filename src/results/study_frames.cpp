#include "results/study_frames.h"

#include "results/machine_reader.h"
#include "results/results_reader.h"

namespace pimsweep::results {

namespace {

/// All columns that a query names.
void add_named(const Query& query, std::set<std::string>& names) {
  for (const auto* selections : {&query.select, &query.over}) {
    for (const Selection& selection : *selections) names.insert(selection.column);
  }
  names.insert(query.pair.begin(), query.pair.end());
  names.insert(query.together.begin(), query.together.end());
  names.insert({query.metric, query.along, query.by});
}

constexpr MachineRange usual_machine{0, 1};

}  // namespace

StudyFrames::StudyFrames(const std::vector<std::string>& results_files, const std::vector<PublishedSet>& published) {
  for (const std::string& file : results_files) {
    for (const StoredStudy& study : stored_studies(file))
      places_[std::pair(study.system, study.origin)].push_back({file, study.id});
  }
  for (const PublishedSet& set : published) {
    for (const auto& [id, query] : set.queries) {
      add_named(query, named_[Key(query.system, query.study, query.table)]);
      // The studies of readings answer the same queries.
      for (const Reading& reading : set.readings) {
        if (const auto study = reading.studies.find(query.study); study != reading.studies.end())
          add_named(query,
                    named_[Key(reading.system.empty() ? query.system : reading.system, study->second, query.table)]);
      }
    }
  }
}

const std::vector<StudyFrames::Place>& StudyFrames::places(const Query& query) const {
  static const std::vector<Place> none;
  const auto found = places_.find(std::pair(query.system, query.study));
  return found == places_.end() ? none : found->second;
}

bool StudyFrames::is_named(const Query& query, const std::string& column) const {
  const auto named = named_.find(Key(query.system, query.study, query.table));
  return named != named_.end() && named->second.contains(column);
}

const DataFrame* StudyFrames::usual(const Query& query) {
  const std::vector<Place>& all = places(query);
  if (all.empty()) return nullptr;
  const Key key(query.system, query.study, query.table);
  const auto known = frames_.find(key);
  if (known != frames_.end()) return &known->second;
  MachineReader reader(all.front().file, all.front().study);
  DataFrame points;
  const Wanted every = [](const ColumnReader&) { return true; };
  reader.read_points(usual_machine, every, [&](std::size_t, const DataFrame& frame) { points = frame; });
  if (query.table.empty()) return &frames_.emplace(key, std::move(points)).first->second;
  DataFrame& rows = frames_[key];
  reader.read_table(
      query.table, usual_machine, every,
      [&](const ColumnReader& column) {
        return is_named(query, column.name()) || separates_points(points, column.name());
      },
      [&](std::size_t, const DataFrame& frame) { rows = frame; });
  return &rows;
}

bool separates_points(const DataFrame& points, const std::string& column) {
  const auto found = points.columns.find(column);
  return found != points.columns.end() && found->second.role == "axis" && !found->second.follows_hardware;
}

}  // namespace pimsweep::results
