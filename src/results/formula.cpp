#include "results/formula.h"

#include <fmt/format.h>
#include <muParser.h>

#include <vector>

#include "base/error.h"

namespace pimsweep::results {

double evaluate_formula(const std::string& formula, const NamedNumbers& numbers) {
  std::vector<std::string> names;
  for (const auto& [name, number] : numbers) names.push_back(name);
  try {
    mu::Parser parser;
    for (const auto& [name, number] : numbers) parser.DefineConst(name, number);
    parser.SetExpr(formula);
    for (const auto& [name, place] : parser.GetUsedVar()) {
      throw InputError(fmt::format("formula '{}': unknown name '{}'{}", formula, name, suggestion(name, names)));
    }
    return parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    throw InputError(fmt::format("formula '{}': {}", formula, error.GetMsg()));
  }
}

std::optional<std::string> formula_problem(const std::string& formula, const NamedNumbers& numbers) {
  try {
    evaluate_formula(formula, numbers);
  } catch (const InputError& error) {
    return error.what();
  }
  return std::nullopt;
}

}  // namespace pimsweep::results
