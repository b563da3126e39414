#pragma once

#include "driver/communicator.h"
#include "driver/grant.h"
#include "driver/pulse.h"
#include "results/journal_writer.h"

namespace pimsweep::driver {

/// What the manager's last message says.
struct Farewell {
  int status = 0;
  /// A rank has been lost: MPI cannot be closed together any more.
  bool leave_at_once = false;
};

std::string to_bytes(const Farewell& farewell);
Farewell farewell_from(std::string_view bytes);

/// Every other rank's part: evaluates what it is granted until it is told to finish.
Farewell work(Communicator& communicator, GrantRunner& runner, results::JournalWriter& journal, const Pulse& pulse);

}  // namespace pimsweep::driver
