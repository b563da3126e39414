#pragma once

#include <cstddef>
#include <memory_resource>

namespace pimsweep {

/// Memory resource for large data with random access: blocks of a megabyte or more are placed on huge pages if the
/// system provides them (Linux: madvise), which saves TLB misses. Smaller blocks come from the heap. Stateless, hence
/// thread-safe. Throws std::bad_alloc.
class HugePages final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;
};

}  // namespace pimsweep
