#pragma once

#include <cstddef>

#include "base/bounded_cache.h"
#include "base/key_hash.h"
#include "hardware/pe_array/gemm_mapper.h"

namespace pimsweep::systems::allspark {

/// Remembers the mappings of GEMMs: stages and partitions of a model share most of their shapes.
class GemmCache {
 public:
  /// The best mapping of a GEMM on an array; the reference holds until the array changes or very many others were
  /// asked for.
  const hardware::pe_array::GemmMapping& map(const hardware::pe_array::Gemm& gemm,
                                             const hardware::pe_array::PeArray& array);

 private:
  struct Hash {
    std::size_t operator()(const hardware::pe_array::Gemm& gemm) const { return combined_hash(gemm.m, gemm.n, gemm.k); }
  };
  hardware::pe_array::PeArray array_;
  /// Bounds the memory of a long sweep; a model needs a few hundred shapes.
  static constexpr std::size_t max_mappings = 1U << 16;
  BoundedCache<hardware::pe_array::Gemm, hardware::pe_array::GemmMapping, Hash> mappings_{max_mappings};
};

}  // namespace pimsweep::systems::allspark
