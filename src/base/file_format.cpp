#include "base/file_format.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace pimsweep {

namespace {

/// "1.0".
std::optional<FileFormat> parse_format(std::string_view text) {
  FileFormat format;
  const char* end = text.data() + text.size();
  const auto [point, major_error] = std::from_chars(text.data(), end, format.major);
  if (major_error != std::errc() || point == end || *point != '.') return std::nullopt;
  const auto [rest, minor_error] = std::from_chars(point + 1, end, format.minor);
  if (minor_error != std::errc() || rest != end || format.major < 0 || format.minor < 0) return std::nullopt;
  return format;
}

}  // namespace

std::string format_text(FileFormat format) { return fmt::format("{}.{}", format.major, format.minor); }

bool has_known_format(const toml::table& root, std::string_view what, FileFormat known, TomlReader& reader) {
  const auto entry = root.find(format_key);
  if (entry == root.end()) return true;
  const std::optional<PlacedText> text = reader.text(entry->first, entry->second);
  if (!text) return false;
  const std::optional<FileFormat> format = parse_format(text->text);
  if (!format) {
    reader.problem(entry->second, fmt::format("'{}' is not a format: write two numbers, as in format = \"{}\"",
                                              text->text, format_text(known)));
    return false;
  }
  if (format->major == known.major && format->minor <= known.minor) return true;
  const bool is_newer = format->major >= known.major;
  reader.problem(
      entry->second,
      fmt::format("the {} has format {}, and this program reads {}: {}", what, format_text(*format), format_text(known),
                  is_newer ? "use a newer pimsweep (`pimsweep --version --verbose` prints what one reads)"
                           : "bring the file up to date by CHANGELOG.md, or use the pimsweep it was written for"));
  return false;
}

}  // namespace pimsweep
