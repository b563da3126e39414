#pragma once

#include <cstddef>
#include <memory_resource>

namespace pimsweep {

/// Memory for large data that is read and written in no order: blocks of a megabyte or more lie on huge pages where the
/// system has them to give (Linux: madvise), so that their addresses are translated without a look at the page table.
/// Smaller blocks come from the heap. It keeps nothing itself, so that threads may share it. Throws std::bad_alloc.
class HugePages final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;
};

}  // namespace pimsweep
