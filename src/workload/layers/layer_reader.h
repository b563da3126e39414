#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "workload/layers/layer.h"
#include "workload/layers/layer_type.h"
#include "workload/layers/reporter.h"
#include "workload/layers/words.h"

namespace pimsweep::workload::layers {

/// Reads the numbers and options of one layer word by word, and reports every problem at the position of its word.
class LayerReader {
 public:
  /// `words` are the words of the sentence with parameters replaced by values; those of the layer range from `begin`,
  /// after the word for its type, to `end`.
  LayerReader(const LayerType& type, const Sentence& sentence, const std::vector<Word>& words, std::size_t begin,
              std::size_t end, Reporter& reporter)
      : type_(type), sentence_(sentence), words_(words), next_(begin), end_(end), reporter_(reporter) {}

  /// False if there is a problem.
  bool read(Layer& layer);
  /// Batch normalization follows in the same text.
  bool has_norm() const { return given_.contains("norm"); }
  /// The activation function that follows in the same text; nullptr if there is none.
  const LayerType* function() const { return function_; }

 private:
  void problem(std::size_t word, const std::string& message);
  /// Usage of a layer of this type.
  std::string usage() const;
  /// The next word, if there is one.
  const Word* word() const { return next_ < end_ ? &words_[next_] : nullptr; }
  static std::string quoted(const Word* word);
  bool is_option(const std::string& text) const;
  bool is_function(const std::string& text) const;

  void read_extent(Layer& layer);
  void read_number(const Number& number, Layer& layer);
  void read_option(Layer& layer);
  void read_padding(Layer& layer);
  std::int64_t option_value(Range range);
  void complete_window(Layer& layer);

  const LayerType& type_;
  const Sentence& sentence_;
  const std::vector<Word>& words_;
  std::size_t next_;
  std::size_t end_;
  Reporter& reporter_;
  bool sound_ = true;
  std::set<std::string> given_;
  const LayerType* function_ = nullptr;
};

}  // namespace pimsweep::workload::layers
