#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/words.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// Order of channel, column, domain, bank group, bank and row in the bits of an access number, named as in Ramulator.
enum class Mapping : std::uint8_t { ro_ba_ra_co_ch, ch_ra_ba_ro_co, mop4clxor };
inline constexpr std::array mapping_words{Word{"RoBaRaCoCh", Mapping::ro_ba_ra_co_ch},
                                          Word{"ChRaBaRoCo", Mapping::ch_ra_ba_ro_co},
                                          Word{"MOP4CLXOR", Mapping::mop4clxor}};

/// Number of consecutive accesses that a mapping keeps on one channel. The channel is the lowest field of RoBaRaCoCh
/// and the highest of ChRaBaRoCo; in MOP4CLXOR it follows the columns that are kept together.
std::int64_t channel_block(const Organization& organization, Mapping mapping);

/// A field of a number: some of its bits, starting at the lowest.
struct BitField {
  int shift = 0;
  std::int64_t mask = 0;
  std::int64_t of(std::int64_t number) const { return number >> shift & mask; }
};

/// Maps the number of an access to a channel (its address in bursts) to its location, one to one below
/// Organization::accesses().
class AddressMapping {
 public:
  AddressMapping(const Organization& organization, Mapping mapping);

  Request operator()(std::int64_t access) const {
    Request request;
    request.column = low_column_.of(access) | high_column_.of(access) << low_column_bits_;
    request.bank = bank_.of(access) | group_.of(access) << group_shift_ | domain_.of(access) << domain_shift_;
    request.row = row_.of(access);
    if (turns_) turn(request);
    return request;
  }

 private:
  /// MOP4CLXOR's change of bank and row by the bits of the column.
  void turn(Request& request) const;

  bool turns_;
  /// Fields of the column: the part that MOP4CLXOR keeps together, and the rest.
  BitField low_column_;
  BitField high_column_;
  BitField domain_;
  BitField group_;
  BitField bank_;
  BitField row_;
  int low_column_bits_;
  /// Fields of group and domain in the number of a bank.
  int group_shift_;
  int domain_shift_;
};

inline void AddressMapping::turn(Request& request) const {
  std::int64_t left = request.column;
  const auto take = [&](const BitField& field) {
    const std::int64_t taken = left & field.mask;
    left >>= std::countr_one(static_cast<std::uint64_t>(field.mask));
    return taken;
  };
  request.bank ^= take(domain_) << domain_shift_;
  request.bank ^= take(group_) << group_shift_;
  request.bank ^= take(bank_);
  request.row ^= take(row_);
}

}  // namespace pimsweep::hardware::dram
