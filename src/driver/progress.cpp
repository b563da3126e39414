#include "driver/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "base/error.h"

namespace pimsweep {

Progress::Progress(const std::string& mode, std::uint64_t total) : total_(total) {
  if (mode == "bar") {
    mode_ = ::isatty(STDERR_FILENO) == 1 ? Mode::bar : Mode::plain;
  } else if (mode == "plain") {
    mode_ = Mode::plain;
  } else if (mode != "none") {
    throw InputError(fmt::format("progress '{}' is not one of bar, plain, none", mode));
  }
}

void Progress::show(std::uint64_t done, std::uint64_t failed) {
  if (mode_ == Mode::none) return;
  const auto now = Clock::now();
  const auto period = mode_ == Mode::bar ? std::chrono::milliseconds(200) : std::chrono::milliseconds(5000);
  if (now - last_ < period) return;
  last_ = now;
  print(done, failed);
}

void Progress::finish(std::uint64_t done, std::uint64_t failed) {
  if (mode_ != Mode::bar) return;
  print(done, failed);
  fmt::print(stderr, "\n");
}

void Progress::print(std::uint64_t done, std::uint64_t failed) const {
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const double share = total_ == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total_);
  std::string text = fmt::format("{} of {} points ({:.0f} %)", done, total_, 100 * share);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (done > 0 && done < total_) text += fmt::format(", about {:.0f} s left", elapsed * (1 - share) / share);
  if (mode_ == Mode::plain) {
    fmt::print(stderr, "{}\n", text);
    return;
  }
  constexpr int width = 30;
  const auto filled = static_cast<std::size_t>(share * width);
  fmt::print(stderr, "\r[{}{}] {}\x1b[K", std::string(filled, '='), std::string(width - filled, ' '), text);
  std::fflush(stderr);
}

}  // namespace pimsweep
