#include "hardware/noc/exchange_network.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::hardware::noc {

double ExchangeNetwork::flow_share(std::size_t level) const {
  static_cast<void>(exchanges.at(level - 1));
  return std::ldexp(1.0, static_cast<int>(level) - static_cast<int>(levels()) - 1);
}

double ExchangeNetwork::seconds(std::size_t level, double bytes) const {
  double longest = 0;
  for (const LinkLoad& load : exchanges.at(level - 1)) {
    longest = std::max(longest, load.share * bytes / bandwidth[load.link]);
  }
  return longest;
}

double ExchangeNetwork::link_bytes(std::size_t level, double bytes) const {
  double shares = 0;
  for (const LinkLoad& load : exchanges.at(level - 1)) shares += load.share;
  return shares * bytes;
}

}  // namespace pimsweep::hardware::noc
