#include "systems/allspark/gemm_cache.h"

#include <cstdint>

#include "base/memoized.h"

namespace pimsweep::systems::allspark {

namespace {
/// Bounds the memory of a long sweep; a model needs a few hundred shapes.
constexpr std::size_t max_mappings = 1U << 17;
}  // namespace

std::size_t GemmCache::Hash::operator()(const hardware::pe_array::Gemm& gemm) const {
  std::uint64_t hash = 0;
  for (const std::int64_t size : {gemm.m, gemm.n, gemm.k}) {
    hash = (hash ^ static_cast<std::uint64_t>(size)) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32U;
  }
  return hash;
}

const hardware::pe_array::GemmMapping& GemmCache::map(const hardware::pe_array::Gemm& gemm,
                                                      const hardware::pe_array::PeArray& array) {
  if (array_ != array || mappings_.size() >= max_mappings) {
    mappings_.clear();
    array_ = array;
  }
  return memoized(mappings_, gemm, [&] { return hardware::pe_array::map_gemm(gemm, array); });
}

}  // namespace pimsweep::systems::allspark
