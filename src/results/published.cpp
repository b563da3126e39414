#include "results/published.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "base/csv.h"
#include "base/posix_file.h"

namespace pimsweep {

namespace {

SourcePosition position(const toml::node& node, const std::string& file) {
  return {file, node.source().begin.line, node.source().begin.column};
}

/// Puts the value of a word of a table into `value`; a word that the table lacks is a problem.
template <typename T, std::size_t size>
void read_word(const std::string& word, std::string_view key, const std::array<Word<T>, size>& table,
               SourcePosition where, T& value, ProblemList& problems) {
  if (const std::optional<T> known = value_of(table, word)) {
    value = *known;
    return;
  }
  const std::vector<std::string> allowed = words_of(table);
  problems.add(std::move(where), fmt::format("{} = \"{}\" is none of {}{}", key, word, fmt::join(allowed, ", "),
                                             suggestion(word, allowed)));
}

std::vector<PublishedValue> read_values(const std::string& path, ProblemList& problems) {
  const CsvTable table = parse_csv(read_file(path), path);
  const auto column = [&](const std::string& name) {
    const int index = table.column(name);
    if (index < 0) throw InputError({path, 1, 1}, fmt::format("there is no column '{}'", name));
    return static_cast<std::size_t>(index);
  };
  const std::size_t id = column("id"), paper = column("paper"), where = column("where"), kind = column("kind");
  const std::size_t value = column("value"), value_hi = column("value_hi"), unit = column("unit");
  std::vector<PublishedValue> values;
  for (const auto& row : table.rows) {
    PublishedKind meaning = PublishedKind::value;
    read_word(row[kind].text, "kind", published_kind_words, {path, row[kind].line, row[kind].column}, meaning,
              problems);
    values.push_back(
        {row[id].text, row[paper].text, row[where].text, meaning, row[value].text, row[value_hi].text, row[unit].text});
  }
  return values;
}

std::string scalar_text(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (const auto integer = node.value_exact<std::int64_t>()) return std::to_string(*integer);
  if (const auto real = node.value_exact<double>()) return fmt::format("{}", *real);
  if (const auto boolean = node.value_exact<bool>()) return *boolean ? "1" : "0";
  return {};
}

std::vector<Selection> read_selections(const toml::table& table) {
  std::vector<Selection> selections;
  for (const auto& [key, node] : table) {
    Selection selection{std::string(key.str()), {}};
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) selection.allowed.push_back(scalar_text(item));
    } else {
      selection.allowed.push_back(scalar_text(node));
    }
    selections.push_back(std::move(selection));
  }
  return selections;
}

void read_text(const std::string& name, const std::string& text, const SourcePosition& where, Query& query,
               ProblemList& problems) {
  if (name == "reduce") return read_word(text, name, reduction_words, where, query.reduce, problems);
  if (name == "claim") return read_word(text, name, claim_words, where, query.claim, problems);
  if (name == "role") return read_word(text, name, role_words, where, query.role, problems);
  const std::array<std::pair<std::string_view, std::string*>, 8> fields{{{"id", &query.id},
                                                                         {"system", &query.system},
                                                                         {"study", &query.study},
                                                                         {"table", &query.table},
                                                                         {"metric", &query.metric},
                                                                         {"along", &query.along},
                                                                         {"inconsistent", &query.inconsistent},
                                                                         {"note", &query.note}}};
  for (const auto& [field, target] : fields) {
    if (field == name) *target = text;
  }
}

/// Reports words that need a key that is missing, or that have no use for one that is there.
void check_query(const Query& query, ProblemList& problems) {
  const auto need = [&](bool needed, bool given, std::string_view what, std::string_view key) {
    if (needed && !given) problems.add(query.where, fmt::format("{} needs '{}'", what, key));
  };
  const bool is_argument = query.reduce == Reduction::argmax || query.reduce == Reduction::argmin;
  need(is_argument, !query.along.empty(), fmt::format("reduce = \"{}\"", word_of(reduction_words, query.reduce)),
       "along");
  if (query.claim != Claim::none) {
    const std::string claim = fmt::format("claim = \"{}\"", word_of(claim_words, query.claim));
    if (is_about_neighbors(query.claim))
      need(true, !query.along.empty(), claim, "along");
    else
      need(true, !query.over.empty(), claim, "over");
  }
  need(!query.study.empty(), !query.metric.empty(), "a check with a study", "metric");
}

Query read_query(const toml::table& table, const std::string& file, ProblemList& problems) {
  static const std::vector<std::string> keys{"id",     "system",   "study", "table",        "metric",
                                             "select", "over",     "pair",  "reduce",       "claim",
                                             "along",  "together", "role",  "inconsistent", "note"};
  Query query;
  query.where = position(table, file);
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    if (name == "select" || name == "over") {
      if (const toml::table* selections = node.as_table()) {
        (name == "select" ? query.select : query.over) = read_selections(*selections);
      } else {
        problems.add(position(node, file), fmt::format("'{}' must be a table of columns and values", name));
      }
      continue;
    }
    if ((name == "pair" || name == "together") && node.is_array()) {
      for (const toml::node& item : *node.as_array()) {
        (name == "pair" ? query.pair : query.together).push_back(scalar_text(item));
      }
      continue;
    }
    const auto text = node.value_exact<std::string>();
    if (std::find(keys.begin(), keys.end(), name) == keys.end()) {
      problems.add(position(node, file), fmt::format("unknown key '{}'{}", name, suggestion(name, keys)));
    } else if (!text) {
      problems.add(position(node, file), fmt::format("'{}' must be a string", name));
    } else {
      read_text(name, *text, position(node, file), query, problems);
    }
  }
  check_query(query, problems);
  return query;
}

void read_queries(const std::string& path, PublishedSet& set, ProblemList& problems) {
  const toml::table root = [&] {
    try {
      return toml::parse(read_file(path), path);
    } catch (const toml::parse_error& error) {
      throw InputError({path, error.source().begin.line, error.source().begin.column},
                       std::string(error.description()));
    }
  }();
  std::set<std::string> known;
  std::vector<std::string> ids;
  for (const PublishedValue& value : set.values) {
    known.insert(value.id);
    ids.push_back(value.id);
  }
  const toml::array* checks = root["check"].as_array();
  if (checks == nullptr) return;
  for (const toml::node& node : *checks) {
    const toml::table* table = node.as_table();
    if (table == nullptr) continue;
    Query query = read_query(*table, path, problems);
    if (query.system.empty()) query.system = set.paper;
    if (!known.contains(query.id)) {
      problems.add(query.where, fmt::format("'{}' is not a published id{}", query.id, suggestion(query.id, ids)));
    } else if (!set.queries.emplace(query.id, query).second) {
      problems.add(query.where, fmt::format("'{}' has a check already", query.id));
    }
  }
}

}  // namespace

std::vector<PublishedSet> read_published(const std::string& dir) {
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(dir, error)) {
    if (entry.path().extension() == ".csv") paths.push_back(entry.path());
  }
  if (error || paths.empty()) throw InputError(fmt::format("there are no published values in '{}'", dir));
  std::sort(paths.begin(), paths.end());

  ProblemList problems;
  std::vector<PublishedSet> sets;
  for (std::filesystem::path path : paths) {
    PublishedSet set{path.stem().string(), read_values(path.string(), problems), {}};
    path.replace_extension(".toml");
    if (std::filesystem::exists(path)) read_queries(path.string(), set, problems);
    sets.push_back(std::move(set));
  }
  problems.throw_if_any();
  return sets;
}

}  // namespace pimsweep
