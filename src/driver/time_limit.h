#pragma once

#include <optional>
#include <string>

namespace pimsweep::driver {

/// Parses "90", "90 s", "45 min", "2 h" or "1:30:00" as seconds. Throws InputError naming `option`.
double parse_duration(const std::string& text, const std::string& option);

/// Parses the remaining time of a job as printed by Slurm's squeue: D-HH:MM:SS, HH:MM:SS, MM:SS or SS. Empty for
/// UNLIMITED, INVALID and similar words.
std::optional<double> parse_slurm_time(const std::string& text);

/// Remaining seconds of this process's Slurm allocation, if it runs in one with a time limit. Calls squeue once.
std::optional<double> slurm_time_left();

}  // namespace pimsweep::driver
