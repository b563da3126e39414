#pragma once

#include <optional>
#include <string>

namespace pimsweep::driver {

/// Reads "90", "90 s", "45 min", "2 h" or "1:30:00" as seconds. Throws InputError naming `option`.
double parse_duration(const std::string& text, const std::string& option);

/// Reads what Slurm's squeue prints for the time that a job has left: D-HH:MM:SS, HH:MM:SS, MM:SS or SS. Nothing for
/// UNLIMITED, INVALID and the like.
std::optional<double> parse_slurm_time(const std::string& text);

/// The seconds that are left of this process' Slurm allocation, if it runs in one that has a limit. Asks squeue once.
std::optional<double> slurm_time_left();

}  // namespace pimsweep::driver
