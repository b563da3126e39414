#pragma once

#include <string>

#include "commands/command_line.h"

namespace pimsweep::commands {

/// The manual page pimsweep(1), made from the parser's own tables.
std::string man_page(const CLI::App& app);

}  // namespace pimsweep::commands
