#include "hardware/dram/address_mapping.h"

#include <algorithm>

namespace pimsweep::hardware::dram {

namespace {

/// The lowest columns of a row that MOP4CLXOR keeps together.
constexpr std::int64_t mop_columns = 4;

}  // namespace

std::int64_t channel_block(const Organization& o, Mapping mapping) {
  switch (mapping) {
    case Mapping::ro_ba_ra_co_ch:
      return 1;
    case Mapping::ch_ra_ba_ro_co:
      return o.accesses();
    case Mapping::mop4clxor:
      return std::min(mop_columns, o.columns);
  }
  return 1;
}

AddressMapping::AddressMapping(const Organization& o, Mapping mapping)
    : mapping_(mapping),
      domains_(o.domains),
      groups_(o.groups),
      banks_(o.banks),
      rows_(o.rows),
      low_columns_(std::min(mop_columns, o.columns)),
      high_columns_(o.columns / low_columns_) {}

}  // namespace pimsweep::hardware::dram
