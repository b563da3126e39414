#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/words.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// Order of the parts of a location in the bits of an access number, and the parts that are XORed with others.
struct Mapping {
  enum class Part : std::uint8_t { none, channel, low_column, column, domain, group, bank, row };
  /// The bits of `targets`, from the first part on, are XORed with those of `source`.
  struct Xor {
    std::array<Part, 4> targets{};
    Part source = Part::none;

    friend bool operator==(const Xor&, const Xor&) = default;
  };

  /// From low bits to high ones; Part::column is what low_column leaves.
  std::array<Part, 7> order{};
  /// Width of low_column, at most that of a column.
  std::int64_t low_column_bits = 0;
  std::array<Xor, 2> xors{};

  static const Mapping ro_ba_ra_co_ch;
  static const Mapping ch_ra_ba_ro_co;
  static const Mapping mop4clxor;
  friend bool operator==(const Mapping&, const Mapping&) = default;
};

inline constexpr Mapping Mapping::ro_ba_ra_co_ch{
    .order = {Part::channel, Part::column, Part::domain, Part::group, Part::bank, Part::row}};
inline constexpr Mapping Mapping::ch_ra_ba_ro_co{
    .order = {Part::column, Part::row, Part::bank, Part::group, Part::domain, Part::channel}};
inline constexpr Mapping Mapping::mop4clxor{
    .order = {Part::low_column, Part::channel, Part::domain, Part::group, Part::bank, Part::column, Part::row},
    .low_column_bits = 2,
    .xors = {Xor{{Part::domain, Part::group, Part::bank, Part::row}, Part::column}}};
/// Mappings named as in Ramulator.
inline constexpr std::array mapping_words{Word{"RoBaRaCoCh", Mapping::ro_ba_ra_co_ch},
                                          Word{"ChRaBaRoCo", Mapping::ch_ra_ba_ro_co},
                                          Word{"MOP4CLXOR", Mapping::mop4clxor}};

/// The mapping of a name, or of parts from high bits to low ones, followed by XOR terms:
///
///     RoBaBgRaCoCh             RoBaRaCoCh
///     RoCoBaBgRaChCo2          two bits of the column below the channel
///     RoBaBgRaCoCh BaBg^Ro     bank and group, its high and low bits, are XORed with the low bits of the row
///
/// Ro row, Ba bank, Bg bank group, Ra rank or pseudo-channel, Co column, Ch channel. Throws InputError with what is
/// allowed.
Mapping parse_mapping(std::string_view text);

/// Number of consecutive accesses that a mapping keeps on one channel.
std::int64_t channel_block(const Organization& organization, const Mapping& mapping);

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
  AddressMapping(const Organization& organization, const Mapping& mapping);

  Request operator()(std::int64_t access) const {
    const auto of = [&](Mapping::Part part) { return fields_[static_cast<std::size_t>(part)].of(access); };
    Request request;
    using enum Mapping::Part;
    request.column = of(low_column) | of(column) << low_column_bits_;
    request.bank = of(bank) | of(group) << group_shift_ | of(domain) << domain_shift_;
    request.row = of(row);
    if (xors_[0].source != none) apply_xors(request);
    return request;
  }

 private:
  void apply_xors(Request& request) const;

  /// By part.
  std::array<BitField, 8> fields_{};
  std::array<Mapping::Xor, 2> xors_;
  int low_column_bits_ = 0;
  /// Fields of group and domain in the number of a bank.
  int group_shift_;
  int domain_shift_;
};

}  // namespace pimsweep::hardware::dram
