#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep {

/// A place in an input file. Lines and columns count from 1; 0 means unknown.
struct SourcePosition {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  /// "file:line:column" without its unknown parts; empty if the file is unknown.
  std::string text() const;
};

/// One problem in the user's input. The message states what was found, what is allowed and, for a mistyped name, the
/// nearest valid one.
struct Problem {
  SourcePosition where;
  std::string message;
};

/// Bad input, with every problem found, so that the user sees all of them at once. what() lists them, one per line.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Problem> problems);
  InputError(SourcePosition where, std::string message);
  explicit InputError(std::string message) : InputError(SourcePosition{}, std::move(message)) {}
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

/// Collects problems while files are read; throw_if_any() reports them all.
class ProblemList {
 public:
  void add(SourcePosition where, std::string message) { problems_.push_back({std::move(where), std::move(message)}); }
  void add(const InputError& error);
  /// Adds the problems of an error; those without a position get `where`.
  void add_at(const SourcePosition& where, const InputError& error);
  bool empty() const { return problems_.empty(); }
  const std::vector<Problem>& problems() const { return problems_; }
  /// Throws InputError with all problems, in file order, if there are any. Duplicates, as from a
  /// file that several studies share, are listed once.
  void throw_if_any() const;

 private:
  std::vector<Problem> problems_;
};

/// A design point that cannot be evaluated: recorded as `failed` with this message while the sweep continues.
class PointError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The candidate with the smallest edit distance to `name`. If none is near (distance above a third of the length), the
/// shortest candidate that contains `name`, or empty.
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// " (did you mean 'X'?)" for the nearest candidate, or empty.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace pimsweep
