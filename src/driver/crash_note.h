#pragma once

#include "driver/current_point.h"
#include "results/journal_writer.h"

namespace pimsweep::driver {

/// While it lives, a process that crashes (SEGV, BUS, FPE, ILL, ABRT) or calls exit() inside a point still hands its
/// finished points to the kernel and notes in its journal which point it was. One at a time, made after MPI's own
/// handlers, which still run afterwards.
class CrashNote {
 public:
  CrashNote(results::JournalWriter& journal, const CurrentPoint& current);
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
};

}  // namespace pimsweep::driver
