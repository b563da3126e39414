#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/power_of_two.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// Order of channel, column, domain, bank group, bank and row in the bits of an access number, by Ramulator's names.
enum class Mapping : std::uint8_t { ro_ba_ra_co_ch, ch_ra_ba_ro_co, mop4clxor };
inline constexpr std::array mapping_words{Word{"RoBaRaCoCh", Mapping::ro_ba_ra_co_ch},
                                          Word{"ChRaBaRoCo", Mapping::ch_ra_ba_ro_co},
                                          Word{"MOP4CLXOR", Mapping::mop4clxor}};

/// Accesses with successive numbers that a mapping keeps on one channel. The channel is the lowest field of RoBaRaCoCh
/// and the highest of ChRaBaRoCo; in MOP4CLXOR it follows the columns that are kept together.
std::int64_t channel_block(const Organization& organization, Mapping mapping);

/// Splits the number of an access into fields, lowest bits first.
class AddressFields {
 public:
  explicit AddressFields(std::int64_t access) : left_(access) {}
  std::int64_t take(PowerOfTwo count) {
    const std::int64_t field = left_ % count;
    left_ = left_ / count;
    return field;
  }

 private:
  std::int64_t left_;
};

/// Maps the number of an access of a channel (its address in bursts) to its location, one to one below
/// Organization::accesses().
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

inline Request AddressMapping::operator()(std::int64_t access) const {
  AddressFields fields(access);
  std::int64_t domain = 0;
  std::int64_t group = 0;
  std::int64_t bank = 0;
  Request request;
  switch (mapping_) {
    case Mapping::ro_ba_ra_co_ch:
      request.column = fields.take(low_columns_ * high_columns_);
      domain = fields.take(domains_);
      group = fields.take(groups_);
      bank = fields.take(banks_);
      request.row = fields.take(rows_);
      break;
    case Mapping::ch_ra_ba_ro_co:
      request.column = fields.take(low_columns_ * high_columns_);
      request.row = fields.take(rows_);
      bank = fields.take(banks_);
      group = fields.take(groups_);
      domain = fields.take(domains_);
      break;
    case Mapping::mop4clxor: {
      request.column = fields.take(low_columns_);
      domain = fields.take(domains_);
      group = fields.take(groups_);
      bank = fields.take(banks_);
      request.column |= fields.take(high_columns_) << low_columns_.bits();
      request.row = fields.take(rows_);
      AddressFields mask(request.column);
      domain ^= mask.take(domains_);
      group ^= mask.take(groups_);
      bank ^= mask.take(banks_);
      request.row ^= mask.take(rows_);
      break;
    }
  }
  request.bank = (domain << groups_.bits() | group) << banks_.bits() | bank;
  return request;
}

}  // namespace pimsweep::hardware::dram
