// A library to be preloaded: lets system calls on the files below a folder fail, and clocks jump, to see what becomes
// of a run.
//
// IO_FAULTS_FOLDER  absolute path of the folder
// IO_FAULTS_COUNTS  file of one 64-bit counter for each kind of call, shared by all processes
// IO_FAULTS_FAIL    KIND:N:ERROR: the N-th call of this kind (from 1) fails with this number of an error; with
//                   KIND:N:ERROR:on all later ones too, as after the end of a quota; optional
// IO_FAULTS_CLOCK   CLOCK:SECONDS: the clock (its number) jumps by so much half a second after the start; optional

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>

namespace {

/// In the order of the counters.
enum class Call : std::uint8_t { open, write, sync, rename };
constexpr std::array<std::string_view, 4> names{"open", "write", "sync", "rename"};
using Counters = std::array<std::atomic<std::uint64_t>, names.size()>;

struct Plan {
  std::string_view folder;
  Counters* counters = nullptr;
  std::string_view kind;
  std::uint64_t nth = 0;
  int error = 0;
  bool goes_on = false;
};

struct Jump {
  clockid_t clock = -1;
  double seconds = 0;
  timespec start{};
};

std::string_view variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? std::string_view() : text;
}

Plan read_plan() {
  Plan plan;
  plan.folder = variable("IO_FAULTS_FOLDER");
  // Not through the functions that this library replaces.
  const long file = ::syscall(SYS_openat, AT_FDCWD, variable("IO_FAULTS_COUNTS").data(), O_RDWR | O_CLOEXEC);
  if (plan.folder.empty() || file < 0) return plan;
  void* shared = ::mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<int>(file), 0);
  ::syscall(SYS_close, file);
  if (shared != MAP_FAILED) plan.counters = static_cast<Counters*>(shared);
  const std::string_view fail = variable("IO_FAULTS_FAIL");
  if (fail.empty()) return plan;
  plan.kind = fail.substr(0, fail.find(':'));
  unsigned long long nth = 0;
  if (std::sscanf(fail.data() + plan.kind.size(), ":%llu:%d", &nth, &plan.error) == 2) plan.nth = nth;
  plan.goes_on = fail.ends_with(":on");
  return plan;
}

/// Not through the function that this library replaces.
int true_time(clockid_t clock, timespec* time) { return static_cast<int>(::syscall(SYS_clock_gettime, clock, time)); }

Jump read_jump() {
  Jump jump;
  const std::string_view text = variable("IO_FAULTS_CLOCK");
  if (!text.empty()) std::sscanf(text.data(), "%d:%lf", &jump.clock, &jump.seconds);
  true_time(CLOCK_BOOTTIME, &jump.start);
  return jump;
}

bool has_jumped(const Jump& jump) {
  constexpr double delay = 0.5;
  timespec now{};
  true_time(CLOCK_BOOTTIME, &now);
  return static_cast<double>(now.tv_sec - jump.start.tv_sec) +
             1e-9 * static_cast<double>(now.tv_nsec - jump.start.tv_nsec) >
         delay;
}

/// Seconds by which the clock is off by now.
time_t jumped_seconds(clockid_t clock) {
  static const Jump jump = read_jump();
  return clock == jump.clock && has_jumped(jump) ? static_cast<time_t>(jump.seconds) : 0;
}

/// True if this call has to fail; sets errno.
bool fails(Call call, std::string_view path) {
  static const Plan plan = read_plan();
  if (plan.counters == nullptr || !path.starts_with(plan.folder)) return false;
  const auto index = static_cast<std::size_t>(call);
  const std::uint64_t number = 1 + (*plan.counters)[index].fetch_add(1);
  const bool is_due = number == plan.nth || (plan.goes_on && number > plan.nth);
  if (plan.kind != names[index] || !is_due) return false;
  errno = plan.error;
  return true;
}

bool fails(Call call, int descriptor) {
  std::array<char, 64> link{};
  std::array<char, 4096> path{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  const ssize_t size = ::readlink(link.data(), path.data(), path.size());
  return size > 0 && fails(call, std::string_view(path.data(), static_cast<std::size_t>(size)));
}

template <typename Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

int open_as(const char* name, const char* path, int flags, mode_t mode) {
  return fails(Call::open, path) ? -1 : original<int (*)(const char*, int, mode_t)>(name)(path, flags, mode);
}

mode_t mode_of(int flags, std::va_list arguments) { return (flags & O_CREAT) != 0 ? va_arg(arguments, mode_t) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_as("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  std::va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_as("open64", path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  return fails(Call::open, path) ? nullptr : original<FILE* (*)(const char*, const char*)>("fopen")(path, mode);
}

FILE* fopen64(const char* path, const char* mode) {
  return fails(Call::open, path) ? nullptr : original<FILE* (*)(const char*, const char*)>("fopen64")(path, mode);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  return fails(Call::write, file) ? -1 : ::syscall(SYS_write, file, bytes, size);
}

ssize_t writev(int file, const iovec* parts, int count) {
  return fails(Call::write, file) ? -1 : ::syscall(SYS_writev, file, parts, count);
}

ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t offset) {
  return fails(Call::write, file) ? -1 : ::syscall(SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t offset) {
  return fails(Call::write, file) ? -1 : ::syscall(SYS_pwrite64, file, bytes, size, offset);
}

int ftruncate(int file, off_t size) {
  return fails(Call::write, file) ? -1 : static_cast<int>(::syscall(SYS_ftruncate, file, size));
}

int ftruncate64(int file, off64_t size) {
  return fails(Call::write, file) ? -1 : static_cast<int>(::syscall(SYS_ftruncate, file, size));
}

int fsync(int file) { return fails(Call::sync, file) ? -1 : static_cast<int>(::syscall(SYS_fsync, file)); }

int fdatasync(int file) { return fails(Call::sync, file) ? -1 : static_cast<int>(::syscall(SYS_fdatasync, file)); }

int rename(const char* from, const char* to) {
  return fails(Call::rename, from) ? -1 : static_cast<int>(::syscall(SYS_rename, from, to));
}

int clock_gettime(clockid_t clock, timespec* time) {
  const int result = true_time(clock, time);
  if (result == 0) time->tv_sec += jumped_seconds(clock);
  return result;
}

/// The kernel waits by its own clock, which has not jumped.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  using Wait = int (*)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const timespec*);
  static const auto wait = original<Wait>("pthread_cond_clockwait");
  const timespec true_until{until->tv_sec - jumped_seconds(clock), until->tv_nsec};
  return wait(condition, mutex, clock, &true_until);
}

time_t time(time_t* result) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

}  // extern "C"
