#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "base/value.h"

namespace pimsweep {

/// Parses TOML text; a syntax error becomes an InputError with its place in `file`.
toml::table parse_toml(const std::string& text, const std::string& file);

/// The entries of a table as they stand in the file (toml++ sorts them by key).
std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table);

/// An integer, real, boolean or text; nothing for lists, tables and dates.
std::optional<Value> scalar_of(const toml::node& node);

/// What was read, for messages: "the integer 4", "a list".
std::string describe(const toml::node& node);

/// Whether all entries of a table are tables, as in a section that has sections. False for an empty table.
bool has_only_tables(const toml::table& table);

/// Whether a list of names holds `name`.
bool is_among(std::string_view name, const std::vector<std::string>& names);

/// Reads the nodes of one TOML file. Whatever is wrong goes to a list of problems with its place in the file; what is
/// asked for is then empty, so that reading can go on and find all problems.
class TomlReader {
 public:
  /// `text` is the file's content. The reader keeps references to all three.
  TomlReader(const std::string& text, const std::string& file, ProblemList& problems)
      : text_(text), file_(file), problems_(problems) {}

  SourcePosition at(const toml::node& node) const { return at(node.source()); }
  SourcePosition at(const toml::key& key) const { return at(key.source()); }
  template <typename Place>
  void problem(const Place& place, std::string message) {
    problems_.add(at(place), std::move(message));
  }
  ProblemList& problems() { return problems_; }

  /// What reads the value of a key.
  using Read = std::function<void(const toml::key& key, const toml::node& node)>;
  struct Key {
    std::string_view name;
    Read read;
  };
  /// Calls the reader of each entry, in the order of the file. An entry that none of `keys` names goes to `other`, or
  /// is reported as unknown in `owner` with the nearest name and all allowed ones.
  void entries(const toml::table& table, std::string_view owner, const std::vector<Key>& keys, const Read& other = {});

  std::optional<PlacedText> text(const toml::key& key, const toml::node& node);
  std::optional<PlacedText> nonempty_text(const toml::key& key, const toml::node& node);
  /// A list of texts.
  std::vector<std::string> texts(const toml::key& key, const toml::node& node);
  /// A text that must be one of some words; `what` says what they are.
  std::optional<PlacedText> word(const toml::key& key, const toml::node& node, std::string_view what,
                                 const std::vector<std::string>& allowed);
  std::optional<std::int64_t> integer(const toml::key& key, const toml::node& node);
  /// An integer from 1 to `most`.
  std::optional<std::uint64_t> count(const toml::key& key, const toml::node& node, std::uint64_t most);
  /// A string with the place of each of its bytes, null for other nodes (not reported).
  std::optional<PlacedText> placed_string(const toml::node& node) const;

  /// A table; `expected` says what it is, as "a table [study.axes]".
  const toml::table* table(const toml::key& key, const toml::node& node, std::string_view expected);
  /// The tables of a list of tables; `expected` as "[[study]] blocks". Items that are none are left out.
  std::vector<const toml::table*> tables(const toml::key& key, const toml::node& node, std::string_view expected);

 private:
  SourcePosition at(const toml::source_region& region) const { return {file_, region.begin.line, region.begin.column}; }
  void unknown_key(const toml::key& key, std::string_view owner, const std::vector<Key>& keys);
  void needs(const toml::key& key, const toml::node& node, std::string_view expected);

  const std::string& text_;
  const std::string& file_;
  ProblemList& problems_;
};

}  // namespace pimsweep
