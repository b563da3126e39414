#include "driver/faults.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "base/error.h"

namespace pimsweep::driver {

Fault::Fault(const std::string& text, int rank) {
  if (text.empty()) return;
  constexpr std::array<std::string_view, 6> names{"", "kill", "segv", "exit", "hang", "stop"};
  const std::string kind = text.substr(0, text.find('@'));
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (kind == names[i]) kind_ = static_cast<Kind>(i);
  }
  const char* where = text.c_str() + kind.size();
  int wanted_rank = 0;
  unsigned long long number = 0;
  if (kind_ != Kind::none && std::sscanf(where, "@point=%llu", &number) == 1) {
    point_ = number;
  } else if (kind_ != Kind::none && std::sscanf(where, "@rank=%d,nth=%llu", &wanted_rank, &number) == 2 && number > 0) {
    if (wanted_rank != rank) kind_ = Kind::none;
    countdown_ = number;
  } else if (kind_ != Kind::none && std::sscanf(where, "@rank=%d,rows=%llu", &wanted_rank, &number) == 2 &&
             number > 0) {
    if (wanted_rank != rank) kind_ = Kind::none;
    is_of_rows_ = true;
    countdown_ = number;
  } else {
    throw InputError(
        fmt::format("fault '{}' is not KIND@rank=K,nth=N, KIND@point=P or KIND@rank=0,rows=N with KIND one of kill, "
                    "segv, exit, hang, stop",
                    text));
  }
}

void Fault::trigger() const {
  switch (kind_) {
    case Kind::kill:
      ::kill(::getpid(), SIGKILL);
      break;
    case Kind::segv:
      std::raise(SIGSEGV);
      break;
    case Kind::exit:
      std::exit(1);
    case Kind::hang:
      while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    case Kind::stop:
      ::kill(::getpid(), SIGSTOP);
      break;
    case Kind::none:
      break;
  }
}

}  // namespace pimsweep::driver
