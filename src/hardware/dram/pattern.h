#pragma once

#include <array>
#include <cstdint>

#include "base/splitmix64.h"
#include "base/words.h"
#include "hardware/dram/address_mapping.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/power_of_two.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// Bank, row and column of request i (docs/dram.md).
enum class Pattern : std::uint8_t {
  seq,
  stride_row_1bank,
  stride_row_allbanks,
  hit_1bank,
  hit_allbanks,
  tile16x4rows_allbanks,
  pingpong_2rows_1bank,
  random,
  random_1bank,
  random_8rows_1bank,
  random_8rows_allbanks
};
inline constexpr std::array pattern_words{Word{"seq", Pattern::seq},
                                          Word{"stride_row_1bank", Pattern::stride_row_1bank},
                                          Word{"stride_row_allbanks", Pattern::stride_row_allbanks},
                                          Word{"hit_1bank", Pattern::hit_1bank},
                                          Word{"hit_allbanks", Pattern::hit_allbanks},
                                          Word{"tile16x4rows_allbanks", Pattern::tile16x4rows_allbanks},
                                          Word{"pingpong_2rows_1bank", Pattern::pingpong_2rows_1bank},
                                          Word{"random", Pattern::random},
                                          Word{"random_1bank", Pattern::random_1bank},
                                          Word{"random_8rows_1bank", Pattern::random_8rows_1bank},
                                          Word{"random_8rows_allbanks", Pattern::random_8rows_allbanks}};

/// Which requests read: all or none, every other one, runs of 64, or each with a probability of `percent`.
struct ReadMix {
  enum class Kind : std::uint8_t { reads, writes, alternate, runs_of_64, random };
  Kind kind = Kind::reads;
  std::int64_t percent = 100;

  double read_fraction() const;
};

/// A series of requests, fully determined by these values.
struct Traffic {
  Pattern pattern = Pattern::seq;
  std::int64_t requests = 0;
  ReadMix mix;
  Mapping mapping = Mapping::ro_ba_ra_co_ch;
  std::uint64_t seed = 0;
};

/// Generates the requests of a traffic one by one. Addresses beyond the channel's capacity wrap around.
class TrafficSource {
 public:
  TrafficSource(const Organization& organization, const Traffic& traffic);

  std::int64_t size() const { return traffic_.requests; }
  Request next();

 private:
  /// The k-th bank: the domain varies fastest, then the bank group.
  std::int64_t bank(std::int64_t k) const;
  Request place();
  bool write();
  std::int64_t random_below(std::int64_t n);
  std::int64_t random_below(PowerOfTwo n);

  Traffic traffic_;
  PowerOfTwo domains_;
  PowerOfTwo groups_;
  PowerOfTwo banks_of_group_;
  PowerOfTwo banks_;
  PowerOfTwo rows_;
  PowerOfTwo columns_;
  AddressMapping mapping_;
  SplitMix64 random_;
  std::int64_t i_ = 0;
};

}  // namespace pimsweep::hardware::dram
