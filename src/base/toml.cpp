#include "base/toml.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

namespace pimsweep {

namespace {

/// A quoted text from its first quote on; not beyond the end of the line.
std::size_t length_of_quoted(std::string_view line) {
  const bool escapes = line.front() == '"';
  std::size_t end = 1;
  while (end < line.size() && line[end] != line.front()) {
    if (escapes && line[end] == '\\') ++end;
    ++end;
  }
  return std::min(end + 1, line.size());
}

/// The place of the dot after which a key of the line has too many parts, or npos.
std::size_t too_deep(std::string_view line) {
  constexpr int max_dots = 64;
  int dots = 0;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '#') break;
    if (line[at] == '"' || line[at] == '\'')
      at += length_of_quoted(line.substr(at)) - 1;
    else if (line[at] == ',')
      dots = 0;
    else if (line[at] == '.' && ++dots > max_dots)
      return at;
  }
  return std::string_view::npos;
}

/// The parser and all who walk over its tables go as deep as keys have parts: a.a.a. ... = 1 with many thousands of
/// them overflows the stack.
void check_depth_of_keys(std::string_view text, const std::string& file) {
  std::uint32_t number = 1;
  for (std::string_view rest = text; !rest.empty(); ++number) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (const std::size_t at = too_deep(line); at != std::string_view::npos)
      throw InputError({file, number, static_cast<std::uint32_t>(at + 1)}, "a key has too many parts");
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
}

}  // namespace

toml::table parse_toml(const std::string& text, const std::string& file) {
  check_depth_of_keys(text, file);
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    const toml::source_position& place = error.source().begin;
    throw InputError({file, place.line, place.column}, fmt::format("not valid TOML: {}", error.description()));
  }
}

std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (auto&& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    const toml::source_position& left = a.first->source().begin;
    const toml::source_position& right = b.first->source().begin;
    return std::tie(left.line, left.column) < std::tie(right.line, right.column);
  });
  return entries;
}

std::optional<Value> scalar_of(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return integer->get();
  if (const auto* real = node.as_floating_point()) return real->get();
  if (const auto* boolean = node.as_boolean()) return boolean->get();
  if (const auto* text = node.as_string()) return text->get();
  return std::nullopt;
}

std::string describe(const toml::node& node) {
  if (const std::optional<Value> value = scalar_of(node)) {
    return type_of(*value) == ValueType::text ? fmt::format("the text '{}'", std::get<std::string>(*value))
                                              : fmt::format("the {} {}", name_of(type_of(*value)), to_text(*value));
  }
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

bool has_only_tables(const toml::table& table) {
  return !table.empty() &&
         std::all_of(table.begin(), table.end(), [](auto&& entry) { return entry.second.is_table(); });
}

bool is_among(std::string_view name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void TomlReader::entries(const toml::table& table, std::string_view owner, const std::vector<Key>& keys,
                         const Read& other) {
  for (const auto& [key, node] : in_file_order(table)) {
    const std::string_view name = key->str();
    const auto known = std::find_if(keys.begin(), keys.end(), [&](const Key& k) { return k.name == name; });
    if (known != keys.end()) {
      known->read(*key, *node);
    } else if (other) {
      other(*key, *node);
    } else {
      unknown_key(*key, owner, keys);
    }
  }
}

void TomlReader::unknown_key(const toml::key& key, std::string_view owner, const std::vector<Key>& keys) {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const Key& known : keys) names.emplace_back(known.name);
  problem(key, fmt::format("unknown key '{}' in {}{}; allowed: {}", key.str(), owner, suggestion(key.str(), names),
                           fmt::join(names, ", ")));
}

void TomlReader::unexpected(const toml::key& key, const toml::node& node, std::string_view expected) {
  problem(node, fmt::format("'{}': expected {}, got {}", key.str(), expected, describe(node)));
}

std::optional<PlacedText> TomlReader::text(const toml::key& key, const toml::node& node) {
  if (const auto* text = node.as_string()) return PlacedText{text->get(), at(node), {}};
  unexpected(key, node, "text");
  return std::nullopt;
}

std::optional<PlacedText> TomlReader::nonempty_text(const toml::key& key, const toml::node& node) {
  if (const auto* text = node.as_string(); text != nullptr && !text->get().empty()) {
    return PlacedText{text->get(), at(node), {}};
  }
  unexpected(key, node, "nonempty text");
  return std::nullopt;
}

std::optional<PlacedText> TomlReader::word(const toml::key& key, const toml::node& node, std::string_view what,
                                           const std::vector<std::string>& allowed) {
  std::optional<PlacedText> word = text(key, node);
  if (!word || is_among(word->text, allowed)) return word;
  problem(node, fmt::format("there is no {} '{}'{}; allowed: {}", what, word->text, suggestion(word->text, allowed),
                            fmt::join(allowed, ", ")));
  return std::nullopt;
}

std::vector<std::string> TomlReader::texts(const toml::key& key, const toml::node& node) {
  std::vector<std::string> texts;
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    unexpected(key, node, "a list of texts");
    return texts;
  }
  for (const toml::node& item : *list) {
    if (std::optional<PlacedText> read = text(key, item)) texts.push_back(std::move(read->text));
  }
  return texts;
}

std::optional<std::int64_t> TomlReader::integer(const toml::key& key, const toml::node& node) {
  if (const auto* integer = node.as_integer()) return integer->get();
  unexpected(key, node, "an integer");
  return std::nullopt;
}

std::optional<std::uint64_t> TomlReader::count(const toml::key& key, const toml::node& node, std::uint64_t max) {
  const std::optional<std::int64_t> read = integer(key, node);
  if (!read) return std::nullopt;
  if (*read >= 1 && static_cast<std::uint64_t>(*read) <= max) return static_cast<std::uint64_t>(*read);
  problem(node, fmt::format("'{}' must be from 1 to {}, got {}", key.str(), max, *read));
  return std::nullopt;
}

std::optional<PlacedText> TomlReader::placed_string(const toml::node& node) const {
  const auto* text = node.as_string();
  if (text == nullptr) return std::nullopt;
  return place_toml_string(text_, at(node), text->get());
}

const toml::table* TomlReader::table(const toml::key& key, const toml::node& node, std::string_view expected) {
  if (!node.is_table()) unexpected(key, node, expected);
  return node.as_table();
}

std::vector<const toml::table*> TomlReader::tables(const toml::key& key, const toml::node& node,
                                                   std::string_view expected) {
  std::vector<const toml::table*> tables;
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    unexpected(key, node, expected);
    return tables;
  }
  for (const toml::node& item : *list) {
    if (item.is_table()) {
      tables.push_back(item.as_table());
    } else {
      unexpected(key, item, expected);
    }
  }
  return tables;
}

}  // namespace pimsweep
