#include "hardware/dram/pattern.h"

#include <algorithm>

namespace pimsweep::hardware::dram {

double ReadMix::read_fraction() const {
  switch (kind) {
    case Kind::reads:
      return 1;
    case Kind::writes:
      return 0;
    case Kind::alternate:
    case Kind::runs_of_64:
      return 0.5;
    case Kind::random:
      return static_cast<double>(percent) / 100;
  }
  return 0;
}

std::int64_t ReadMix::cycle() const {
  switch (kind) {
    case Kind::reads:
    case Kind::writes:
      return 1;
    case Kind::alternate:
      return 2;
    case Kind::runs_of_64:
      return 128;
    case Kind::random:
      return 0;
  }
  return 0;
}

Interleaving interleaving(const Organization& o, const Traffic& traffic) {
  const std::int64_t block = traffic.pattern == Pattern::seq ? channel_block(o, traffic.mapping) : 1;
  return {traffic.channels, block};
}

namespace {

/// Number of random draws for the location of a request.
std::uint64_t place_draws(Pattern pattern) {
  if (pattern == Pattern::random) return 1;
  if (pattern == Pattern::random_8rows_allbanks) return 3;
  return draws_places(pattern) ? 2 : 0;
}

}  // namespace

TrafficSource::TrafficSource(const Organization& o, const Traffic& traffic, std::int64_t channel)
    : traffic_(traffic),
      channel_(channel),
      interleaving_(draws_places(traffic.pattern) ? Interleaving{1, 1} : interleaving(o, traffic)),
      turn_(draws_places(traffic.pattern) ? 0 : channel),
      draws_channels_(draws_places(traffic.pattern) && traffic.channels > 1),
      draws_writes_(draws_places(traffic.pattern) && traffic.mix.kind == ReadMix::Kind::random),
      draws_(place_draws(traffic.pattern) + (traffic.mix.kind == ReadMix::Kind::random ? 1 : 0)),
      domains_(o.domains),
      groups_(o.groups),
      banks_of_group_(o.banks),
      banks_(o.all_banks()),
      rows_(o.rows),
      columns_(o.columns),
      accesses_(o.accesses()),
      mapping_(o, traffic.mapping),
      random_(traffic.seed),
      regularities_(laws()),
      size_(interleaving_.share(traffic.requests, turn_)) {
  if (draws_channels_) seek();
}

Regularities TrafficSource::laws() const {
  const Regularities laws{with_mix(coarse_law()), with_mix(fine_law())};
  // Visits are counted from the beginning of a coarse period.
  if (laws.fine.segment != laws.coarse.period) return {laws.coarse, {}};
  return laws;
}

Regularity TrafficSource::coarse_law() const {
  const std::int64_t columns = columns_.count();
  const std::int64_t banks = banks_.count();
  switch (traffic_.pattern) {
    case Pattern::seq:
      if (traffic_.mapping == Mapping::ro_ba_ra_co_ch) return {columns, 1, 0};
      if (traffic_.mapping == Mapping::ch_ra_ba_ro_co) return {columns, banks, columns * rows_.count()};
      if (traffic_.mapping == Mapping::mop4clxor) {
        // The column bits beyond those used for the bank permute the low bits of the row; adding multiples of that
        // power of two to the row preserves this.
        const int turned = std::clamp(columns_.bits() - banks_.bits(), 0, rows_.bits());
        return {banks * columns << turned, banks << turned, 0};
      }
      return {};
    case Pattern::stride_row_1bank:
      return {1, banks, 0};
    case Pattern::stride_row_allbanks:
      return {1, 1, 0};
    case Pattern::hit_1bank:
      return {columns, banks, 0};
    case Pattern::hit_allbanks:
      return {banks * columns, banks, 0};
    case Pattern::tile16x4rows_allbanks:
      return {16, 1, 0};
    case Pattern::pingpong_2rows_1bank:
      return {2, 0, 0};
    case Pattern::random:
    case Pattern::random_1bank:
    case Pattern::random_8rows_1bank:
    case Pattern::random_8rows_allbanks:
      return {};
  }
  return {};
}

Regularity TrafficSource::fine_law() const {
  const bool in_rows = traffic_.pattern == Pattern::hit_1bank ||
                       (traffic_.pattern == Pattern::seq &&
                        (traffic_.mapping == Mapping::ro_ba_ra_co_ch || traffic_.mapping == Mapping::ch_ra_ba_ro_co));
  // A column, and a bank, up to the next row.
  if (in_rows) return {1, 0, columns_.count()};
  if (traffic_.pattern == Pattern::hit_allbanks) return {1, 0, banks_.count() * columns_.count(), 1};
  return {};
}

/// The law under which reads and writes repeat as well.
Regularity TrafficSource::with_mix(Regularity law) const {
  if (law.period == 0 || traffic_.mix.kind == ReadMix::Kind::random) return {};
  const std::int64_t repeats = interleaving_.repeats(traffic_.mix.cycle());
  const std::int64_t times = std::max(repeats / law.period, std::int64_t{1});
  law.period *= times;
  law.visits *= times;
  law.turns *= times;
  return law.segment != 0 && law.segment <= law.period ? Regularity{} : law;
}

}  // namespace pimsweep::hardware::dram
