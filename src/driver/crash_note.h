#pragma once

#include "driver/current_point.h"
#include "journal/writer.h"

namespace pimsweep::driver {

/// During its lifetime, a process that crashes (SEGV, BUS, FPE, ILL, ABRT) or calls exit() while it evaluates a point
/// first writes its finished points to the journal and records there which point it was in. At most one object may
/// exist at a time. Construct it after MPI has installed its signal handlers, which still run afterwards.
class CrashNote {
 public:
  CrashNote(journal::Writer& journal, const CurrentPoint& current);
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;
};

}  // namespace pimsweep::driver
