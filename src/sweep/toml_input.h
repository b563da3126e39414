#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/value.h"

namespace pimsweep::sweep {

/// Parses TOML text; a syntax error becomes an InputError with its place in `file`.
toml::table parse_toml(const std::string& text, const std::string& file);

SourcePosition position_of(const toml::node& node, const std::string& file);
SourcePosition position_of(const toml::key& key, const std::string& file);

/// The entries of a table as they stand in the file (toml++ sorts them by key).
std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table);

/// An integer, real, boolean or text; nothing for lists, tables and dates.
std::optional<Value> scalar_of(const toml::node& node);

/// What was read, for messages: "the integer 4", "a list".
std::string describe(const toml::node& node);

}  // namespace pimsweep::sweep
