#include "results/published.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/csv.h"
#include "base/posix_file.h"
#include "base/toml.h"
#include "results/judge.h"
#include "results/measured.h"

namespace pimsweep::results {

namespace {

PublishedKind read_kind(const CsvCell& cell, const std::string& path, ProblemList& problems) {
  if (const std::optional<PublishedKind> known = value_of(published_kind_words, cell.text)) return *known;
  const std::vector<std::string> allowed = names_of(published_kind_words);
  problems.add({path, cell.line, cell.column}, fmt::format("kind = \"{}\" is none of {}{}", cell.text,
                                                           fmt::join(allowed, ", "), suggestion(cell.text, allowed)));
  return PublishedKind::value;
}

/// Bounds and ranges are numbers; a value may be a text such as "4x2".
void check_number(const CsvCell& cell, const std::string& path, ProblemList& problems) {
  if (number_in(cell.text)) return;
  problems.add({path, cell.line, cell.column}, fmt::format("a finite number is needed, read '{}'", cell.text));
}

void check_numbers(PublishedKind kind, const CsvCell& value, const CsvCell& value_hi, const std::string& path,
                   ProblemList& problems) {
  if (kind == PublishedKind::value || kind == PublishedKind::order) return;
  check_number(value, path, problems);
  if (!value_hi.text.empty()) check_number(value_hi, path, problems);
}

}  // namespace

std::string PublishedValue::text() const {
  const std::string_view sign = sign_of(kind);
  return fmt::format("{}{}{}{}{}", sign, sign.empty() ? "" : " ", value, value_hi.empty() ? "" : " .. ", value_hi);
}

std::vector<PublishedValue> parse_values(const std::string& text, const std::string& path, ProblemList& problems) {
  const CsvTable table = parse_csv(text, path);
  const auto column = [&](const std::string& name) {
    const int index = table.column(name);
    if (index < 0) throw InputError({path, 1, 1}, fmt::format("there is no column '{}'", name));
    return static_cast<std::size_t>(index);
  };
  const std::size_t id = column("id"), paper = column("paper"), where = column("where"), kind = column("kind");
  const std::size_t value = column("value"), value_hi = column("value_hi"), unit = column("unit");
  std::vector<PublishedValue> values;
  for (const auto& row : table.rows) {
    const PublishedKind meaning = read_kind(row[kind], path, problems);
    check_numbers(meaning, row[value], row[value_hi], path, problems);
    values.push_back(
        {row[id].text, row[paper].text, row[where].text, meaning, row[value].text, row[value_hi].text, row[unit].text});
  }
  return values;
}

namespace {

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
  need(!query.of.empty(), query.study.empty(), "a check of other values", "no study");
  need(query.role == CheckRole::reading, !query.reading.empty(), "role = \"reading\"", "reading");
  need(!query.reading.empty(), query.role == CheckRole::reading, "a check with a reading", "role = \"reading\"");
}

/// Reads the checks of one file.
class CheckReader {
 public:
  CheckReader(const std::string& text, const std::string& path, PublishedSet& set, ProblemList& problems)
      : reader_(text, path, problems), path_(path), set_(set), problems_(problems) {
    for (const PublishedValue& value : set.values) ids_.push_back(value.id);
  }

  void read(const toml::table& root) {
    reader_.entries(root, "a file of checks",
                    {{"measured", [&](const auto& key, const auto& node) { read_measured(key, node); }},
                     {"check",
                      [&](const auto& key, const auto& node) {
                        for (const toml::table* check : reader_.tables(key, node, "[[check]] blocks")) {
                          add(read_query(*check));
                        }
                      }},
                     {"reading", [&](const auto& key, const auto& node) {
                        for (const toml::table* reading : reader_.tables(key, node, "[[reading]] blocks")) {
                          set_.readings.push_back(read_reading(*reading));
                        }
                      }}});
    check_readings();
    for (auto& [id, query] : set_.queries) {
      check_others(query);
      check_formula(query);
    }
  }

 private:
  /// By the name in the formula: the texts that a row of measured values has in its columns.
  using MeasuredRows = std::map<std::string, std::map<std::string, std::string>>;

  void read_measured(const toml::key& key, const toml::node& node) {
    const std::optional<PlacedText> path = reader_.nonempty_text(key, node);
    if (!path) return;
    try {
      measured_.emplace((std::filesystem::path(path_).parent_path() / path->text).lexically_normal().string());
    } catch (const InputError& error) {
      reader_.problem(node, error.what());
    }
  }

  /// A check is made of values that have checks with rows of their own.
  void check_others(const Query& query) {
    for (const std::string& id : query.of) {
      const auto other = set_.queries.find(id);
      if (other == set_.queries.end() || !other->second.of.empty())
        problems_.add(query.where, fmt::format("'{}' is no value with a check of its own{}", id, suggestion(id, ids_)));
    }
  }

  /// Looks measured values up, which may stand below the checks.
  void check_formula(Query& query) {
    for (const auto& [name, row] : measured_rows_[query.id]) {
      if (!measured_) {
        problems_.add(query.where, "a check with measured values needs the key 'measured' of the file: their CSV file");
        return;
      }
      try {
        query.numbers[name] = measured_->value(row);
      } catch (const InputError& error) {
        problems_.add(query.where, error.what());
        return;
      }
    }
    if (query.formula.empty()) {
      if (!query.numbers.empty()) problems_.add(query.where, "a check with 'with' needs 'formula'");
      return;
    }
    NamedNumbers numbers = query.numbers;
    numbers["value"] = 1;
    if (const std::optional<std::string> problem = formula_problem(query.formula, numbers))
      problems_.add(query.where, *problem);
  }

  void add(Query query) {
    if (query.system.empty()) query.system = set_.paper;
    const auto published = std::ranges::find(set_.values, query.id, &PublishedValue::id);
    // Both ends of other kinds need not be numbers.
    const bool has_ends =
        published != set_.values.end() && published->kind == PublishedKind::range && !published->value_hi.empty();
    if (query.reduce == Reduction::range && published != set_.values.end() && !has_ends)
      problems_.add(query.where, fmt::format("reduce = \"range\" needs a published range, '{}' is none", query.id));
    if (!is_among(query.id, ids_)) {
      problems_.add(query.where, fmt::format("'{}' is not a published id{}", query.id, suggestion(query.id, ids_)));
    } else if (!set_.queries.emplace(query.id, query).second) {
      problems_.add(query.where, fmt::format("'{}' has a check already", query.id));
    }
  }

  Reading read_reading(const toml::table& table) {
    Reading reading;
    reader_.entries(table, "a reading",
                    {{"name", into(reading.name)},
                     {"doc", into(reading.doc)},
                     {"studies", studies_into(reading.studies)},
                     {"system", into(reading.system)},
                     {"role", word_into(reading.role, "role", role_words)},
                     {"alternatives", [&](const toml::key& key, const toml::node& node) {
                        reading.alternatives = reader_.integer(key, node).value_or(0);
                      }}});
    if (reading.name.empty() || reading.doc.empty() || reading.alternatives < 1)
      problems_.add(reader_.at(table), "a reading needs 'name', 'doc' and 'alternatives', at least 1");
    return reading;
  }

  /// Every reading that a check names must be there.
  void check_readings() {
    std::vector<std::string> names;
    for (const Reading& reading : set_.readings) names.push_back(reading.name);
    for (const auto& [id, query] : set_.queries) {
      if (!query.reading.empty() && !is_among(query.reading, names))
        problems_.add(query.where,
                      fmt::format("there is no [[reading]] '{}'{}", query.reading, suggestion(query.reading, names)));
    }
  }

  Query read_query(const toml::table& table) {
    Query query;
    MeasuredRows rows;
    query.where = reader_.at(table);
    reader_.entries(table, "a check",
                    {{"id", into(query.id)},
                     {"system", into(query.system)},
                     {"study", into(query.study)},
                     {"table", into(query.table)},
                     {"metric", into(query.metric)},
                     {"select", selections_into(query.select)},
                     {"over", selections_into(query.over)},
                     {"by", into(query.by)},
                     {"of", columns_into(query.of)},
                     {"formula", into(query.formula)},
                     {"with", [&](const auto& key, const auto& node) { read_rows(key, node, rows); }},
                     {"pair", columns_into(query.pair)},
                     {"reduce", word_into(query.reduce, "reduction", reduction_words)},
                     {"claim", word_into(query.claim, "claim", claim_words)},
                     {"along", into(query.along)},
                     {"together", columns_into(query.together)},
                     {"role", word_into(query.role, "role", role_words)},
                     {"reading", into(query.reading)},
                     {"inconsistent", into(query.inconsistent)},
                     {"note", into(query.note)}});
    check_query(query, problems_);
    measured_rows_[query.id] = std::move(rows);
    return query;
  }

  void read_rows(const toml::key& key, const toml::node& node, MeasuredRows& rows) {
    const toml::table* names = reader_.table(key, node, "a table of names and rows");
    if (names == nullptr) return;
    for (const auto& [name, row] : in_file_order(*names)) {
      const toml::table* columns = reader_.table(*name, *row, "a table of columns and texts");
      if (columns == nullptr) continue;
      for (const auto& [column, value] : in_file_order(*columns)) {
        const std::vector<std::string> texts = read_values_of(*column, *value);
        if (texts.size() == 1) rows[std::string(name->str())][std::string(column->str())] = texts.front();
      }
    }
  }

  TomlReader::Read into(std::string& text) {
    return [&](const toml::key& key, const toml::node& node) {
      if (std::optional<PlacedText> read = reader_.text(key, node)) text = std::move(read->text);
    };
  }

  template <typename T, std::size_t size>
  TomlReader::Read word_into(T& value, std::string_view what, const Words<T, size>& words) {
    return [this, &value, what, &words](const toml::key& key, const toml::node& node) {
      const std::optional<PlacedText> read = reader_.word(key, node, what, names_of(words));
      if (read) value = value_of(words, read->text).value_or(value);
    };
  }

  TomlReader::Read columns_into(std::vector<std::string>& columns) {
    return [&](const toml::key& key, const toml::node& node) { columns = reader_.texts(key, node); };
  }

  TomlReader::Read studies_into(std::map<std::string, std::string>& studies) {
    return [&](const toml::key& key, const toml::node& node) {
      const toml::table* table = reader_.table(key, node, "a table of studies");
      if (table == nullptr) return;
      for (const auto& [usual, study] : in_file_order(*table)) {
        if (const std::optional<PlacedText> name = reader_.text(*usual, *study))
          studies.emplace(usual->str(), name->text);
      }
    };
  }

  TomlReader::Read selections_into(std::vector<Selection>& selections) {
    return [&](const toml::key& key, const toml::node& node) {
      const toml::table* table = reader_.table(key, node, "a table of columns and values");
      if (table == nullptr) return;
      for (const auto& [column, values] : in_file_order(*table)) {
        selections.push_back({std::string(column->str()), read_values_of(*column, *values)});
      }
    };
  }

  std::vector<std::string> read_values_of(const toml::key& column, const toml::node& node) {
    std::vector<std::string> values;
    const auto append = [&](const toml::node& item) {
      if (const std::optional<Value> value = scalar_of(item)) {
        // Booleans are 0 and 1 in results files.
        const auto* truth = std::get_if<bool>(&*value);
        values.push_back(truth == nullptr ? to_text(*value) : *truth ? "1" : "0");
      } else {
        reader_.problem(
            item, fmt::format("'{}' needs a value or a list of them, read {}", column.str(), pimsweep::describe(item)));
      }
    };
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) append(item);
    } else {
      append(node);
    }
    return values;
  }

  TomlReader reader_;
  std::string path_;
  PublishedSet& set_;
  ProblemList& problems_;
  std::vector<std::string> ids_;
  std::optional<Measured> measured_;
  /// Of each check.
  std::map<std::string, MeasuredRows> measured_rows_;
};

}  // namespace

void parse_checks(const std::string& text, const std::string& path, PublishedSet& set, ProblemList& problems) {
  CheckReader(text, path, set, problems).read(parse_toml(text, path));
}

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
    PublishedSet set{path.stem().string(), parse_values(read_file(path.string()), path.string(), problems), {}, {}};
    path.replace_extension(".toml");
    if (std::filesystem::exists(path)) parse_checks(read_file(path.string()), path.string(), set, problems);
    sets.push_back(std::move(set));
  }
  problems.throw_if_any();
  return sets;
}

}  // namespace pimsweep::results
