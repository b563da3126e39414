#include "systems/allspark/gemm_cache.h"

#include <cstdint>

namespace pimsweep::allspark {

namespace {
/// Bounds the memory of a long sweep; a model needs a few hundred shapes.
constexpr std::size_t most_mappings = 1U << 17;
}  // namespace

std::size_t GemmCache::Hash::operator()(const hardware::Gemm& gemm) const {
  std::uint64_t hash = 0;
  for (const std::int64_t size : {gemm.m, gemm.n, gemm.k}) {
    hash = (hash ^ static_cast<std::uint64_t>(size)) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32U;
  }
  return hash;
}

const hardware::GemmMapping& GemmCache::map(const hardware::Gemm& gemm, const hardware::PeArray& array) {
  if (array_ != array || mappings_.size() >= most_mappings) {
    mappings_.clear();
    array_ = array;
  }
  const auto [found, fresh] = mappings_.try_emplace(gemm);
  if (fresh) found->second = hardware::map_gemm(gemm, array);
  return found->second;
}

}  // namespace pimsweep::allspark
