#include "base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace pimsweep {

std::string SourcePosition::text() const {
  if (file.empty()) return {};
  if (line == 0) return file;
  return column == 0 ? fmt::format("{}:{}", file, line) : fmt::format("{}:{}:{}", file, line, column);
}

namespace {

std::string list_problems(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    const std::string where = problem.where.text();
    text += where.empty() ? problem.message : fmt::format("{}: {}", where, problem.message);
  }
  return text;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

/// A message without what it quotes and without numbers, as other problems of its kind have it.
std::string kind_of(std::string_view message) {
  std::string kind;
  bool is_quoted = false;
  for (const char character : message) {
    if (character == '\'') is_quoted = !is_quoted;
    if (!is_quoted && (character < '0' || character > '9')) kind += character;
  }
  return kind;
}

/// The first hundred problems of each kind, and of the others their number.
std::vector<Problem> first_of_each_kind(std::vector<Problem> problems) {
  constexpr std::size_t max_of_a_kind = 100;
  std::map<std::string, std::size_t> counts;
  std::vector<Problem> kept;
  for (Problem& problem : problems) {
    if (++counts[kind_of(problem.message)] <= max_of_a_kind) kept.push_back(std::move(problem));
  }
  if (const std::size_t left = problems.size() - kept.size(); left > 0)
    kept.emplace_back().message = fmt::format("{} more problems of the kinds above", left);
  return kept;
}

/// Letters at the beginning and at the end that two names share.
std::size_t alike(std::string_view a, std::string_view b) {
  const auto begin = std::ranges::mismatch(a, b).in1 - a.begin();
  const auto end = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin();
  return static_cast<std::size_t>(begin + end);
}

/// The shortest candidate of which `name` is a part. Fewer letters say too little.
std::string shortest_with(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t min_letters = 4;
  std::string best;
  if (name.size() < min_letters) return best;
  for (const std::string& candidate : candidates) {
    if (candidate.find(name) != std::string::npos && (best.empty() || candidate.size() < best.size())) best = candidate;
  }
  return best;
}

}  // namespace

InputError::InputError(std::vector<Problem> problems)
    : std::runtime_error(list_problems(problems)), problems_(std::move(problems)) {}

InputError::InputError(SourcePosition where, std::string message)
    : InputError(std::vector<Problem>(1, Problem{std::move(where), std::move(message)})) {}

void ProblemList::add(const InputError& error) {
  problems_.insert(problems_.end(), error.problems().begin(), error.problems().end());
}

void ProblemList::add_at(const SourcePosition& where, const InputError& error) {
  for (const Problem& problem : error.problems()) {
    add(problem.where.file.empty() ? where : problem.where, problem.message);
  }
}

void ProblemList::throw_if_any() const {
  if (problems_.empty()) return;
  std::vector<Problem> sorted;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Problem& problem : problems_) {
    if (seen.emplace(problem.where.text(), problem.message).second) sorted.push_back(problem);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.where.file, a.where.line, a.where.column) < std::tie(b.where.file, b.where.line, b.where.column);
  });
  throw InputError(first_of_each_kind(std::move(sorted)));
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // The distance is at least the difference in length, and a very long name is near to nothing.
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) > best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    const bool is_nearer = distance < best_distance;
    // Of equally near names, the one that begins and ends alike: llama-3.1-8b for llama-3-8b instead of llama-2-7b.
    const bool is_alike = distance == best_distance && !best.empty() && alike(name, candidate) > alike(name, best);
    if (is_nearer || is_alike) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best.empty() ? shortest_with(name, candidates) : best;
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? std::string{} : fmt::format(" (did you mean '{}'?)", nearest);
}

}  // namespace pimsweep
