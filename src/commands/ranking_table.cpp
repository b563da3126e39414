#include "commands/ranking_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "commands/output.h"
#include "commands/text_table.h"
#include "results/point_places.h"

namespace pimsweep::commands {

namespace {

std::vector<std::string> names_of(const results::RankingOptions& request, const std::vector<std::string>& axes) {
  std::vector<std::string> names;
  for (const results::Objective& objective : request.objectives) names.push_back(objective.metric);
  for (const std::string& axis : axes) {
    if (std::find(request.group_by.begin(), request.group_by.end(), axis) == request.group_by.end())
      names.push_back(axis);
  }
  return names;
}

std::string title_of(const results::RankingOptions& request, const results::RankedGroup& group) {
  std::string title = fmt::format("study {}", group.study);
  for (std::size_t i = 0; i < group.group.size(); ++i)
    title += fmt::format(", {} {}", request.group_by[i], group.group[i]);
  title += fmt::format(": {} of {} points", group.rows.size(), group.points);
  if (group.without_result > 0) title += fmt::format("; {} more are infeasible or failed", group.without_result);
  if (group.without_number > 0) title += fmt::format("; {} more lack one of the numbers", group.without_number);
  return title;
}

}  // namespace

void print_studies(const std::string& results, const results::RankingOptions& request,
                   const std::vector<results::RankingAcross>& rankings, std::size_t max_rows, const OutputForm& form) {
  const std::string& metric = request.objectives.front().metric;
  const std::vector<std::string> headings{metric, "system", "study", "point", "axes"};
  std::vector<std::string> csv_headings = request.group_by;
  csv_headings.insert(csv_headings.end(), headings.begin(), headings.end());
  TextTable all(csv_headings);
  for (const results::RankingAcross& ranking : rankings) {
    TextTable table(headings);
    for (const results::RankedStudy& study : ranking.studies) {
      if (table.size() == max_rows) break;
      results::PointCells value(results, study.study, {metric});
      const std::string axes = results::PointPlaces(results, study.study, request.group_by).text(study.row);
      const auto line = [&](std::vector<std::string> start, bool si) {
        for (std::string text :
             {value.row(study.row, si).front(), study.system, study.study, std::to_string(study.row), axes}) {
          start.push_back(std::move(text));
        }
        return start;
      };
      table.add(line({}, false));
      all.add(line(ranking.group, true));
    }
    std::string title = "best point of each study";
    for (std::size_t i = 0; i < ranking.group.size(); ++i) {
      title += fmt::format(", {} {}", request.group_by[i], ranking.group[i]);
    }
    if (form.has_text()) fmt::print("{}\n{}", title, table.aligned());
  }
  write_table(all, form, {metric, "point"});
}

void print_ranking(const std::string& results, const results::RankingOptions& request,
                   const std::vector<results::RankedGroup>& groups, std::size_t max_rows, const OutputForm& form) {
  TableWriter writer(form);
  for (auto group = groups.begin(); group != groups.end();) {
    const std::vector<std::string> names = names_of(request, results::varying_axes(results, group->study));
    results::PointCells cells(results, group->study, names);
    std::vector<std::string> headings{"point"};
    headings.insert(headings.end(), names.begin(), names.end());
    std::vector<std::string> csv_headings{"study"};
    csv_headings.insert(csv_headings.end(), request.group_by.begin(), request.group_by.end());
    csv_headings.insert(csv_headings.end(), headings.begin(), headings.end());
    TextTable all(csv_headings);
    const std::string& id = group->study;
    for (; group != groups.end() && group->study == id; ++group) {
      TextTable table(headings);
      for (std::size_t i = 0; i < group->rows.size(); ++i) {
        const std::uint64_t point = group->rows[i];
        const auto line = [&](std::vector<std::string> start, bool si) {
          start.push_back(std::to_string(point));
          for (std::string& text : cells.row(point, si)) start.push_back(std::move(text));
          return start;
        };
        if (max_rows == 0 || i < max_rows) table.add(line({}, false));
        if (form.csv.empty() && !form.json) continue;
        std::vector<std::string> start{group->study};
        start.insert(start.end(), group->group.begin(), group->group.end());
        all.add(line(std::move(start), true));
      }
      if (!form.has_text()) continue;
      fmt::print("{}\n{}", title_of(request, *group), table.aligned());
      if (table.size() < group->rows.size())
        fmt::print("... and {} more (--csv writes all)\n", group->rows.size() - table.size());
    }
    writer.add(all, cells.numbers());
  }
  writer.write();
}

}  // namespace pimsweep::commands
