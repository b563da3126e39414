#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "results/data_frame.h"
#include "results/frame_reader.h"
#include "results/published.h"

namespace pimsweep::results {

/// The studies and tables that the queries of published values need, on the machine of the hardware file, each read
/// once.
class StudyFrames {
 public:
  StudyFrames(const std::vector<std::string>& results_files, const std::vector<PublishedSet>& published);

  /// A study of a results file.
  struct Place {
    std::string file;
    std::string study;
  };
  /// All places of the study of a query.
  const std::vector<Place>& places(const Query& query) const;
  bool has(const Query& query) const { return !places(query).empty(); }
  /// Whether any query of the same study and table names a column.
  bool is_named(const Query& query, const std::string& column) const;
  /// From the first results file that has the study; nullptr if none has.
  const DataFrame* usual(const Query& query);

 private:
  /// By system and by the study's id in its own experiment.
  std::map<std::pair<std::string, std::string>, std::vector<Place>> places_;
  using Key = std::tuple<std::string, std::string, std::string>;
  /// By system, study and table: what queries name.
  std::map<Key, std::set<std::string>> named_;
  std::map<Key, DataFrame> frames_;
};

/// Whether a column of points tells those of one machine apart, given their frame on any machine.
bool separates_points(const DataFrame& points, const std::string& column);

}  // namespace pimsweep::results
