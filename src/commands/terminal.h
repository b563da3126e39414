#pragma once

#include <cstddef>

namespace pimsweep::commands {

/// Columns of the terminal that shows the standard output; $COLUMNS if that is set. Without a terminal there is no
/// limit.
std::size_t terminal_columns();

}  // namespace pimsweep::commands
