#include "driver/time_limit.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <regex>

#include "base/error.h"
#include "base/quantity.h"

namespace pimsweep::driver {

namespace {

/// [[D-]H:]M:S or S, where every part is a number.
std::optional<double> parse_clock(const std::string& text) {
  static const std::regex pattern(R"(\s*(?:(\d{1,5})-)?(?:(?:(\d{1,6}):)?(\d{1,6}):)?(\d{1,9}(?:\.\d{1,9})?)\s*)");
  // The library's matching of regular expressions goes as deep as the text is long.
  constexpr std::size_t max_length = 64;
  if (text.size() > max_length) return std::nullopt;
  std::smatch parts;
  if (!std::regex_match(text, parts, pattern)) return std::nullopt;
  constexpr std::array factors{86400.0, 3600.0, 60.0, 1.0};
  double seconds = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (parts[i + 1].matched) seconds += factors[i] * std::stod(parts[i + 1].str());
  }
  return seconds;
}

}  // namespace

double parse_duration(const std::string& text, const std::string& option) {
  // Defaults are quantities: the regular expression takes longer than all other options.
  try {
    const double seconds = parse_quantity(text, "s");
    if (seconds >= 0) return seconds;
  } catch (const InputError&) {
    // Reported below, with all allowed forms.
  }
  if (const auto seconds = parse_clock(text)) return *seconds;
  throw InputError(
      fmt::format("{} needs a time such as 90, \"90 s\", \"45 min\", \"2 h\" or 1:30:00, read '{}'", option, text));
}

std::optional<double> parse_slurm_time(const std::string& text) { return parse_clock(text); }

std::optional<double> slurm_time_left() {
  const char* job = std::getenv("SLURM_JOB_ID");
  if (job == nullptr || std::string_view(job).find_first_not_of("0123456789") != std::string_view::npos)
    return std::nullopt;
  const std::string command = fmt::format("squeue -h -j {} -o %L 2>/dev/null", job);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  if (!pipe) return std::nullopt;
  std::array<char, 64> line{};
  if (std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) == nullptr) return std::nullopt;
  return parse_slurm_time(line.data());
}

}  // namespace pimsweep::driver
