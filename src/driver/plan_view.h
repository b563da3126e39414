#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driver/evaluator.h"
#include "driver/faults.h"
#include "driver/search_columns.h"
#include "journal/stream.h"
#include "results/study_view.h"
#include "sweep/derived_metrics.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Number of points with each status, indexed by Status.
struct StatusCounts {
  std::array<std::uint64_t, 5> count{};
  std::uint64_t operator[](systems::Status status) const { return count[static_cast<std::size_t>(status)]; }
  std::uint64_t& operator[](systems::Status status) { return count[static_cast<std::size_t>(status)]; }
  std::uint64_t total() const;
};

/// Failures whose messages are printed.
inline constexpr std::size_t max_printed_failures = 5;

/// Counts over the points that were read for the results file.
struct MergeNotes {
  StatusCounts counts;
  /// Messages of the first few failures, each with its point.
  std::vector<std::string> failures;
};

/// A study of a plan with the results in its journals, in the form needed to write the results file. Its rows are read
/// in ascending order, from where the stream begins.
class PlanStudyView final : public results::StudyView {
 public:
  /// `log` is that of a search, else nullptr. The references must outlive the view.
  PlanStudyView(const sweep::Plan& plan, std::size_t study, Evaluator& evaluator, journal::Stream& results,
                const SearchLog* log, MergeNotes& notes, Fault& fault);

  const std::string& id() const override { return study_.id(); }
  const std::string& origin() const override { return study_.origin(); }
  const std::string& doc() const override { return study_.doc(); }
  const systems::Schema& schema() const override { return schema_; }
  std::size_t derived_metrics() const override { return study_.derived().size(); }
  std::vector<std::pair<std::string, std::string>> attributes() const override;
  std::uint64_t size() const override { return log_ == nullptr ? study_.size() : log_->rows.size(); }
  const std::vector<results::ColumnInfo>& inputs() const override { return inputs_; }
  const std::vector<results::FilledTable>& tables() const override { return tables_; }
  void row(std::uint64_t index, Row& row) override;

 private:
  const sweep::Study& study_;
  /// Schema of the system, with the derived metrics at the end.
  systems::Schema schema_;
  sweep::DerivedValues derived_;
  /// Number of the study's first point in the plan.
  std::uint64_t offset_;
  Evaluator& evaluator_;
  journal::Stream& results_;
  const SearchLog* log_;
  std::vector<results::ColumnInfo> inputs_;
  std::vector<results::FilledTable> tables_;
  SearchCells search_cells_;
  systems::Point point_;
  journal::Entry entry_;
  MergeNotes& notes_;
  Fault& fault_;
};

/// Columns of a study that are known before it runs: all axes, then labels and references.
std::vector<results::ColumnInfo> input_columns(const sweep::Study& study);

/// Checks that the names of the results file's datasets are unique. Throws InputError naming each duplicate.
void check_names(const sweep::Plan& plan);

}  // namespace pimsweep::driver
