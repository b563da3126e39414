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

/// One expression of `where`, ready to be evaluated for many points. Its operands are the axes that it names, as
/// numbers: SI values, 0 and 1 for false and true, and for texts a number that stands for the text.
class Condition {
 public:
  /// Checks the expression against a system's axes. Empty if something is wrong; every problem goes to `problems`, at
  /// its place in the file.
  static std::optional<Condition> compile(const PlacedText& text, const systems::Schema& schema, ProblemList& problems);

  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) noexcept;
  ~Condition();

  const PlacedText& text() const { return text_; }
  /// The axes that the expression names, each once.
  const std::vector<std::size_t>& axes() const { return axes_; }
  /// The number that stands for a value.
  double number(const Value& value);
  /// Sets the value of axes()[operand].
  void set(std::size_t operand, double number) { operands_[operand] = number; }
  /// The expression's value. The floating-point exception FE_INVALID is raised if a part of it is not a number.
  double evaluate() const;

 private:
  Condition();

  PlacedText text_;
  std::vector<std::size_t> axes_;
  /// The parser points into these: never resized once it knows them.
  std::vector<double> operands_;
  std::map<std::string, double> texts_;
  std::unique_ptr<mu::Parser> parser_;

  friend class ConditionCompiler;
};

}  // namespace pimsweep::sweep
