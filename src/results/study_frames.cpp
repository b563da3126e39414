#include "results/study_frames.h"

#include "results/draws.h"
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

}  // namespace

StudyFrames::StudyFrames(const std::vector<std::string>& results_files, const std::vector<PublishedSet>& published) {
  for (const std::string& file : results_files) {
    for (const std::string& study : study_ids(file))
      places_[std::pair(stored_schema(file, study).name, stored_origin(file, study))].push_back({file, study});
  }
  for (const PublishedSet& set : published) {
    for (const auto& [id, query] : set.queries) {
      add_named(query, named_[Key(query.system, query.study, query.table)]);
      // The studies of readings answer the same queries.
      for (const Reading& reading : set.readings) {
        if (const auto study = reading.studies.find(query.study); study != reading.studies.end())
          add_named(query, named_[Key(query.system, study->second, query.table)]);
      }
    }
  }
}

/// Of the points' columns, a table needs those that queries name, and the axes that tell points on one machine apart.
StudyFrames::Machines StudyFrames::read_table(const Place& place, const Query& query, const DataFrame& points) const {
  const std::size_t machines = machine_count(points);
  const DataFrame usual = std::move(frames_of_draws(points, machines).front());
  const auto named = named_.find(Key(query.system, query.study, query.table));
  const Wanted wanted = [&](const std::string& name) {
    if (name == draw_column || (named != named_.end() && named->second.contains(name))) return true;
    const DataColumn& column = usual.columns.at(name);
    return column.role == "axis" && !column.follows_hardware;
  };
  return frames_of_draws(read_detail(place.file, place.study, query.table, points, wanted), machines);
}

const std::vector<StudyFrames::Machines>& StudyFrames::machines(const Query& query) {
  const Key key(query.system, query.study, query.table);
  const auto known = frames_.find(key);
  if (known != frames_.end()) return known->second;
  std::vector<Machines> frames;
  if (const auto places = places_.find(std::pair(query.system, query.study)); places != places_.end()) {
    for (const Place& place : places->second) {
      const DataFrame points = read_study(place.file, place.study);
      frames.push_back(query.table.empty() ? frames_of_draws(points, machine_count(points))
                                           : read_table(place, query, points));
    }
  }
  return frames_.emplace(key, std::move(frames)).first->second;
}

const DataFrame* StudyFrames::usual(const Query& query) {
  const std::vector<Machines>& files = machines(query);
  return files.empty() ? nullptr : &files.front().front();
}

}  // namespace pimsweep::results
