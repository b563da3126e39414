#pragma once

#include <cstdint>

namespace pimsweep::systems::llm::step::cent {

/// A decoder of equal blocks with a gated feed-forward network, 16-bit. Sizes are elements.
struct Shape {
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t ffn = 0;
  std::int64_t blocks = 0;
  std::int64_t head_size = 0;
  std::int64_t vocabulary = 0;

  /// Queries that share a head of keys and values.
  std::int64_t queries_of_head() const { return heads / kv_heads; }
  std::int64_t query_size() const { return heads * head_size; }
  std::int64_t key_size() const { return kv_heads * head_size; }
};

}  // namespace pimsweep::systems::llm::step::cent
