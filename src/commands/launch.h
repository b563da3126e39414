#pragma once

namespace pimsweep::commands {

/// Whether this is the first process of an MPI launch, or was not launched by MPI: by the word of the launcher, before
/// MPI is opened.
bool is_first_rank();

/// Whether an MPI launcher has started this process itself as another rank than the first. A script that is such a rank
/// may start commands of its own, which are none of the launch.
bool is_further_rank();

}  // namespace pimsweep::commands
