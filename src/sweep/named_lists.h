#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/toml.h"

namespace pimsweep::sweep {

/// The lists of an experiment file's `[lists]`. `"@name"` stands for such a list where a list may stand, and for its
/// values within a list: no value of an axis begins with '@', and a path that does is written "./@path".
class NamedLists {
 public:
  /// Reads `[lists]`. A list may use those above it.
  void read(TomlReader& reader, const toml::table& lists);

  /// Whether a node is a list or stands for one.
  static bool is_list(const toml::node& node);
  /// The values of such a node, each where it stands in the file. Null for a list that is not known, which is reported
  /// with the nearest name.
  std::vector<const toml::node*> values(TomlReader& reader, const toml::node& list) const;

 private:
  void append(TomlReader& reader, const toml::node& value, std::vector<const toml::node*>& values) const;

  std::map<std::string, std::vector<const toml::node*>, std::less<>> lists_;
};

}  // namespace pimsweep::sweep
