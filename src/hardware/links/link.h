#pragma once

namespace pimsweep::hardware::links {

/// A connection of a device to devices of its kind, or to other devices.
struct Link {
  /// Bandwidth in bytes per second that a device sends, and receives at the same time.
  double bandwidth = 0;
  /// Latency in seconds of a message, and of an all-reduce.
  double latency = 0;
  double reduce_latency = 0;
  /// Energy in J per byte.
  double energy = 0;

  friend bool operator==(const Link&, const Link&) = default;
};

/// Time of a message.
double transfer_time(const Link& link, double bytes);

/// Time of an all-reduce of `bytes` bytes per device: a ring in which each of 2 (n - 1) steps passes on an n-th
/// (Patarasuk and Yuan, J. Parallel Distrib. Comput. 69, 2009, Sec. 3). Its latency is that of the whole operation,
/// since libraries use trees for few bytes. 0 for a single device.
double all_reduce_time(const Link& link, double bytes, double devices);

/// Bytes that each device sends in an all-reduce.
double all_reduce_bytes(double bytes, double devices);

}  // namespace pimsweep::hardware::links
