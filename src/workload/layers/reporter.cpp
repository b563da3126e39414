#include "workload/layers/reporter.h"

#include <fmt/format.h>

namespace pimsweep::workload::layers {

void Reporter::problem(const Sentence& sentence, std::size_t word, const std::string& message) {
  const std::vector<Word>& words = sentence.words;
  problem(sentence.text, word < words.size() ? words[word].offset : sentence.text.text.size(), message);
}

void Reporter::problem(const PlacedText& text, std::size_t offset, const std::string& message) {
  ++count_;
  const SourcePosition where = text.at(offset);
  if (!places_.insert({where.line, where.column}).second) return;
  reader_.problem(where, fmt::format("layer \"{}\": {}", text.text, message));
}

}  // namespace pimsweep::workload::layers
