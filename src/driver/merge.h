#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driver/evaluator.h"
#include "driver/plan_view.h"
#include "driver/searches.h"
#include "driver/task_encoder.h"
#include "journal/index.h"
#include "results/results_file.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Result of a merge.
struct MergeResult {
  StatusCounts counts;
  /// Messages of the first few failures and crashes.
  std::vector<std::string> failures;
  /// Points with two results that differ in any bit.
  std::vector<std::uint64_t> conflicts;
  std::string digest;
  /// Time taken to build the file.
  double seconds = 0;
};

/// Takes what is noticed while the blocks of a file are encoded, in any order.
class MergeNotes {
 public:
  void add(const results::BlockTask& task, EncodingNotes notes);
  /// Moves everything to the result, in the plan's order.
  void move_to(MergeResult& result);

 private:
  StatusCounts counts_;
  /// By study and block: those that the user is told of.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::string>> failures_;
  std::vector<std::uint64_t> conflicts_;
};

/// What encodes the blocks of a merge.
struct MergeWork {
  results::BlockQueue& queue;
  const ExtentIndex& index;
  /// That of this process.
  TaskEncoder& encoder;
  MergeNotes& notes;
};
using EncodeMerge = std::function<void(const MergeWork& work)>;

/// Encodes all blocks in this process.
void merge_here(const MergeWork& work);

/// Writes the results file of a plan from its journals. Memory use does not depend on the plan's size. `searches` has
/// done the searches of the plan, if it has any. The file does not depend on what encodes it.
MergeResult merge(const sweep::Plan& plan, Evaluator& evaluator, journal::Index& journals, const std::string& output,
                  const results::Provenance& provenance, const Searches* searches = nullptr,
                  const EncodeMerge& encode = merge_here);

/// UTC time in the format 2030-01-31T12:00:00Z.
std::string utc_text(std::int64_t seconds_since_1970);

}  // namespace pimsweep::driver
