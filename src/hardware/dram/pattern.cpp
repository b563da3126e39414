#include "hardware/dram/pattern.h"

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

TrafficSource::TrafficSource(const Organization& o, const Traffic& traffic)
    : traffic_(traffic),
      domains_(o.domains),
      groups_(o.groups),
      banks_of_group_(o.banks),
      banks_(o.all_banks()),
      rows_(o.rows),
      columns_(o.columns),
      mapping_(o, traffic.mapping),
      random_(traffic.seed) {}

std::int64_t TrafficSource::bank(std::int64_t k) const {
  const std::int64_t domain = k % domains_;
  const std::int64_t group = k / domains_ % groups_;
  const std::int64_t index = k / (domains_ * groups_);
  return (domain << groups_.bits() | group) << banks_of_group_.bits() | index;
}

Request TrafficSource::place() {
  const PowerOfTwo tile(16);
  const PowerOfTwo few_rows(8);
  switch (traffic_.pattern) {
    case Pattern::seq:
      return mapping_(i_ % (banks_ * rows_ * columns_));
    case Pattern::stride_row_1bank:
      return {0, i_ % rows_, 0};
    case Pattern::stride_row_allbanks:
      return {bank(i_ % banks_), i_ / banks_ % rows_, 0};
    case Pattern::hit_1bank:
      return {0, i_ / columns_ % rows_, i_ % columns_};
    case Pattern::hit_allbanks:
      return {bank(i_ % banks_), i_ / (banks_ * columns_) % rows_, i_ / banks_ % columns_};
    case Pattern::tile16x4rows_allbanks:
      return {bank(i_ / tile % banks_), i_ / tile / banks_ % rows_, i_ % tile % columns_};
    case Pattern::pingpong_2rows_1bank:
      return {0, i_ % 2 % rows_, i_ / 2 % columns_};
    case Pattern::random:
      return mapping_(random_below(banks_ * rows_ * columns_));
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
  }
  return {};
}

std::int64_t TrafficSource::random_below(std::int64_t n) {
  return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n));
}

std::int64_t TrafficSource::random_below(PowerOfTwo n) {
  return static_cast<std::int64_t>(random_() & static_cast<std::uint64_t>(n.count() - 1));
}

bool TrafficSource::write() {
  switch (traffic_.mix.kind) {
    case ReadMix::Kind::reads:
      return false;
    case ReadMix::Kind::writes:
      return true;
    case ReadMix::Kind::alternate:
      return i_ % 2 == 1;
    case ReadMix::Kind::runs_of_64:
      return i_ / 64 % 2 == 1;
    case ReadMix::Kind::random:
      return random_below(100) >= traffic_.mix.percent;
  }
  return false;
}

Request TrafficSource::next() {
  Request request = place();
  request.write = write();
  ++i_;
  return request;
}

}  // namespace pimsweep::hardware::dram
