#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

/// Launcher of this process, as known before MPI is opened.
namespace pimsweep::driver {

/// True if this is the first process of an MPI launch, or was not launched by MPI: by the word of the launcher.
bool is_first_rank();

/// True if an MPI launcher has started this process or one that has started it: it finds the other ranks by variables
/// of Open MPI, PMIx (Open MPI 5, srun --mpi=pmix) or PMI (MPICH, srun --mpi=pmi2).
bool is_mpi_launch();

/// Number of processes that the MPI launcher or srun has started with this one, by their variables; 1 if they say none.
int launched_processes();

/// True if srun has started this process itself, as one of several, and offers it no way to find the others.
bool is_srun_without_mpi();

/// The MPI library that the launcher's ranks have to use, "openmpi" or "mpich".
std::string_view mpi_of_launcher();

/// True if an MPI launcher has started this process itself as another rank than the first. A script that is such a rank
/// may start commands of its own, which are none of the launch.
bool is_further_rank();

/// Ends the launch as its user would, with a signal to the mpirun that has started this process. Returns false if
/// something else has. Under --enable-recovery neither MPI_Abort nor the status of a rank changes mpirun's status 0.
bool end_launcher();

/// Leaves a process beside the first rank of a host that ends the mpirun of this launch if it waits for a lock of its
/// own for half a minute after its last rank has ended, as mpirun 4.1 does in one of a thousand launches whose ranks
/// are killed while MPI starts (docs/reliability.md). Before MPI starts. Nothing if something else has started this
/// process.
void watch_launcher();

/// Columns of the terminal that shows what is printed to stderr (0 if unknown): the process's own, or that of the
/// mpirun that has started it, which passes on what it reads from a pipe. Nothing if no terminal shows it.
std::optional<std::size_t> stderr_columns();

}  // namespace pimsweep::driver
