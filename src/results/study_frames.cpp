#include "results/study_frames.h"

#include "results/draws.h"
#include "results/results_reader.h"

namespace pimsweep::results {

StudyFrames::StudyFrames(const std::vector<std::string>& results_files) {
  for (const std::string& file : results_files) {
    for (const std::string& study : study_ids(file))
      files_[std::pair(stored_schema(file, study).name, study)].push_back(file);
  }
}

const std::vector<StudyFrames::Machines>& StudyFrames::machines(const Query& query) {
  const auto key = std::tuple(query.system, query.study, query.table);
  const auto known = frames_.find(key);
  if (known != frames_.end()) return known->second;
  std::vector<Machines> frames;
  if (const auto files = files_.find(std::pair(query.system, query.study)); files != files_.end()) {
    for (const std::string& file : files->second) {
      frames.push_back(frames_of_draws(query.table.empty() ? read_study(file, query.study)
                                                           : read_detail(file, query.study, query.table)));
    }
  }
  return frames_.emplace(key, std::move(frames)).first->second;
}

const DataFrame* StudyFrames::usual(const Query& query) {
  const std::vector<Machines>& files = machines(query);
  return files.empty() ? nullptr : &files.front().front();
}

}  // namespace pimsweep::results
