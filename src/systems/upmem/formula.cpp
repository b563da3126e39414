#include "systems/upmem/formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <muParser.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace pimsweep::systems::upmem {

namespace {

/// Position and text of the unknown name in an error, if it is one.
std::string explained(const mu::Parser::exception_type& error, const std::vector<Formula::Variable>& variables) {
  if (error.GetCode() != mu::ecUNASSIGNABLE_TOKEN) return error.GetMsg();
  std::vector<std::string> names;
  names.reserve(variables.size());
  for (const Formula::Variable& variable : variables) names.push_back(variable.name);
  return fmt::format("unknown name '{}'{}; names: {}", error.GetToken(), suggestion(error.GetToken(), names),
                     fmt::join(names, ", "));
}

}  // namespace

Formula::Formula(std::string key, const PlacedText& text, const std::vector<Variable>& variables)
    : key_(std::move(key)), text_(text.text), parser_(std::make_unique<mu::Parser>()) {
  parser_->DefineFun("ceil", [](double x) { return std::ceil(x); });
  parser_->DefineFun("up", [](double x, double step) { return std::ceil(x / step) * step; });
  try {
    for (const Variable& variable : variables) parser_->DefineVar(variable.name, variable.place);
    parser_->SetExpr(text.text);
    parser_->Eval();
  } catch (const mu::Parser::exception_type& error) {
    const auto position = static_cast<std::size_t>(std::max(0, error.GetPos()));
    throw InputError(text.at(std::min(position, text.text.size())),
                     fmt::format("'{}': {}", key_, explained(error, variables)));
  }
}

Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;
Formula::~Formula() = default;

double Formula::value() const {
  const double value = parser_->Eval();
  if (!std::isfinite(value) || value < 0) {
    throw PointError(fmt::format("'{} = {}' is {}; expected a finite number that is not negative", key_, text_, value));
  }
  return value;
}

}  // namespace pimsweep::systems::upmem
