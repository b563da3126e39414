#include "hardware/dram/address_mapping.h"

#include <algorithm>

namespace pimsweep::hardware::dram {

namespace {

/// Splits the number of an access into fields, lowest bits first.
class Fields {
 public:
  explicit Fields(std::int64_t access) : left_(access) {}
  std::int64_t take(PowerOfTwo count) {
    const std::int64_t field = left_ % count;
    left_ = left_ / count;
    return field;
  }

 private:
  std::int64_t left_;
};

/// The lowest columns of a row that MOP4CLXOR keeps together.
constexpr std::int64_t mop_columns = 4;

}  // namespace

AddressMapping::AddressMapping(const Organization& o, Mapping mapping)
    : mapping_(mapping),
      domains_(o.domains),
      groups_(o.groups),
      banks_(o.banks),
      rows_(o.rows),
      low_columns_(std::min(mop_columns, o.columns)),
      high_columns_(o.columns / low_columns_) {}

Request AddressMapping::operator()(std::int64_t access) const {
  Fields fields(access);
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
      Fields mask(request.column);
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
