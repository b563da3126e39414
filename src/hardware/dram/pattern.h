#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "base/splitmix64.h"
#include "base/words.h"
#include "hardware/dram/address_mapping.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/interleaving.h"
#include "hardware/dram/power_of_two.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// Access pattern: bank, row and column of request i (docs/dram.md).
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

/// True for patterns with random locations.
constexpr bool draws_places(Pattern pattern) {
  return pattern == Pattern::random || pattern == Pattern::random_1bank || pattern == Pattern::random_8rows_1bank ||
         pattern == Pattern::random_8rows_allbanks;
}

/// Read/write mix: all reads or all writes, alternating, runs of 64, or reads with a probability of `percent`.
struct ReadMix {
  enum class Kind : std::uint8_t { reads, writes, alternate, runs_of_64, random };
  Kind kind = Kind::reads;
  std::int64_t percent = 100;

  double read_fraction() const;
  /// Requests after which the mix repeats; 0 if it is random.
  std::int64_t cycle() const;
};

inline constexpr std::int64_t max_mix_cycle = 128;

/// A series of requests, fully determined by these values, and the number of channels that share it.
struct Traffic {
  Pattern pattern = Pattern::seq;
  std::int64_t requests = 0;  ///< over all channels
  ReadMix mix;
  Mapping mapping = Mapping::ro_ba_ra_co_ch;
  std::uint64_t seed = 0;
  std::int64_t channels = 1;
};

/// Distribution over channels of requests with fixed locations: one by one, or by the mapping for flat addresses.
Interleaving interleaving(const Organization& organization, const Traffic& traffic);

/// A regularity of traffic without random draws: request i + `period` goes where request i goes, `visits` later. A
/// visit is a row of a bank; visit v is row v / banks of bank number v % banks, counted as in
/// TrafficSource::visit_bank. Columns may follow any rule that is the same for all banks and rows. The law holds for
/// requests between two multiples of `segment`, or for all requests if that is 0. Alternatively, request i + `period`
/// goes to the same row of the bank `turns` further on, cyclically. `period` is 0 if there is no law. All values are
/// powers of two, or 0.
struct Regularity {
  std::int64_t period = 0;
  std::int64_t visits = 0;
  std::int64_t segment = 0;
  std::int64_t turns = 0;

  /// The visit of request i, or the first of several.
  std::int64_t visit(std::int64_t i) const { return i / PowerOfTwo(period) * visits; }
  /// Number of banks by which request i is ahead of request 0, including full cycles.
  std::int64_t turn(std::int64_t i) const { return turns == 0 ? 0 : i / PowerOfTwo(period) * turns; }
  /// True if a period starts with request i.
  bool begins(std::int64_t i) const { return i % PowerOfTwo(period) == 0; }
  /// The first request after i that starts a period.
  std::int64_t next_begin(std::int64_t i) const { return (i | (period - 1)) + 1; }
  /// End of the segment of request i, within which the law holds; without segments, the same for all requests.
  std::int64_t end(std::int64_t i) const {
    return segment == 0 ? std::numeric_limits<std::int64_t>::max() : (i | (segment - 1)) + 1;
  }
};

/// The laws of some traffic: the one with the longest segments, and, if there is one, a law that holds within each of
/// its periods. The fine law has no visits.
struct Regularities {
  Regularity coarse;
  Regularity fine;
};

/// Generates the requests of some traffic to one of its channels, one by one. Addresses beyond the capacity of the
/// channels wrap around. Where locations are random, the channel of each request is drawn first.
class TrafficSource {
 public:
  TrafficSource(const Organization& organization, const Traffic& traffic, std::int64_t channel = 0);

  bool more() const { return i_ < size_; }
  Request next();

  const Regularities& regularities() const { return regularities_; }
  std::int64_t size() const { return size_; }
  std::int64_t banks() const { return banks_.count(); }
  std::int64_t rows() const { return rows_.count(); }
  /// Request i of traffic with a law.
  Request at(std::int64_t i) const {
    Request request = regular_place(i);
    request.write = regular_write(i);
    return request;
  }
  void skip(std::int64_t requests) { i_ += requests; }
  /// Bank number k: the domain varies fastest, then the bank group.
  std::int64_t visit_bank(std::int64_t k) const { return bank(k); }

 private:
  Regularities laws() const;
  Regularity coarse_law() const;
  Regularity fine_law() const;
  Regularity with_mix(Regularity law) const;

  /// Bank number k: the domain varies fastest, then the bank group.
  std::int64_t bank(std::int64_t k) const;
  Request place();
  Request regular_place(std::int64_t i) const;
  bool write();
  bool regular_write(std::int64_t i) const;
  std::int64_t random_below(std::int64_t n);
  std::int64_t random_below(PowerOfTwo n);
  void seek();

  Traffic traffic_;
  std::int64_t channel_;
  /// Distribution of request numbers, and the position of this channel in it; unused where channels are drawn.
  Interleaving interleaving_;
  std::int64_t turn_;
  bool draws_channels_;
  bool draws_writes_;
  /// Number of random draws for a request once its channel is known.
  std::uint64_t draws_;
  PowerOfTwo domains_;
  PowerOfTwo groups_;
  PowerOfTwo banks_of_group_;
  PowerOfTwo banks_;
  PowerOfTwo rows_;
  PowerOfTwo columns_;
  PowerOfTwo accesses_;
  AddressMapping mapping_;
  SplitMix64 random_;
  Regularities regularities_;
  /// Number of requests of this channel, or of all channels where channels are drawn; `i_` counts in the same way.
  std::int64_t size_;
  std::int64_t i_ = 0;
};

inline std::int64_t TrafficSource::bank(std::int64_t k) const {
  const std::int64_t domain = k % domains_;
  const std::int64_t group = k / domains_ % groups_;
  const std::int64_t index = k / (domains_ * groups_);
  return (domain << groups_.bits() | group) << banks_of_group_.bits() | index;
}

inline Request TrafficSource::regular_place(std::int64_t i) const {
  const PowerOfTwo tile(16);
  switch (traffic_.pattern) {
    case Pattern::seq:
      return mapping_(i % accesses_);
    case Pattern::stride_row_1bank:
      return {0, i % rows_, 0};
    case Pattern::stride_row_allbanks:
      return {bank(i % banks_), i / banks_ % rows_, 0};
    case Pattern::hit_1bank:
      return {0, i / columns_ % rows_, i % columns_};
    case Pattern::hit_allbanks:
      return {bank(i % banks_), i / (banks_ * columns_) % rows_, i / banks_ % columns_};
    case Pattern::tile16x4rows_allbanks:
      return {bank(i / tile % banks_), i / tile / banks_ % rows_, i % tile % columns_};
    case Pattern::pingpong_2rows_1bank:
      return {0, i % 2 % rows_, i / 2 % columns_};
    case Pattern::random:
    case Pattern::random_1bank:
    case Pattern::random_8rows_1bank:
    case Pattern::random_8rows_allbanks:
      break;
  }
  return {};
}

inline Request TrafficSource::place() {
  const PowerOfTwo few_rows(8);
  switch (traffic_.pattern) {
    case Pattern::random:
      return mapping_(random_below(accesses_));
    case Pattern::random_1bank: {
      const std::int64_t row = random_below(rows_);
      return {0, row, random_below(columns_)};
    }
    case Pattern::random_8rows_1bank: {
      const std::int64_t row = random_below(few_rows) % rows_;
      return {0, row, random_below(columns_)};
    }
    case Pattern::random_8rows_allbanks: {
      const std::int64_t drawn = random_below(banks_);
      const std::int64_t row = random_below(few_rows) % rows_;
      return {drawn, row, random_below(columns_)};
    }
    default:
      return regular_place(i_);
  }
}

inline std::int64_t TrafficSource::random_below(std::int64_t n) {
  return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n));
}

inline std::int64_t TrafficSource::random_below(PowerOfTwo n) {
  return static_cast<std::int64_t>(random_() & static_cast<std::uint64_t>(n.count() - 1));
}

inline bool TrafficSource::regular_write(std::int64_t i) const {
  switch (traffic_.mix.kind) {
    case ReadMix::Kind::reads:
      return false;
    case ReadMix::Kind::writes:
      return true;
    case ReadMix::Kind::alternate:
      return interleaving_.number(turn_, i) % 2 == 1;
    case ReadMix::Kind::runs_of_64:
      return interleaving_.number(turn_, i) / 64 % 2 == 1;
    case ReadMix::Kind::random: {
      // Where locations are not random, nothing else is.
      const auto number = static_cast<std::uint64_t>(interleaving_.number(turn_, i));
      return static_cast<std::int64_t>(SplitMix64::nth(traffic_.seed, number) % 100) >= traffic_.mix.percent;
    }
  }
  return false;
}

inline bool TrafficSource::write() {
  if (draws_writes_) return random_below(100) >= traffic_.mix.percent;
  return regular_write(i_);
}

inline Request TrafficSource::next() {
  Request request = place();
  request.write = write();
  ++i_;
  if (draws_channels_) seek();
  return request;
}

/// Draws channels up to the next request of this channel.
inline void TrafficSource::seek() {
  for (; i_ < size_ && random_below(traffic_.channels) != channel_; ++i_) random_.skip(draws_);
}

}  // namespace pimsweep::hardware::dram
