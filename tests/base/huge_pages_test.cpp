#include "base/huge_pages.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <vector>

using namespace pimsweep;

TEST_CASE("blocks of any size are aligned and apart, and can be given back", "[huge_pages]") {
  HugePages pages;
  std::pmr::memory_resource& memory = pages;
  struct Block {
    unsigned char* begin;
    std::size_t bytes;
    std::size_t alignment;
  };
  std::vector<Block> blocks;
  constexpr std::size_t megabyte = std::size_t{1} << 20;
  for (const std::size_t bytes :
       {std::size_t{1}, std::size_t{100}, megabyte - 1, megabyte, 2 * megabyte, 5 * megabyte + 3}) {
    for (const std::size_t alignment : {std::size_t{1}, std::size_t{64}, 4 * megabyte}) {
      auto* const begin = static_cast<unsigned char*>(memory.allocate(bytes, alignment));
      CHECK(reinterpret_cast<std::uintptr_t>(begin) % alignment == 0);
      if (bytes >= megabyte) CHECK(reinterpret_cast<std::uintptr_t>(begin) % (2 * megabyte) == 0);
      std::memset(begin, static_cast<int>(blocks.size()), bytes);
      blocks.push_back({begin, bytes, alignment});
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    CHECK(blocks[i].begin[0] == i);
    CHECK(blocks[i].begin[blocks[i].bytes - 1] == i);
    memory.deallocate(blocks[i].begin, blocks[i].bytes, blocks[i].alignment);
  }
  CHECK(memory.is_equal(HugePages()));
  CHECK(!memory.is_equal(*std::pmr::new_delete_resource()));
}
