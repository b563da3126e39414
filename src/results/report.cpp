#include "results/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "base/csv.h"
#include "results/answer.h"
#include "results/data_frame.h"
#include "results/results_reader.h"

namespace pimsweep::results {

namespace {

/// The studies and tables that queries need, each read once.
class DataFrameCache {
 public:
  explicit DataFrameCache(const std::vector<std::string>& files) {
    for (const std::string& file : files) {
      for (const std::string& study : study_ids(file)) {
        files_.emplace(std::pair(stored_schema(file, study).name, study), file);
      }
    }
  }
  bool has(const Query& query) const { return files_.contains(std::pair(query.system, query.study)); }
  const DataFrame& get(const Query& query) {
    const auto key = std::tuple(query.system, query.study, query.table);
    const auto found = frames_.find(key);
    if (found != frames_.end()) return found->second;
    const std::string& file = files_.at(std::pair(query.system, query.study));
    return frames_
        .emplace(key, query.table.empty() ? read_study(file, query.study) : read_detail(file, query.study, query.table))
        .first->second;
  }

 private:
  /// By system and study.
  std::map<std::pair<std::string, std::string>, std::string> files_;
  /// By system, study and table.
  std::map<std::tuple<std::string, std::string, std::string>, DataFrame> frames_;
};

Finding find(const PublishedValue& published, const Query& query, DataFrameCache& frames) {
  Finding finding;
  finding.published = published;
  finding.note = query.note;
  if (!query.study.empty()) finding.role = word_of(role_words, query.role);
  finding.reading = query.reading;
  if (!query.study.empty() && frames.has(query)) answer(frames.get(query), query, finding);
  if (!query.inconsistent.empty()) {
    finding.verdict = Verdict::inconsistent;
    finding.note = query.inconsistent + (finding.note.empty() ? "" : "; " + finding.note);
  }
  return finding;
}

/// The same from the studies of readings, where those have the rows and give another value.
void find_in_readings(const Query& query, const std::vector<Reading>& readings, DataFrameCache& frames,
                      std::vector<Finding>& findings) {
  if (query.role == CheckRole::calibrated || query.role == CheckRole::definition || !query.inconsistent.empty()) return;
  const Finding usual = findings.back();
  for (const Reading& reading : readings) {
    const auto study = reading.studies.find(query.study);
    if (study == reading.studies.end()) continue;
    Query read = query;
    read.study = study->second;
    read.role = CheckRole::reading;
    read.reading = reading.name;
    Finding finding = find(usual.published, read, frames);
    if (finding.verdict != Verdict::open && finding.reproduced != usual.reproduced)
      findings.push_back(std::move(finding));
  }
}

void find_all(const PublishedSet& set, DataFrameCache& frames, std::vector<Finding>& findings) {
  for (const PublishedValue& value : set.values) {
    const auto found = set.queries.find(value.id);
    findings.push_back(find(value, found == set.queries.end() ? Query{} : found->second, frames));
    if (found != set.queries.end()) find_in_readings(found->second, set.readings, frames, findings);
  }
}

}  // namespace

std::vector<Finding> make_report(const std::vector<std::string>& results_files,
                                 const std::vector<PublishedSet>& published) {
  DataFrameCache frames(results_files);
  std::vector<Finding> findings;
  for (const PublishedSet& set : published) {
    const bool covered = std::any_of(set.queries.begin(), set.queries.end(), [&](const auto& entry) {
      return !entry.second.study.empty() && frames.has(entry.second);
    });
    if (!covered) continue;
    find_all(set, frames, findings);
  }
  return findings;
}

std::string report_csv(const std::vector<Finding>& findings) {
  const auto share = [](const std::optional<double>& deviation) {
    return deviation ? fmt::format("{:.4f}", *deviation) : std::string();
  };
  std::string text = csv_line({"id", "paper", "where", "sign", "published", "published_hi", "unit", "reproduced",
                               "deviation", "ratio_deviation", "verdict", "role", "reading", "note"});
  for (const Finding& finding : findings) {
    const PublishedValue& published = finding.published;
    text += csv_line({published.id, published.paper, published.where, std::string(sign_of(published.kind)),
                      published.value, published.value_hi, published.unit, finding.reproduced, share(finding.deviation),
                      share(finding.ratio_deviation), std::string(name_of(finding.verdict)), finding.role,
                      finding.reading, finding.note});
  }
  return text;
}

}  // namespace pimsweep::results
