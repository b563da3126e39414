#include "systems/allspark/gemm_cache.h"

namespace pimsweep::systems::allspark {

const hardware::pe_array::GemmMapping& GemmCache::map(const hardware::pe_array::Gemm& gemm,
                                                      const hardware::pe_array::PeArray& array) {
  if (array_ != array) {
    mappings_.clear();
    array_ = array;
  }
  return mappings_.get(gemm, [&] { return hardware::pe_array::map_gemm(gemm, array); });
}

}  // namespace pimsweep::systems::allspark
