#pragma once

#include <memory>

#include "results/block_task.h"
#include "results/study_view.h"

namespace pimsweep::results {

/// Encodes blocks of a study.
class StudyEncoder {
 public:
  /// `study` must outlive the encoder.
  explicit StudyEncoder(StudyView& study);
  ~StudyEncoder();
  StudyEncoder(const StudyEncoder&) = delete;
  StudyEncoder& operator=(const StudyEncoder&) = delete;

  /// Throws what StudyView::row() throws, and std::runtime_error if HDF5 refuses.
  EncodedTask encode(const BlockTask& task);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pimsweep::results
