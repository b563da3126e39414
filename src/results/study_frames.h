#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "results/data_frame.h"
#include "results/published.h"

namespace pimsweep::results {

/// The studies and tables that queries need, each read once, divided into the machines of `[study.uncertainty]`.
class StudyFrames {
 public:
  explicit StudyFrames(const std::vector<std::string>& results_files);

  bool has(const Query& query) const { return files_.contains(std::pair(query.system, query.study)); }
  /// Of each file that has the study: a frame for each machine, that of the hardware file first.
  using Machines = std::vector<DataFrame>;
  const std::vector<Machines>& machines(const Query& query);
  /// On the machine of the hardware file, from the first results file that has the study; nullptr if none has.
  const DataFrame* usual(const Query& query);

 private:
  /// By system and study.
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> files_;
  /// By system, study and table.
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<Machines>> frames_;
};

}  // namespace pimsweep::results
