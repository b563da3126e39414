#include "driver/task_encoder.h"

#include <stdexcept>
#include <utility>

#include "base/bytes.h"
#include "results/column_info.h"

namespace pimsweep::driver {

std::string to_bytes(const EncodingNotes& notes) {
  std::string bytes;
  for (const std::uint64_t count : notes.counts.count) append_count(bytes, count);
  append_count(bytes, notes.failures.size());
  for (const std::string& failure : notes.failures) append_text(bytes, failure);
  append_count(bytes, notes.conflicts.size());
  for (const std::uint64_t point : notes.conflicts) append_count(bytes, point);
  return bytes;
}

EncodingNotes notes_from(std::string_view bytes) {
  ByteReader reader(bytes);
  EncodingNotes notes;
  for (std::uint64_t& count : notes.counts.count) count = reader.count();
  for (std::uint64_t left = reader.count(); left > 0 && !reader.failed(); --left)
    notes.failures.emplace_back(reader.text());
  for (std::uint64_t left = reader.count(); left > 0 && !reader.failed(); --left)
    notes.conflicts.push_back(reader.count());
  if (reader.failed()) throw std::runtime_error("received malformed notes");
  return notes;
}

TaskEncoder::TaskEncoder(const sweep::Plan& plan, Evaluator& evaluator, const std::string& index,
                         const Searches* searches)
    : plan_(plan), evaluator_(evaluator), searches_(searches), index_(index), stream_(index_.journals()) {}

std::unique_ptr<PlanStudyView> TaskEncoder::view(std::size_t study) {
  return std::make_unique<PlanStudyView>(plan_, study, evaluator_, stream_,
                                         searches_ == nullptr ? nullptr : searches_->log(study));
}

TaskEncoder::Done TaskEncoder::encode(const results::BlockTask& task, std::uint64_t position) {
  if (study_ != task.study) {
    encoder_.reset();
    view_ = view(task.study);
    encoder_ = std::make_unique<results::StudyEncoder>(*view_);
    study_ = task.study;
  }
  stream_.begin_at(index_.read(position));
  Done done{encoder_->encode(task), {}};
  const bool is_points = task.kind == results::BlockTask::Kind::points;
  const auto [counts, failures] = view_->take_counts();
  const std::vector<std::uint64_t> conflicts = stream_.take_conflicts();
  // The points of a table's rows were counted with the points.
  if (is_points) done.notes = {counts, failures, conflicts};
  return done;
}

std::uint64_t TaskEncoder::first_point_of(const results::BlockTask& task) const {
  const bool is_table = task.kind == results::BlockTask::Kind::table;
  return plan_.offset(task.study) + (is_table ? task.first_point : task.first_block * results::block_rows);
}

}  // namespace pimsweep::driver
