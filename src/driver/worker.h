#pragma once

#include "driver/communicator.h"
#include "driver/grant.h"
#include "driver/heartbeat.h"
#include "driver/manager_link.h"
#include "journal/writer.h"

namespace pimsweep::driver {

/// Content of the manager's last message.
struct Finish {
  int status = 0;
  /// True if MPI_Finalize would block, because a rank has been lost.
  bool exit_without_finalize = false;
};

std::string to_bytes(const Finish& finish);
Finish finish_from(std::string_view bytes);

/// Role of every other rank: evaluates the grants that it receives, until the manager ends it
/// finish. Throws ManagerLost.
Finish serve_grants(Communicator& communicator, ManagerLink& manager, const sweep::Plan& plan, GrantRunner& runner,
                    journal::Writer& journal, const Heartbeat& heartbeat);

}  // namespace pimsweep::driver
