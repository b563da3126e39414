#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "results/journal.h"

namespace pimsweep {

/// Calls `use` for every point of a results file that has a result (any status but not_run), rebuilt as a journal
/// entry. `schema_of` gives the schema of a system by name, or null for one that is no longer known; studies of such a
/// system, and of one whose metrics or tables have changed, are passed over. Throws InputError if the file cannot be
/// read.
void for_each_result(const std::string& results_file, const std::function<const Schema*(std::string_view)>& schema_of,
                     const std::function<void(const JournalEntry&)>& use);

}  // namespace pimsweep
