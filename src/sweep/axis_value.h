#pragma once

#include <string>
#include <string_view>

#include "base/value.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Converts an input file's value to the type of an axis and to SI units; checks type, dimension, range and choices.
/// Throws InputError (without position) with the value and what is allowed.
Value convert_value(const systems::Axis& axis, const Value& read);

/// Converts untyped text: a cell of a table or the right side of --set. With a `unit` (from the table's header), the
/// text must be a plain number in that unit.
Value convert_text(const systems::Axis& axis, std::string_view text, std::string_view unit = {});

/// Checks a value in SI units, such as one of a results file. Throws InputError (without position) with the value and
/// what is allowed.
void check_resolved(const systems::Axis& axis, const Value& value);

/// True if `text` is a number without a unit.
bool is_plain_number(std::string_view text);

}  // namespace pimsweep::sweep
