#include "driver/progress.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/error.h"
#include "base/plural.h"
#include "base/print.h"
#include "driver/launch.h"
#include "results/cells.h"

namespace pimsweep::driver {

namespace {

/// Beyond this many studies the bars would not fit the terminal.
constexpr std::size_t max_bars = 12;

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string bar(double filled_share) {
  constexpr std::size_t width = 30;
  const auto filled = static_cast<std::size_t>(filled_share * width);
  return fmt::format("[{}{}]", std::string(filled, '='), std::string(width - filled, ' '));
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.1f} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 172800) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} d", seconds / 86400);
}

Progress::Progress(const std::string& mode, const sweep::Plan& plan, int ranks) : ranks_(ranks) {
  for (const sweep::Study& study : plan.studies) names_.push_back(study.id());
  if (mode == "bar") {
    const std::optional<std::size_t> columns = stderr_columns();
    mode_ = columns ? Mode::bar : Mode::plain;
    columns_ = columns.value_or(0);
  } else if (mode == "plain") {
    mode_ = Mode::plain;
  } else if (mode != "none") {
    throw InputError(fmt::format("progress '{}' is not one of bar, plain, none", mode));
  }
}

void Progress::show(const Tally& tally, int ranks_at_work) {
  if (mode_ == Mode::none) return;
  const auto now = Clock::now();
  if (now < next_) return;
  if (mode_ == Mode::bar) {
    next_ = now + std::chrono::milliseconds(500);
  } else {
    // Soon at first, so that one sees that it goes well, and not too often in the log of a long run.
    next_ = now + std::min<Clock::duration>(now - start_, std::chrono::minutes(1));
  }
  if (mode_ == Mode::bar) {
    draw_bars(tally, ranks_at_work);
  } else {
    print_to(stderr, "{:%H:%M:%S} {}\n", fmt::localtime(std::time(nullptr)), total_text(tally, ranks_at_work));
  }
}

void Progress::finish(const Tally& tally) {
  if (mode_ == Mode::bar) draw_bars(tally, 0);
}

std::string Progress::total_text(const Tally& tally, int ranks_at_work) const {
  std::uint64_t total = 0;
  for (const auto& study : tally.studies()) total += study.total - study.reused;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  const double rate = elapsed > 0 ? static_cast<double>(tally.done()) / elapsed : 0.0;
  std::string text = fmt::format("{:.0f} %, {} of {}, {:.3g}/s", 100 * share(tally.done(), total), tally.done(),
                                 count_of(total, "point"), rate);
  if (rate > 0 && tally.done() < total)
    text += fmt::format(", {} left", duration_text(static_cast<double>(total - tally.done()) / rate));
  if (tally.failed() > 0) text += fmt::format(", {} failed", tally.failed());
  if (tally.crashed() > 0) text += fmt::format(", {} crashed", tally.crashed());
  return text + fmt::format(", {} of {} at work", ranks_at_work, count_of(static_cast<std::uint64_t>(ranks_), "rank"));
}

std::string Progress::line_of(std::string text) const {
  // A line that the terminal breaks would be drawn over in part.
  if (columns_ > 0) text = std::string(results::utf8_prefix(text, columns_ - 1));
  return text + "\x1b[K\n";
}

void Progress::draw_bars(const Tally& tally, int ranks_at_work) {
  std::string text;
  // Moves the cursor to the first line drawn last.
  if (drawn_ > 0) text += fmt::format("\x1b[{}F", drawn_);
  std::size_t lines = 0;
  std::size_t longest = 0;
  for (const std::string& name : names_) longest = std::max(longest, name.size());
  // The studies in progress, and as many before and after them as fit.
  std::size_t first = 0;
  const auto complete = [&](std::size_t i) {
    return tally.studies()[i].reused + tally.studies()[i].done >= tally.studies()[i].total;
  };
  while (names_.size() - first > max_bars && complete(first)) ++first;
  for (std::size_t i = first; i < names_.size() && lines < max_bars; ++i, ++lines) {
    const auto& study = tally.studies()[i];
    const double filled = share(study.reused + study.done, study.total);
    text += line_of(fmt::format("{:{}} {} {:3.0f} % of {}{}", names_[i], longest, bar(filled), 100 * filled,
                                count_of(study.total, "point"),
                                study.reused > 0 ? fmt::format(", {} reused", study.reused) : ""));
  }
  text += line_of(total_text(tally, ranks_at_work));
  print_to(stderr, "{}", text);
  std::fflush(stderr);
  drawn_ = lines + 1;
}

}  // namespace pimsweep::driver
