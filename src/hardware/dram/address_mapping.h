#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/power_of_two.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// Order of column, domain, bank group, bank and row in the bits of an access number, by Ramulator's names.
enum class Mapping : std::uint8_t { ro_ba_ra_co_ch, ch_ra_ba_ro_co, mop4clxor };
inline constexpr std::array mapping_words{Word{"RoBaRaCoCh", Mapping::ro_ba_ra_co_ch},
                                          Word{"ChRaBaRoCo", Mapping::ch_ra_ba_ro_co},
                                          Word{"MOP4CLXOR", Mapping::mop4clxor}};

/// Maps the number of an access (its address in bursts) to its location, one to one below Organization::accesses().
class AddressMapping {
 public:
  AddressMapping(const Organization& organization, Mapping mapping);
  Request operator()(std::int64_t access) const;

 private:
  Mapping mapping_;
  PowerOfTwo domains_;
  PowerOfTwo groups_;
  PowerOfTwo banks_;
  PowerOfTwo rows_;
  /// The columns of a row: those that MOP4CLXOR keeps together, and the rest.
  PowerOfTwo low_columns_;
  PowerOfTwo high_columns_;
};

}  // namespace pimsweep::hardware::dram
