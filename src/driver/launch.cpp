#include "driver/launch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace pimsweep::driver {

namespace {

std::string parent_file(const char* name) { return fmt::format("/proc/{}/{}", ::getppid(), name); }

/// The name of the program that has started this one.
std::string parent_name() {
  std::ifstream file(parent_file("comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

/// Launchers that start processes on their own host only.
constexpr std::array<std::string_view, 4> mpiruns{"mpirun", "mpiexec", "orterun", "prterun"};

template <std::size_t count>
bool is_among(const std::string& name, const std::array<std::string_view, count>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// True if a child is alive: one that has ended but was not waited for has no command line.
bool has_live_child(pid_t process) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  for (pid_t child = 0; children >> child;) {
    if (std::ifstream(fmt::format("/proc/{}/cmdline", child)).peek() != EOF) return true;
  }
  return false;
}

/// True if the main thread waits for a lock.
bool is_locked(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/syscall", process));
  long call = -1;
  return (file >> call) && call == SYS_futex;
}

std::optional<std::size_t> columns_of(int descriptor) {
  if (::isatty(descriptor) != 1) return std::nullopt;
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

bool is_first_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

bool is_mpi_launch() {
  static constexpr std::array variables{"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"};
  return std::ranges::any_of(variables, [](const char* variable) { return std::getenv(variable) != nullptr; });
}

int launched_processes() {
  for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"}) {
    if (const char* size = std::getenv(variable)) return std::max(1, std::atoi(size));
  }
  return 1;
}

bool is_srun_without_mpi() { return !is_mpi_launch() && launched_processes() > 1 && parent_name() == "slurmstepd"; }

std::string_view mpi_of_launcher() {
  const auto says = [](const char* variable) { return std::getenv(variable) != nullptr; };
  return says("PMI_RANK") && !says("OMPI_COMM_WORLD_RANK") && !says("PMIX_RANK") ? "mpich" : "openmpi";
}

bool is_further_rank() {
  static constexpr std::array<std::string_view, 8> launchers{"mpirun",  "mpiexec", "orterun",    "orted",
                                                             "prterun", "prted",   "slurmstepd", "hydra_pmi_proxy"};
  return !is_first_rank() && is_among(parent_name(), launchers);
}

bool end_launcher() { return is_among(parent_name(), mpiruns) && ::kill(::getppid(), SIGTERM) == 0; }

void watch_launcher() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_LOCAL_RANK");
  if (rank == nullptr || std::string_view(rank) != "0" || !is_among(parent_name(), mpiruns)) return;
  const pid_t launcher = ::getppid();
  const int ended = static_cast<int>(::syscall(SYS_pidfd_open, launcher, 0));
  if (ended < 0 || ::fork() != 0) {
    ::close(ended);
    return;
  }
  // Neither signals to the rank's group nor the rank's streams: mpirun reads them until all copies are closed.
  ::setsid();
  ::prctl(PR_SET_NAME, "pimsweep-watch");
  ::dup2(ended, 0);
  ::close_range(1, ~0U, 0);
  pollfd wait{.fd = 0, .events = POLLIN, .revents = 0};
  constexpr int patience_seconds = 30;
  for (int locked = 0; ::poll(&wait, 1, 1000) == 0;) {
    locked = is_locked(launcher) && !has_live_child(launcher) ? locked + 1 : 0;
    if (locked == patience_seconds) ::kill(launcher, SIGKILL);
  }
  ::_exit(0);
}

std::optional<std::size_t> stderr_columns() {
  if (const auto own = columns_of(STDERR_FILENO)) return own;
  if (!is_among(parent_name(), mpiruns)) return std::nullopt;
  const int descriptor = ::open(parent_file("fd/2").c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  const auto columns = columns_of(descriptor);
  ::close(descriptor);
  return columns;
}

}  // namespace pimsweep::driver
