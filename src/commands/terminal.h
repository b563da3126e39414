#pragma once

#include <cstddef>

namespace pimsweep::commands {

/// Columns of the terminal that shows the standard output; $COLUMNS if that is set; 0 if there is none, which is no
/// limit.
std::size_t terminal_columns();

}  // namespace pimsweep::commands
