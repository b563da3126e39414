#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workload/layers/block.h"
#include "workload/layers/network.h"
#include "workload/layers/reporter.h"

namespace pimsweep::workload::layers {

/// Expands the layers of a model of the family `layers` (docs/models.md) to a flat list of steps: parses each text,
/// such as "conv1 = conv 3x3 64 from stem", with the names and parameters of its block, once per use of the block.
///
///     const Steps steps = NetworkReader(text, reporter, input).read();
///
/// Problems go to the reporter with their positions in the file, and reading continues after them, so that steps are
/// complete only if there were none. Sizes of maps depend on the image size and are
/// derived later, when a graph is built.
class NetworkReader {
 public:
  NetworkReader(const NetworkText& text, Reporter& reporter, const NetworkInput& input);

  /// The steps keep the addresses of sentences of the text.
  Steps read();

 private:
  /// Scope of the layers of a model, or of one use of a block.
  struct Scope {
    /// The block in use; nullptr for the layers of the model.
    const Block* block = nullptr;
    const Scope* outer = nullptr;
    std::map<std::string, Word, std::less<>> arguments;
    /// Earlier layers and the inputs, as steps.
    std::map<std::string, std::size_t, std::less<>> layers;
    std::map<std::string, int, std::less<>> counts;
    std::size_t previous = 0;
    std::size_t place = 0;
  };

  /// The text of a layer, split into its parts.
  struct Statement {
    const Sentence& sentence;
    /// Its words with the values of parameters.
    std::vector<Word> words;
    std::string name;
    /// The first word after the name, and the end of the options.
    std::size_t begin = 0;
    std::size_t end = 0;
    /// The steps named after "from"; nullopt if there is no "from".
    std::optional<std::vector<std::size_t>> from;
  };

  /// The arguments of a use of a block.
  struct Call {
    std::int64_t repeat = 1;
    bool repeats = false;
    bool same_stage = false;
    std::map<std::string, Word, std::less<>> arguments;
    /// Arguments of the first repetition, where they differ.
    std::map<std::string, Word, std::less<>> first;
  };

  /// Bounds on nested repetitions.
  static constexpr std::int64_t max_operators = 100000;
  static constexpr std::int64_t max_problems = 3000;

  bool is_too_large() const { return texts_ > max_operators || operators_ > max_operators; }
  bool is_stopped() const { return is_too_large() || reporter_.count() > max_problems; }

  void read_all(const std::vector<Sentence>& layers, Scope& scope);
  void read_statement(const Sentence& sentence, Scope& scope);
  Statement parts_of(const Sentence& sentence, const Scope& scope);
  void read_name(Statement& statement);
  void read_from(Statement& statement, const Scope& scope);
  /// Evaluates an "if", which is removed from the statement.
  bool is_wanted(Statement& statement);

  /// A word with its parameters replaced, and its product or quotient evaluated.
  Word resolve(const Sentence& sentence, std::size_t word, const Scope& scope);
  Word value_of(const Sentence& sentence, std::size_t word, std::string_view factor, const Scope& scope);

  void read_layer(const LayerType& type, const Statement& statement, Scope& scope, const std::string& name);
  /// The steps that a layer reads; nullopt if there is a problem.
  std::optional<std::vector<std::size_t>> sources_of(const Statement& statement, std::size_t min, std::size_t max,
                                                     const Scope& scope);
  bool suits(const Layer& layer, const std::vector<std::size_t>& sources, const Statement& statement);
  void place(const Layer& layer, std::vector<std::size_t> sources, const Sentence& sentence, Scope& scope);
  void place_unknown(Scope& scope);

  void read_use(const Block& block, const Statement& statement, Scope& scope, const std::string& name);
  Call read_call(const Block& block, const Statement& statement, const Scope& scope);
  std::map<std::string, Word, std::less<>> arguments_of(const Block& block, const Statement& statement,
                                                        const Call& call, bool is_first);
  bool recurs(const Block& block, const Statement& statement, const Scope& scope);
  std::size_t enter(const Statement& statement, const Call& call, const Scope& scope, const std::string& name,
                    std::int64_t number);

  std::vector<std::string> known_words() const;

  const NetworkText& text_;
  Reporter& reporter_;
  Steps network_;
  std::vector<Value> values_;
  /// Number of texts parsed so far, once per use of a block, and number of operators that they represent.
  std::int64_t texts_ = 0;
  std::int64_t operators_ = 0;
  std::int64_t stage_ = 0;
  std::int64_t blocks_of_stage_ = 0;
};

}  // namespace pimsweep::workload::layers
