#pragma once

#include <string>
#include <string_view>

#include "base/toml.h"

namespace pimsweep {

/// Format version of experiment, hardware and model files: `format = "1.0"` at the top of a file. The major number
/// increases when older files are no longer accepted, the minor number when a file can contain something new.
struct FileFormat {
  int major = 0;
  int minor = 0;
};

inline constexpr FileFormat experiment_format{1, 0};
inline constexpr FileFormat hardware_format{1, 0};
/// Format of files in configs/models and configs/training, and of network files in the same language.
inline constexpr FileFormat model_format{1, 0};

/// "1.0".
std::string format_text(FileFormat format);

/// Key of the format. A file without it is assumed to have the format of this program.
inline constexpr std::string_view format_key = "format";

/// True if this program, which reads format `known`, can read the file; otherwise reports the reason. `what` names the
/// kind of file ("experiment file").
bool has_known_format(const toml::table& root, std::string_view what, FileFormat known, TomlReader& reader);

}  // namespace pimsweep
