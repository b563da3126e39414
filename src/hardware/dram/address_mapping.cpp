#include "hardware/dram/address_mapping.h"

#include <algorithm>
#include <bit>

namespace pimsweep::hardware::dram {

namespace {

/// Number of low column bits that MOP4CLXOR keeps together.
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

AddressMapping::AddressMapping(const Organization& o, Mapping mapping) : turns_(mapping == Mapping::mop4clxor) {
  const auto bits = [](std::int64_t count) { return std::countr_zero(static_cast<std::uint64_t>(count)); };
  low_column_bits_ = bits(std::min(mop_columns, o.columns));
  group_shift_ = bits(o.banks);
  domain_shift_ = bits(o.groups * o.banks);
  int shift = 0;
  const auto take = [&](int width) {
    const BitField field{shift, (std::int64_t{1} << width) - 1};
    shift += width;
    return field;
  };
  const auto take_banks = [&] {
    domain_ = take(bits(o.domains));
    group_ = take(bits(o.groups));
    bank_ = take(bits(o.banks));
  };
  low_column_ = take(low_column_bits_);
  const int high_column_bits = bits(o.columns) - low_column_bits_;
  switch (mapping) {
    case Mapping::ro_ba_ra_co_ch:
      high_column_ = take(high_column_bits);
      take_banks();
      row_ = take(bits(o.rows));
      break;
    case Mapping::ch_ra_ba_ro_co:
      high_column_ = take(high_column_bits);
      row_ = take(bits(o.rows));
      bank_ = take(bits(o.banks));
      group_ = take(bits(o.groups));
      domain_ = take(bits(o.domains));
      break;
    case Mapping::mop4clxor:
      take_banks();
      high_column_ = take(high_column_bits);
      row_ = take(bits(o.rows));
      break;
  }
}

}  // namespace pimsweep::hardware::dram
