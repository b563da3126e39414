#include <memory>

#include "workload/families/architecture.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload::families {

namespace {

/// The skip-gram model of Word2vec: the vector of a word, and from it the score of each word to appear near it.
class SkipGram final : public Architecture {
 public:
  SkipGram(std::int64_t vocabulary, std::int64_t channels) : vocabulary_(vocabulary), channels_(channels) {}

  std::int64_t min_input_size() const override { return 1; }

  OperatorGraph graph(std::int64_t tokens) const override {
    GraphBuilder builder;
    const OperatorId words =
        builder.embedding(builder.input({tokens, 1}, "tokens"), vocabulary_, channels_, "word_embedding");
    builder.softmax(builder.linear(words, vocabulary_, "classifier"));
    return builder.take();
  }

 private:
  std::int64_t vocabulary_;
  std::int64_t channels_;
};

}  // namespace

std::unique_ptr<Architecture> read_skip_gram(ParameterReader& reader) {
  const std::int64_t vocabulary = reader.integer("vocabulary", {1, 10000000});
  return std::make_unique<SkipGram>(vocabulary, reader.integer("channels", {1, 65536}));
}

}  // namespace pimsweep::workload::families
