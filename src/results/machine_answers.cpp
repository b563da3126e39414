#include "results/machine_answers.h"

#include <algorithm>
#include <utility>

#include "results/answer.h"
#include "results/machine_reader.h"

namespace pimsweep::results {

namespace {

/// A published value and how it is recomputed.
struct Question {
  const PublishedValue* value;
  const Query* query;
};

/// The values of one study, by the table that they are recomputed from.
std::map<std::string, std::vector<Question>> questions_about(const Query& study, const PublishedSet& set) {
  // Points tell what each machine moves, also where no value is recomputed from them.
  std::map<std::string, std::vector<Question>> questions{{"", {}}};
  for (const PublishedValue& value : set.values) {
    const auto found = set.queries.find(value.id);
    if (found == set.queries.end()) continue;
    const Query& query = found->second;
    if (query.system == study.system && query.study == study.study && query.inconsistent.empty())
      questions[query.table].push_back({&value, &query});
  }
  return questions;
}

void answer_all(const std::vector<Question>& questions, const DataFrame& machine, MachineAnswers& answers) {
  for (const auto& [value, query] : questions) {
    const Finding finding = recompute(*value, *query, &machine);
    answers.answers[value->id].push_back({finding.number, finding.verdict});
  }
}

Move move_of(const DataFrame& usual, const DataFrame& drawn) {
  const std::vector<MovedConstant> moved = moved_constants(usual, drawn);
  return {moved.size(), moved.empty() ? std::nullopt : std::optional(moved.front())};
}

}  // namespace

MachineAnswers answer_on_machines(const StudyFrames::Place& place, const Query& query, const PublishedSet& set,
                                  const StudyFrames& frames) {
  MachineAnswers answers{place, {}, {}};
  MachineReader reader(place.file, place.study);
  const MachineRange drawn{1, reader.machines()};
  Query of_table = query;
  const auto is_named = [&](const ColumnReader& column) { return frames.is_named(of_table, column.name()); };
  DataFrame usual;
  for (const auto& of : questions_about(query, set)) {
    const std::string& table = of.first;
    const std::vector<Question>& questions = of.second;
    of_table.table = table;
    if (table.empty()) {
      // Axes that take no room in the file are the same on all machines.
      const Wanted wanted = [&](const ColumnReader& column) {
        return is_named(column) || (column.role() == ColumnRole::axis && column.is_stored());
      };
      reader.read_points({0, 1}, wanted, [&](std::size_t, const DataFrame& points) { usual = points; });
      reader.read_points(drawn, wanted, [&](std::size_t, const DataFrame& points) {
        answers.moves.push_back(move_of(usual, points));
        answer_all(questions, points, answers);
      });
    } else {
      const Wanted of_points = [&](const ColumnReader& column) {
        return is_named(column) || separates_points(usual, column.name());
      };
      reader.read_table(table, drawn, is_named, of_points,
                        [&](std::size_t, const DataFrame& rows) { answer_all(questions, rows, answers); });
    }
  }
  return answers;
}

}  // namespace pimsweep::results
