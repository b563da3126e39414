#pragma once

#include <string>
#include <string_view>

#include "base/value.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Turns what an input file gives for an axis into the axis' type and SI: checks type, dimension, range and choices.
/// Throws InputError (no position) that says what was read and what is allowed.
Value convert_value(const systems::Axis& axis, const Value& read);

/// The same for text without types: a cell of a table or the right side of --set. With a `unit` (from the table's
/// header) the text must be a plain number in that unit.
Value convert_text(const systems::Axis& axis, std::string_view text, std::string_view unit = {});

/// True if `text` is a number without a unit.
bool is_plain_number(std::string_view text);

}  // namespace pimsweep::sweep
