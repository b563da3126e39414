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

/// The value of a key in a model file: a scalar, or a list of scalars. Empty for a value of another form, which has
/// been reported.
struct Parameter {
  bool is_list = false;
  std::vector<Value> values;
  /// Position of each value; for a text, the position of each byte.
  std::vector<PlacedText> places;
  /// Position of the key.
  SourcePosition where;
};

/// Minimum and maximum allowed value, inclusive.
struct Range {
  std::int64_t min = 1;
  std::int64_t max = 1;
};

/// Reads the parameters of one model. A missing, mistyped or out-of-range parameter is reported as a problem and
/// replaced by a harmless value, so that reading continues and finds all problems. A family asks for its keys in any
/// order, checks relations between them only if all were valid, and leaves the rest to the caller:
///
///     const std::int64_t channels = reader.integer("channels", {1, 65536});
///     const std::int64_t heads = reader.integer("heads", {1, 1024});
///     if (reader.sound() && channels % heads != 0) reader.problem("heads", "'heads' must divide 'channels'");
///
/// finish() then reports every key that was never asked for as unknown. Keys do not have defaults here: optional ones
/// are tested with has() before.
class ParameterReader {
 public:
  /// `model_where` is the position of the model, used for missing parameters.
  ParameterReader(std::map<std::string, Parameter> parameters, std::string model, SourcePosition model_where,
                  ProblemList& problems);

  std::int64_t integer(const std::string& key, Range range);
  double real(const std::string& key, double min, double max);
  bool boolean(const std::string& key);
  /// One of several words.
  std::string choice(const std::string& key, const std::vector<std::string>& words);
  /// The value for a word of a table.
  template <typename T, std::size_t count>
  T choice(const std::string& key, const Words<T, count>& words) {
    return value_of(words, choice(key, names_of(words))).value_or(words.front().value);
  }
  /// A list of integers of any length within `lengths`. Its length becomes the number of stages.
  std::vector<std::int64_t> stages(const std::string& key, Range lengths, Range range);
  /// A list with one integer per stage.
  std::vector<std::int64_t> integers(const std::string& key, Range range);
  /// A list with one number per stage, integer or real.
  std::vector<double> reals(const std::string& key, double min, double max);

  /// A list of texts of any length within `lengths`; `meaning` describes an element.
  std::vector<PlacedText> texts(const std::string& key, Range lengths, const std::string& meaning);

  /// True if the model has a key; does not count as reading it.
  bool has(const std::string& key) const { return parameters_.contains(key); }
  /// Keys that begin with `prefix` may remain unread: other models of the file may use them.
  void pass_over(std::string prefix) { passed_over_.push_back(std::move(prefix)); }

  /// Adds a problem at a position within a parameter.
  void problem(const SourcePosition& where, const std::string& message);
  /// Adds a problem at the position of a parameter (or of the model, if the parameter is missing).
  void problem(const std::string& key, const std::string& message);
  /// True if all parameters read so far were present and valid, so that relations between them can be checked.
  bool sound() const { return sound_; }
  /// Reports every unread key. Call it last.
  void finish();

  /// The parameters read, sorted by key, one per line: the definition of the model without comments and order. Empty if
  /// there were problems.
  std::string canonical() const;

 private:
  /// The parameter if it is present and has the expected shape (scalar or list); otherwise nullptr, and a problem.
  /// `expected` describes the expected value.
  const Parameter* find(const std::string& key, bool list, const std::string& expected);
  void mistyped(const std::string& key, const std::string& expected);
  /// The values of a list with one `allowed` entry per stage; otherwise nullptr, and a problem.
  const std::vector<Value>* find_for_stages(const std::string& key, const std::string& expected,
                                            const std::function<bool(const Value&)>& allowed);

  std::map<std::string, Parameter> parameters_;
  std::string model_;
  SourcePosition model_where_;
  ProblemList& problems_;
  std::set<std::string> asked_;
  std::vector<std::string> passed_over_;
  bool sound_ = true;
  /// Unknown if the list that determines it was invalid; lists of any length are then accepted.
  std::optional<std::size_t> stage_count_;
};

}  // namespace pimsweep::workload
