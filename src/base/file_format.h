#pragma once

#include <string>
#include <string_view>

#include "base/toml.h"

namespace pimsweep {

/// Version of what experiment, hardware and model files may contain: `format = "1.0"` at the top of a file. The first
/// number is raised when files of before are no longer read, the second when there is something new to write.
struct FileFormat {
  int major = 0;
  int minor = 0;
};

inline constexpr FileFormat experiment_format{1, 0};
inline constexpr FileFormat hardware_format{1, 0};
/// Of configs/models, configs/training, and files of networks in the same language.
inline constexpr FileFormat model_format{1, 0};

/// "1.0".
std::string format_text(FileFormat format);

/// The key that gives it. A file without it is taken to have the format of this program.
inline constexpr std::string_view format_key = "format";

/// Whether this program, which reads format `known`, can read the file; reports why not. `what` says what the file is
/// ("experiment file").
bool has_known_format(const toml::table& root, std::string_view what, FileFormat known, TomlReader& reader);

}  // namespace pimsweep
