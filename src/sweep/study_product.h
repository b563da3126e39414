#pragma once

#include "base/error.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// True if each factor has a value for each of its steps. Otherwise the file has an error of structure, reported
/// already: an empty list or a zip of unequal lists.
bool is_whole(const Study::Data& data);

/// Multiplies the factors: sets strides, size, and which axes vary. False if the product has more than 2^63 points,
/// which is reported at `where`.
bool multiply(Study::Data& data, const SourcePosition& where, ProblemList& problems);

}  // namespace pimsweep::sweep
