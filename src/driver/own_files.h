#pragma once

#include <string>
#include <vector>

namespace pimsweep::driver {

/// Throws InputError if there is something at `path` that a results file must not replace: a folder, device, FIFO or
/// link, a file that is not a results file, or, in a folder of journals, anything but the merged file of the job
/// scripts.
void require_replaceable(const std::string& path);

/// The last bytes of a results file, its seal, which tell it from any other; empty if it cannot be read.
std::string end_of_results(const std::string& path);

/// Creates the folder for journals, which nobody else may write to, or accepts an existing one. Throws InputError if it
/// cannot be created, is not a folder, or belongs to another user, who could have placed false results there.
void make_journal_folder(const std::string& path);

/// Removes from a journal folder what pimsweep writes there, and the folder itself if nothing else is in it. Returns
/// the names of what stays.
std::vector<std::string> remove_journal_folder(const std::string& path);

/// A journal that --force has set aside: resume and merge do not read it.
inline constexpr auto set_aside_extension = ".set-aside";

/// Path of a temporary file beside `path` that the next run clears if this process cannot.
std::string temporary_path(const std::string& path);

/// Removes the temporary files of killed processes beside an output.
void clear_temporaries(const std::string& output);

/// Removes the temporary journals of killed processes from a folder that others may be writing to.
void clear_temporary_journals(const std::string& folder);

}  // namespace pimsweep::driver
