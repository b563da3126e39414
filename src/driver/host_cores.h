#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::driver {

/// Number of threads that a point may use (base/threads.h): the cores of its host, shared equally by the points that
/// are evaluated there. While there are as many points as cores, that is one.
class HostCores {
 public:
  /// Adds the next rank, which may use `cores` cores of this host. Ranks of a host may use the same ones.
  void add(std::string_view host, int cores);
  /// `is_there`: neither lost nor only managing; `is_busy`: evaluating points.
  void set(std::size_t rank, bool is_there, bool is_busy);
  /// Threads of a point that a busy rank begins now, while `waiting` points still wait for a rank: as many of these as
  /// the host has idle ranks for may come to it. At least 1.
  unsigned threads(std::size_t rank, std::uint64_t waiting) const;

 private:
  struct Host {
    std::string name;
    /// Cores of the rank that may use the most.
    int cores = 1;
    std::uint64_t there = 0;
    std::uint64_t busy = 0;
  };
  struct Rank {
    std::size_t host = 0;
    bool is_there = false;
    bool is_busy = false;
  };
  std::vector<Host> hosts_;
  std::vector<Rank> ranks_;
};

}  // namespace pimsweep::driver
