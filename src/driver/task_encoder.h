#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/evaluator.h"
#include "driver/extent_index.h"
#include "driver/plan_view.h"
#include "driver/searches.h"
#include "journal/stream.h"
#include "results/block_task.h"
#include "results/study_encoder.h"

namespace pimsweep::driver {

/// What was noticed while points were encoded.
struct EncodingNotes {
  StatusCounts counts;
  /// Messages of the first few failures, each with its point.
  std::vector<std::string> failures;
  /// Points with two results that differ in any bit.
  std::vector<std::uint64_t> conflicts;
};

std::string to_bytes(const EncodingNotes& notes);
EncodingNotes notes_from(std::string_view bytes);

/// Encodes blocks of a plan's results from its journals, on any rank. Reads no more of them than the blocks need.
class TaskEncoder {
 public:
  /// `index` is the path of an ExtentIndex. The references must outlive the encoder. `searches` has done those of the
  /// plan; a rank that does not know them encodes only other studies.
  TaskEncoder(const sweep::Plan& plan, Evaluator& evaluator, const std::string& index, const Searches* searches);

  struct Done {
    results::EncodedTask task;
    EncodingNotes notes;
  };
  /// `position`: that of the task's first point in the index. Throws std::exception.
  Done encode(const results::BlockTask& task, std::uint64_t position);

  /// The first point that a task reads, counted over the plan.
  std::uint64_t first_point_of(const results::BlockTask& task) const;
  /// Whether other ranks can encode a study: they do not know what searches have chosen.
  bool is_shared(std::size_t study) const { return plan_.studies[study].search() == nullptr; }
  /// A view of a study, for what is known of it without its points.
  std::unique_ptr<PlanStudyView> view(std::size_t study);

 private:
  const sweep::Plan& plan_;
  Evaluator& evaluator_;
  const Searches* searches_;
  ExtentIndexReader index_;
  journal::Stream stream_;
  /// Of the study of the task before.
  std::optional<std::uint32_t> study_;
  std::unique_ptr<PlanStudyView> view_;
  std::unique_ptr<results::StudyEncoder> encoder_;
};

}  // namespace pimsweep::driver
