#include "results/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/csv.h"
#include "base/error.h"
#include "results/answer.h"
#include "results/study_frames.h"

namespace pimsweep::results {

namespace {

/// Findings by the id of their value: the usual one first, then those of readings.
using Findings = std::map<std::string, std::vector<Finding>>;

/// Whether readings have lines of their own.
bool hangs_on_studies(const Query& query) {
  return query.role != CheckRole::calibrated && query.role != CheckRole::definition && query.inconsistent.empty();
}

/// The same from the studies of readings, where those have the rows and give another value.
void find_in_readings(const Query& query, const std::vector<Reading>& readings, StudyFrames& frames,
                      std::vector<Finding>& findings) {
  if (!hangs_on_studies(query)) return;
  const Finding usual = findings.back();
  for (const Reading& reading : readings) {
    const auto study = reading.studies.find(query.study);
    if (study == reading.studies.end()) continue;
    Query read = query;
    read.study = study->second;
    if (!reading.system.empty()) read.system = reading.system;
    read.role = reading.role;
    read.reading = reading.name;
    Finding finding = recompute(usual.published, read, frames.usual(read));
    if (finding.verdict != Verdict::open && finding.reproduced != usual.reproduced)
      findings.push_back(std::move(finding));
  }
}

/// The number of a value under a reading, the usual one where that changes nothing.
std::optional<double> number_under(const std::vector<Finding>& findings, const std::string& reading) {
  const auto found = std::ranges::find(findings, reading, &Finding::reading);
  return (found == findings.end() ? findings.front() : *found).number;
}

/// A value that is made of others, once more for each reading that moves one of them.
std::vector<Finding> find_of_others(const PublishedValue& value, const Query& query, const PublishedSet& set,
                                    const Findings& others) {
  const auto under = [&](const Query& read) {
    Finding finding = recompute(value, read, nullptr);
    std::vector<double> numbers;
    for (const std::string& id : read.of) {
      if (const std::optional<double> number = number_under(others.at(id), read.reading)) numbers.push_back(*number);
    }
    answer_from_others(numbers, read, finding);
    return finding;
  };
  std::vector<Finding> findings{under(query)};
  if (!hangs_on_studies(query)) return findings;
  for (const Reading& reading : set.readings) {
    Query read = query;
    read.role = reading.role;
    read.reading = reading.name;
    Finding finding = under(read);
    if (finding.verdict != Verdict::open && finding.reproduced != findings.front().reproduced)
      findings.push_back(std::move(finding));
  }
  return findings;
}

void find_all(const PublishedSet& set, StudyFrames& frames, std::vector<Finding>& findings) {
  Findings found;
  for (const PublishedValue& value : set.values) {
    const auto check = set.queries.find(value.id);
    const Query query = check == set.queries.end() ? Query{} : check->second;
    std::vector<Finding>& of_value = found[value.id];
    of_value.push_back(recompute(value, query, frames.usual(query)));
    if (check != set.queries.end()) find_in_readings(query, set.readings, frames, of_value);
  }
  for (const auto& [id, query] : set.queries) {
    if (!query.of.empty()) found.at(id) = find_of_others(found.at(id).front().published, query, set, found);
  }
  for (const PublishedValue& value : set.values) std::ranges::move(found.at(value.id), std::back_inserter(findings));
}

/// The sets of these papers. Throws InputError for a paper that there is not.
std::vector<PublishedSet> sets_of(const std::vector<PublishedSet>& published, const std::vector<std::string>& papers) {
  std::vector<std::string> known;
  for (const PublishedSet& set : published) known.push_back(set.paper);
  std::vector<PublishedSet> sets;
  for (const std::string& paper : papers) {
    const auto place = std::ranges::find(known, paper);
    if (place == known.end())
      throw InputError(fmt::format("there are no published values of '{}'{}", paper, suggestion(paper, known)));
    sets.push_back(published[static_cast<std::size_t>(place - known.begin())]);
  }
  return sets;
}

}  // namespace

std::vector<Finding> make_report(const std::vector<std::string>& results_files,
                                 const std::vector<PublishedSet>& published, const std::vector<std::string>& papers) {
  const std::vector<PublishedSet> sets = papers.empty() ? published : sets_of(published, papers);
  StudyFrames frames(results_files, sets);
  std::vector<Finding> findings;
  for (const PublishedSet& set : sets) {
    const bool covered = !papers.empty() || std::any_of(set.queries.begin(), set.queries.end(), [&](const auto& entry) {
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
