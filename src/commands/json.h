#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/value.h"

/// JSON that commands print: keys in the order in which they were added.
namespace pimsweep::commands {

using Json = nlohmann::ordered_json;

/// The document as text. Bytes that are no UTF-8 become replacement characters.
inline std::string text_of(const Json& document) {
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// A number, or null where there is none or no finite one, which JSON cannot hold.
inline Json json_of(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? Json(*number) : Json();
}

inline Json json_of(const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) return json_of(std::optional(*real));
  return std::visit([](const auto& cell) { return Json(cell); }, value);
}

}  // namespace pimsweep::commands
