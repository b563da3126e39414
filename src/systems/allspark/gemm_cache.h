#pragma once

#include <cstddef>
#include <unordered_map>

#include "hardware/pe_array/gemm_mapper.h"

namespace pimsweep::systems::allspark {

/// Remembers the mappings of GEMMs: stages and partitions of a model share most of their shapes.
class GemmCache {
 public:
  /// The best mapping of a GEMM on an array; the reference holds until the next call.
  const hardware::pe_array::GemmMapping& map(const hardware::pe_array::Gemm& gemm,
                                             const hardware::pe_array::PeArray& array);

 private:
  struct Hash {
    std::size_t operator()(const hardware::pe_array::Gemm& gemm) const;
  };
  hardware::pe_array::PeArray array_;
  std::unordered_map<hardware::pe_array::Gemm, hardware::pe_array::GemmMapping, Hash> mappings_;
};

}  // namespace pimsweep::systems::allspark
