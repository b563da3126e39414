#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "base/value.h"
#include "systems/system.h"

namespace mu {
class Parser;
}

namespace pimsweep::sweep {

/// One compiled expression of `where`. Its operands are the axes that it names, converted to numbers: SI values, 0 and
/// 1 for false and true, and a unique number for each text. To evaluate it at a point, set all operands first:
///
///     std::optional<Condition> condition = Condition::compile(text, schema, problems);
///     for (std::size_t i = 0; i < condition->axes().size(); ++i) {
///       condition->set(i, condition->number(value_of_axis(condition->axes()[i])));
///     }
///     const bool holds = condition->evaluate() != 0;
///
/// Numbers of texts are unique within a condition only, so they support equality but not order. Evaluation changes the
/// operands: use one Condition per thread.
class Condition {
 public:
  /// Compiles the expression against a system's axes. Returns nothing on error and adds every problem to
  /// `problems` with its position in the file.
  static std::optional<Condition> compile(const PlacedText& text, const systems::Schema& schema, ProblemList& problems);

  /// True for the name of a function or constant.
  static bool is_built_in(const std::string& name);

  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) noexcept;
  ~Condition();

  const PlacedText& text() const { return text_; }
  /// The distinct axes that the expression names.
  const std::vector<std::size_t>& axes() const { return axes_; }
  /// The number that represents a value.
  double number(const Value& value);
  /// Sets the value of axes()[operand].
  void set(std::size_t operand, double number) { operands_[operand] = number; }
  /// Value of the expression. Raises the floating-point exception FE_INVALID if an intermediate result is not a number.
  double evaluate() const;

 private:
  Condition();

  PlacedText text_;
  std::vector<std::size_t> axes_;
  /// The parser keeps pointers to these: never resize them after its setup.
  std::vector<double> operands_;
  std::map<std::string, double> texts_;
  std::unique_ptr<mu::Parser> parser_;

  friend class ConditionCompiler;
};

}  // namespace pimsweep::sweep
