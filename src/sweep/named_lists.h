#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/toml.h"
#include "base/value.h"

namespace pimsweep::sweep {

/// The lists in `[lists]` of an experiment file. `"@name"` is replaced by such a list or, within a list, by its
/// values. A text that begins with '@' is written with two.
class NamedLists {
 public:
  /// Reads `[lists]`. A list may refer to lists above it.
  void read(TomlReader& reader, const toml::table& lists);

  /// True if a node is a list or refers to one.
  static bool is_list(const toml::node& node);
  /// Takes one '@' from a text that begins with two.
  static void unescape(Value& value);
  /// The values of such a node, with their positions in the file; nullptr for an unknown list, which is reported with
  /// the nearest name.
  std::vector<const toml::node*> values(TomlReader& reader, const toml::node& list) const;

 private:
  void append(TomlReader& reader, const toml::node& value, std::vector<const toml::node*>& values) const;

  std::map<std::string, std::vector<const toml::node*>, std::less<>> lists_;
};

}  // namespace pimsweep::sweep
