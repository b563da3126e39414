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

TrafficSource::TrafficSource(const Organization& organization, const Traffic& traffic)
    : organization_(organization), traffic_(traffic), mapping_(organization, traffic.mapping), random_(traffic.seed) {}

std::int64_t TrafficSource::bank(std::int64_t k) const {
  const std::int64_t domain = k % organization_.domains;
  const std::int64_t group = k / organization_.domains % organization_.groups;
  return organization_.bank(domain, group, k / (organization_.domains * organization_.groups));
}

Request TrafficSource::place() {
  const std::int64_t columns = organization_.columns;
  const std::int64_t rows = organization_.rows;
  const std::int64_t banks = organization_.all_banks();
  constexpr std::int64_t tile = 16;
  switch (traffic_.pattern) {
    case Pattern::seq:
      return mapping_(i_ % organization_.accesses());
    case Pattern::stride_row_1bank:
      return {0, i_ % rows, 0};
    case Pattern::stride_row_allbanks:
      return {bank(i_ % banks), i_ / banks % rows, 0};
    case Pattern::hit_1bank:
      return {0, i_ / columns % rows, i_ % columns};
    case Pattern::hit_allbanks:
      return {bank(i_ % banks), i_ / (banks * columns) % rows, i_ / banks % columns};
    case Pattern::tile16x4rows_allbanks:
      return {bank(i_ / tile % banks), i_ / tile / banks % rows, i_ % tile % columns};
    case Pattern::pingpong_2rows_1bank:
      return {0, i_ % 2 % rows, i_ / 2 % columns};
    case Pattern::random:
      return mapping_(random_.below(organization_.accesses()));
    case Pattern::random_1bank: {
      const std::int64_t row = random_.below(rows);
      return {0, row, random_.below(columns)};
    }
    case Pattern::random_8rows_1bank: {
      const std::int64_t row = random_.below(8) % rows;
      return {0, row, random_.below(columns)};
    }
    case Pattern::random_8rows_allbanks: {
      const std::int64_t drawn = random_.below(banks);
      const std::int64_t row = random_.below(8) % rows;
      return {drawn, row, random_.below(columns)};
    }
  }
  return {};
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
      return random_.below(100) >= traffic_.mix.percent;
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
