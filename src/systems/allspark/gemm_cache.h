#pragma once

#include <cstddef>
#include <unordered_map>

#include "hardware/pe_array/gemm_mapper.h"

namespace pimsweep::allspark {

/// Remembers the mappings of matrix products: the stages of a model and its schemes share most of their shapes.
class GemmCache {
 public:
  /// The best mapping of a product on an array; the reference holds until the next call.
  const hardware::GemmMapping& map(const hardware::Gemm& gemm, const hardware::PeArray& array);

 private:
  struct Hash {
    std::size_t operator()(const hardware::Gemm& gemm) const;
  };
  hardware::PeArray array_;
  std::unordered_map<hardware::Gemm, hardware::GemmMapping, Hash> mappings_;
};

}  // namespace pimsweep::allspark
