#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "driver/periodic_thread.h"

namespace pimsweep::driver {

/// Record in the lock of an output: who writes it. A file system that hosts share may know locks of its own host only;
/// there the record tells a run on another host from the remains of one. While its process lives, the record changes
/// once a second.
class OutputOwner {
 public:
  /// `lock` is the file; `has_lock` says that no other process of this host has its lock. Throws InputError, with the
  /// name of the results, if another process keeps the record alive, which takes some seconds to see. Otherwise
  /// replaces the record.
  OutputOwner(std::string lock, const std::string& results, bool has_lock);
  /// Clears the record.
  ~OutputOwner();
  OutputOwner(const OutputOwner&) = delete;
  OutputOwner& operator=(const OutputOwner&) = delete;

  /// Keeps the record alive from now on. To be called once this process forks no more. If another run has replaced the
  /// record, since both began at the same moment, this one is stopped as by TERM.
  void keep_alive();
  /// For a forked process: the record is that of the process which forked it.
  void leave_to_parent() { is_own_ = false; }

  /// "process 17 on node3"; empty if the record says nothing.
  static std::string described(const std::string& lock);

 private:
  void beat();
  void write();

  std::string lock_;
  std::string results_;
  bool is_own_ = true;
  std::uint64_t beats_ = 0;
  std::unique_ptr<PeriodicThread> thread_;
};

}  // namespace pimsweep::driver
