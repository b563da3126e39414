#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/placed_text.h"

namespace mu {
class Parser;
}

namespace pimsweep::systems::upmem {

/// A number of a kernel's description, by a formula over named variables: the operators of muParser, `ceil(x)`, `min`,
/// `max`, `c ? a : b`, and `up(x, step)`, the smallest multiple of the step that is not below x.
class Formula {
 public:
  struct Variable {
    std::string name;
    /// Refers to a number that outlives the formula.
    double* place;
  };
  /// Throws InputError at the place in the text where it is not a formula over these variables.
  Formula(std::string key, const PlacedText& text, const std::vector<Variable>& variables);
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;
  ~Formula();

  /// The value at the present variables. Throws PointError if it is negative or no finite number.
  double value() const;

 private:
  std::string key_;
  std::string text_;
  std::unique_ptr<mu::Parser> parser_;
};

}  // namespace pimsweep::systems::upmem
