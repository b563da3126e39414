#pragma once

namespace pimsweep::hardware::links {

/// A connection of a device to others of its kind, or to other devices.
struct Link {
  /// Bytes in a second that a device sends, and as many that it receives at the same time.
  double bandwidth = 0;
  /// Seconds of a message beside its bytes, and of a sum over all devices.
  double latency = 0;
  double reduce_latency = 0;
  /// Joules of a byte.
  double energy = 0;

  friend bool operator==(const Link&, const Link&) = default;
};

/// Time of a message.
double transfer_time(const Link& link, double bytes);

/// Time of a sum over all devices of `bytes` bytes each, which all of them then have: a ring in which each of
/// 2 (n - 1) steps passes on an n-th (Patarasuk and Yuan, J. Parallel Distrib. Comput. 69, 2009, Sec. 3). Its latency
/// is that of the whole sum: libraries take trees for few bytes. 0 for a single device.
double all_reduce_time(const Link& link, double bytes, double devices);

/// Bytes that each device sends in that sum.
double all_reduce_bytes(double bytes, double devices);

}  // namespace pimsweep::hardware::links
