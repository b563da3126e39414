#pragma once

#include <string_view>
#include <vector>

namespace pimsweep::workload::import {

/// Parts of a text between separators, one more than there are separators.
inline std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = 0; (end = text.find(separator)) != std::string_view::npos;
       text.remove_prefix(end + separator.size())) {
    parts.push_back(text.substr(0, end));
  }
  parts.push_back(text);
  return parts;
}

}  // namespace pimsweep::workload::import
