#include "sweep/condition.h"

#include <array>
#include <optional>
#include <string>

#include "expect.h"
#include "machine.h"
#include "readers.h"

namespace pimsweep::fuzz {

void read_condition(std::string_view input) {
  ProblemList problems;
  const PlacedText text{std::string(input), {"x.toml", 1, 1}, {}};
  const std::optional<sweep::Condition> condition = sweep::Condition::compile(text, schema_named("machine"), problems);
  require(condition.has_value() == problems.empty(), "a condition is compiled or refused");
  if (!condition) return;
  sweep::Condition compiled = sweep::Condition(*sweep::Condition::compile(text, schema_named("machine"), problems));
  for (const double number : {0.0, 1.0, -2.5, 1e300}) {
    for (std::size_t i = 0; i < compiled.axes().size(); ++i) compiled.set(i, number);
    compiled.evaluate();
  }
}

}  // namespace pimsweep::fuzz
