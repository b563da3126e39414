#pragma once

#include <map>
#include <optional>
#include <string>

namespace pimsweep::results {

/// Numbers by the names that a formula has for them.
using NamedNumbers = std::map<std::string, double>;

/// The value of an arithmetic formula such as "gpu / (4096 * value)". Throws InputError (no position) where it is none,
/// or names something else than `numbers`.
double evaluate_formula(const std::string& formula, const NamedNumbers& numbers);

/// What is wrong with a formula over numbers of these names; nothing if it can be evaluated.
std::optional<std::string> formula_problem(const std::string& formula, const NamedNumbers& numbers);

}  // namespace pimsweep::results
