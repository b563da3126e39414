#pragma once

namespace pimsweep::systems::llm::schedule {

/// A power of two, small beside `total` (2^-48 of it), of which all times of a search are made multiples: then sums of
/// times up to 16 `total` are exact in any order, and what is equal compares as equal.
double quantum_of(double total);

/// `seconds` as the nearest multiple. Infinite times stay so.
double on_grid(double seconds, double quantum);

}  // namespace pimsweep::systems::llm::schedule
