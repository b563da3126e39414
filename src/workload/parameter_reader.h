#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "base/value.h"
#include "base/words.h"

namespace pimsweep::workload {

/// A key's value in a model file: a scalar, or a list of scalars. No scalar at all stands for a value of another form,
/// which has been reported.
struct Parameter {
  bool is_list = false;
  std::vector<Value> values;
  /// Where each value stands; with the place of each byte for a text.
  std::vector<PlacedText> places;
  /// Where the key stands.
  SourcePosition where;
};

/// Least and largest allowed value, both included.
struct Range {
  std::int64_t min = 1;
  std::int64_t max = 1;
};

/// Reads the parameters of one model. A missing, mistyped or out-of-range parameter becomes a problem, and a harmless
/// value is returned so that reading can go on and find all problems.
class ParameterReader {
 public:
  /// `model_where` is where the model begins: the place of a missing parameter.
  ParameterReader(std::map<std::string, Parameter> parameters, std::string model, SourcePosition model_where,
                  ProblemList& problems);

  std::int64_t integer(const std::string& key, Range range);
  double real(const std::string& key, double least, double most);
  bool boolean(const std::string& key);
  /// One of some words.
  std::string choice(const std::string& key, const std::vector<std::string>& words);
  /// The value of one of the words of a table.
  template <typename T, std::size_t count>
  T choice(const std::string& key, const Words<T, count>& words) {
    return value_of(words, choice(key, names_of(words))).value_or(words.front().value);
  }
  /// A list of integers of any length within `lengths`. Its length is the number of stages from here on.
  std::vector<std::int64_t> stages(const std::string& key, Range lengths, Range range);
  /// A list with one integer for each stage.
  std::vector<std::int64_t> integers(const std::string& key, Range range);
  /// A list with one number for each stage, integer or real.
  std::vector<double> reals(const std::string& key, double least, double most);

  /// A list of texts of any length within `lengths`; `meaning` says what each is.
  std::vector<PlacedText> texts(const std::string& key, Range lengths, const std::string& meaning);

  /// Whether the model has a key; asks for nothing.
  bool has(const std::string& key) const { return parameters_.contains(key); }
  /// Keys that begin with `prefix` need no reader: other models of the file may have one.
  void pass_over(std::string prefix) { passed_over_.push_back(std::move(prefix)); }

  /// Adds a problem at a place within a parameter.
  void problem(const SourcePosition& where, const std::string& message);
  /// Adds a problem at the place of a parameter (or of the model, if it lacks the parameter).
  void problem(const std::string& key, const std::string& message);
  /// Whether all that was asked for so far was there and right: what relations between parameters can be checked on.
  bool sound() const { return sound_; }
  /// Reports every key that nothing asked for. Call it last.
  void finish();

  /// The parameters asked for, sorted by key, one a line: the model's definition without comments and order. Empty if
  /// there were problems.
  std::string canonical() const;

 private:
  /// The parameter if it is there and has the wanted shape (scalar or list); else null, and a problem. `expected` says
  /// in words what the key should hold.
  const Parameter* find(const std::string& key, bool list, const std::string& expected);
  void mistyped(const std::string& key, const std::string& expected);
  /// The values of a list with one entry for each stage, all of which are `allowed`; else null, and a problem.
  const std::vector<Value>* find_for_stages(const std::string& key, const std::string& expected,
                                            const std::function<bool(const Value&)>& allowed);

  std::map<std::string, Parameter> parameters_;
  std::string model_;
  SourcePosition model_where_;
  ProblemList& problems_;
  std::set<std::string> asked_;
  std::vector<std::string> passed_over_;
  bool sound_ = true;
  /// Unknown where the list that tells it was wrong: then lists of any length pass.
  std::optional<std::size_t> stage_count_;
};

}  // namespace pimsweep::workload
