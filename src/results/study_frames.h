#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "results/data_frame.h"
#include "results/published.h"

namespace pimsweep::results {

/// The studies and tables that the queries of published values need, each read once, divided into the machines of
/// `[study.uncertainty]`.
class StudyFrames {
 public:
  StudyFrames(const std::vector<std::string>& results_files, const std::vector<PublishedSet>& published);

  bool has(const Query& query) const { return places_.contains(std::pair(query.system, query.study)); }
  /// Of each file that has the study: a frame for each machine, that of the hardware file first.
  using Machines = std::vector<DataFrame>;
  const std::vector<Machines>& machines(const Query& query);
  /// A study of a results file.
  struct Place {
    std::string file;
    std::string study;
  };
  /// Where the frames of a query are from, in the order of machines().
  const std::vector<Place>& places(const Query& query) const {
    return places_.at(std::pair(query.system, query.study));
  }
  /// On the machine of the hardware file, from the first results file that has the study; nullptr if none has.
  const DataFrame* usual(const Query& query);

 private:
  Machines read_table(const Place& place, const Query& query, const DataFrame& points) const;

  /// By system and by the study's id in its own experiment.
  std::map<std::pair<std::string, std::string>, std::vector<Place>> places_;
  using Key = std::tuple<std::string, std::string, std::string>;
  /// By system, study and table: what queries of tables name.
  std::map<Key, std::set<std::string>> named_;
  std::map<Key, std::vector<Machines>> frames_;
};

}  // namespace pimsweep::results
