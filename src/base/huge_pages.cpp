#include "base/huge_pages.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace pimsweep {

namespace {

/// A page of x86-64 and of most other processors; elsewhere blocks are only aligned more than they need be.
constexpr std::size_t huge_page = std::size_t{1} << 21;
constexpr std::size_t min_huge_block = huge_page / 2;

std::align_val_t block_alignment(std::size_t bytes, std::size_t alignment) {
  return std::align_val_t{bytes < min_huge_block ? alignment : std::max(alignment, huge_page)};
}

}  // namespace

void* HugePages::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < min_huge_block) return ::operator new(bytes, block_alignment(bytes, alignment));
  // Whole pages, so that nothing else lies on the last one.
  const std::size_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
  void* const block = ::operator new(whole, block_alignment(bytes, alignment));
#if defined(MADV_HUGEPAGE)
  // Only a hint: without huge pages the memory is as good, but slower.
  madvise(block, whole, MADV_HUGEPAGE);
#endif
  return block;
}

void HugePages::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  ::operator delete(block, block_alignment(bytes, alignment));
}

bool HugePages::do_is_equal(const std::pmr::memory_resource& other) const noexcept {
  return dynamic_cast<const HugePages*>(&other) != nullptr;
}

}  // namespace pimsweep
