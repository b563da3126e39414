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

/// Parses TOML text; a syntax error becomes an InputError with its position in `file`.
toml::table parse_toml(const std::string& text, const std::string& file);

/// The entries of a table in file order (toml++ sorts them by key).
std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table);

/// An integer, real, boolean or text; empty for lists, tables and dates.
std::optional<Value> scalar_of(const toml::node& node);

/// Description of a node for messages: "the integer 4", "a list".
std::string describe(const toml::node& node);

/// True if all entries of a table are tables, as in a section of sections. False for an empty table.
bool has_only_tables(const toml::table& table);

/// True if a list of names contains `name`.
bool is_among(std::string_view name, const std::vector<std::string>& names);

/// Reads the nodes of one TOML file. Every problem is added to a list with its position in the file, and the
/// value in question is left empty, so that reading can continue and find all problems.
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

  /// Reader for the value of a key.
  using Read = std::function<void(const toml::key& key, const toml::node& node)>;
  struct Key {
    std::string_view name;
    Read read;
  };
  /// Calls the reader of each entry, in file order. An entry that is not among `keys` is passed to `other` or, without
  /// it, reported as unknown in `owner` with the nearest name and all allowed ones.
  void entries(const toml::table& table, std::string_view owner, const std::vector<Key>& keys, const Read& other = {});

  std::optional<PlacedText> text(const toml::key& key, const toml::node& node);
  std::optional<PlacedText> nonempty_text(const toml::key& key, const toml::node& node);
  /// A list of texts.
  std::vector<std::string> texts(const toml::key& key, const toml::node& node);
  /// A text that must be one of the allowed words; `what` describes them in messages.
  std::optional<PlacedText> word(const toml::key& key, const toml::node& node, std::string_view what,
                                 const std::vector<std::string>& allowed);
  std::optional<std::int64_t> integer(const toml::key& key, const toml::node& node);
  /// An integer from 1 to `max`.
  std::optional<std::uint64_t> count(const toml::key& key, const toml::node& node, std::uint64_t max);
  /// A string with the position of each of its bytes; empty for other nodes, which are not reported.
  std::optional<PlacedText> placed_string(const toml::node& node) const;

  /// A table; `expected` describes it in messages: "a table [study.axes]".
  const toml::table* table(const toml::key& key, const toml::node& node, std::string_view expected);
  /// The tables of a list of tables; `expected` describes them: "[[study]] blocks". Other items are reported and left
  /// out.
  std::vector<const toml::table*> tables(const toml::key& key, const toml::node& node, std::string_view expected);

 private:
  SourcePosition at(const toml::source_region& region) const { return {file_, region.begin.line, region.begin.column}; }
  void unknown_key(const toml::key& key, std::string_view owner, const std::vector<Key>& keys);
  void unexpected(const toml::key& key, const toml::node& node, std::string_view expected);

  const std::string& text_;
  const std::string& file_;
  ProblemList& problems_;
};

}  // namespace pimsweep
