#include "hardware/dram/address_mapping.h"

#include <algorithm>
#include <bit>

namespace pimsweep::hardware::dram {

namespace {

int bits_of(std::int64_t count) { return std::countr_zero(static_cast<std::uint64_t>(count)); }

/// Takes fields off an access' number, lowest bits first.
class Fields {
 public:
  explicit Fields(std::int64_t access) : left_(access) {}
  std::int64_t take(std::int64_t count) {
    const std::int64_t field = left_ & (count - 1);
    left_ >>= bits_of(count);
    return field;
  }

 private:
  std::int64_t left_;
};

/// The lowest columns of a row that MOP4CLXOR keeps together.
constexpr std::int64_t mop_columns = 4;

}  // namespace

AddressMapping::AddressMapping(const Organization& organization, Mapping mapping)
    : organization_(organization), mapping_(mapping) {}

Request AddressMapping::operator()(std::int64_t access) const {
  const Organization& o = organization_;
  Fields fields(access);
  std::int64_t domain = 0;
  std::int64_t group = 0;
  std::int64_t bank = 0;
  Request request;
  switch (mapping_) {
    case Mapping::ro_ba_ra_co_ch:
      request.column = fields.take(o.columns);
      domain = fields.take(o.domains);
      group = fields.take(o.groups);
      bank = fields.take(o.banks);
      request.row = fields.take(o.rows);
      break;
    case Mapping::ch_ra_ba_ro_co:
      request.column = fields.take(o.columns);
      request.row = fields.take(o.rows);
      bank = fields.take(o.banks);
      group = fields.take(o.groups);
      domain = fields.take(o.domains);
      break;
    case Mapping::mop4clxor: {
      const std::int64_t low = std::min(mop_columns, o.columns);
      request.column = fields.take(low);
      domain = fields.take(o.domains);
      group = fields.take(o.groups);
      bank = fields.take(o.banks);
      request.column |= fields.take(o.columns / low) << bits_of(low);
      request.row = fields.take(o.rows);
      Fields mask(request.column);
      domain ^= mask.take(o.domains);
      group ^= mask.take(o.groups);
      bank ^= mask.take(o.banks);
      request.row ^= mask.take(o.rows);
      break;
    }
  }
  request.bank = o.bank(domain, group, bank);
  return request;
}

}  // namespace pimsweep::hardware::dram
