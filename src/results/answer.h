#pragma once

#include <vector>

#include "results/data_frame.h"
#include "results/judge.h"
#include "results/published.h"

namespace pimsweep::results {

/// Recomputes a published value from a study or table: fills value, deviation and verdict of the finding, and adds to
/// its note what a reader must know. Throws InputError if the query names a column that does not exist, or if it
/// selects several rows without a reduction.
void answer(const DataFrame& frame, const Query& query, Finding& finding);

/// The same from the numbers of the values that the query is of, in their published units. There is no answer where
/// one of them has none.
void answer_from_others(const std::vector<double>& values, const Query& query, Finding& finding);

/// The finding on a published value; `frame` is the study or table of its query, nullptr if there is none.
Finding recompute(const PublishedValue& published, const Query& query, const DataFrame* frame);

}  // namespace pimsweep::results
