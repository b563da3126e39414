#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/value.h"

namespace pimsweep::workload {

/// A text of a model file. `where` is the position of its first character; `verbatim` says that the file has no escapes
/// in it, so that the position of every character is known.
struct PlacedText {
  std::string text;
  SourcePosition where;
  bool verbatim = false;

  /// The position of a character, or of the whole text if it is not verbatim.
  SourcePosition at(std::size_t offset) const;
};

/// The position of a value in its file.
struct ValuePlace {
  SourcePosition begin;
  /// Number of characters; 0 for a value of several lines.
  std::size_t length = 0;
};

/// The value of a key in a model file: a scalar or a list of scalars. It is empty for a value of another form, which
/// has been reported.
struct Parameter {
  bool is_list = false;
  std::vector<Value> values;
  /// One for each value.
  std::vector<ValuePlace> places;
  SourcePosition where;
};

/// The smallest and the largest allowed value, both included.
struct Range {
  std::int64_t min = 1;
  std::int64_t max = 1;
};

/// Reads the parameters of one model. A parameter that is missing, mistyped or out of range is added to the problems,
/// and a harmless value is returned, so that reading goes on and finds all problems.
class ParameterReader {
 public:
  /// `model_where` is the position of the model, where missing parameters are reported.
  ParameterReader(std::map<std::string, Parameter> parameters, std::string model, SourcePosition model_where,
                  ProblemList& problems);

  std::int64_t integer(const std::string& key, Range range);
  double real(const std::string& key, double min, double max);
  bool boolean(const std::string& key);
  /// One of these words.
  std::string choice(const std::string& key, const std::vector<std::string>& words);
  /// A list of integers whose length, within `lengths`, sets the number of stages for the lists that follow.
  std::vector<std::int64_t> stages(const std::string& key, Range lengths, Range range);
  /// A list with one integer for each stage.
  std::vector<std::int64_t> integers(const std::string& key, Range range);
  /// A list with one number for each stage, integer or real.
  std::vector<double> reals(const std::string& key, double min, double max);

  /// A list of texts whose length is within `lengths`; `meaning` describes them in messages.
  std::vector<PlacedText> texts(const std::string& key, Range lengths, const std::string& meaning);

  /// Adds a problem at a position within a parameter.
  void problem(const SourcePosition& where, const std::string& message);
  /// Adds a problem at the position of a parameter, or of the model if it lacks the parameter.
  void problem(const std::string& key, const std::string& message);
  /// Whether all parameters read so far were present and valid, so that relations between them can be checked.
  bool sound() const { return sound_; }
  /// Reports every key that was not read. Call it last.
  void finish();

  /// The parameters that were read, one a line, sorted by key: the definition of the model without its comments and
  /// order. Empty if there were problems.
  std::string canonical() const;

 private:
  /// The parameter if it is present and has the wanted form (scalar or list); otherwise nullptr, with a problem added.
  /// `expected` describes the allowed values in words.
  const Parameter* find(const std::string& key, bool list, const std::string& expected);
  void mistyped(const std::string& key, const std::string& expected);
  /// The values of a list with one entry for each stage, all of which are `allowed`; otherwise nullptr, with a problem
  /// added.
  const std::vector<Value>* find_for_stages(const std::string& key, const std::string& expected,
                                            const std::function<bool(const Value&)>& allowed);

  std::map<std::string, Parameter> parameters_;
  std::string model_;
  SourcePosition model_where_;
  ProblemList& problems_;
  std::set<std::string> asked_;
  bool sound_ = true;
  /// Unknown if the list that sets it was invalid; then lists of any length pass.
  std::optional<std::size_t> stage_count_;
};

}  // namespace pimsweep::workload
