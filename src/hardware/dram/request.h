#pragma once

#include <cstdint>

namespace pimsweep::hardware::dram {

/// One access to a channel: a burst of data in one column of an open row.
struct Request {
  std::int64_t bank = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
  bool write = false;

  friend bool operator==(const Request&, const Request&) = default;
};

}  // namespace pimsweep::hardware::dram
