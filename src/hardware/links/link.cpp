#include "hardware/links/link.h"

namespace pimsweep::hardware::links {

double transfer_time(const Link& link, double bytes) { return link.latency + bytes / link.bandwidth; }

double all_reduce_bytes(double bytes, double devices) { return 2 * (devices - 1) * bytes / devices; }

double all_reduce_time(const Link& link, double bytes, double devices) {
  return devices == 1 ? 0 : link.reduce_latency + all_reduce_bytes(bytes, devices) / link.bandwidth;
}

}  // namespace pimsweep::hardware::links
