#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "workload/layers/words.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::layers {

/// Reports problems of layers at the position of a word, once per position, since a block is parsed at each of its
/// uses.
class Reporter {
 public:
  explicit Reporter(ParameterReader& reader) : reader_(reader) {}

  /// A problem of one word; of the end of the text for the word after the last.
  void problem(const Sentence& sentence, std::size_t word, const std::string& message);
  void problem(const PlacedText& text, std::size_t offset, const std::string& message);
  /// A problem of the layer as a whole.
  void problem(const Sentence& sentence, const std::string& message) { problem(sentence.text, 0, message); }
  /// Number of problems so far, including repeated ones.
  std::int64_t count() const { return count_; }

 private:
  ParameterReader& reader_;
  std::int64_t count_ = 0;
  std::set<std::pair<std::uint32_t, std::uint32_t>> places_;
};

}  // namespace pimsweep::workload::layers
