#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace pimsweep::systems::allspark::scheduler {

/// A mixed-integer linear program to be minimized by CBC.
class CbcProgram {
 public:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  struct Term {
    int column = 0;
    double factor = 0;
  };

  enum class Outcome : std::uint8_t { optimal, infeasible, stopped };

  struct Result {
    /// `optimal` and `infeasible` are proven by CBC.
    Outcome outcome = Outcome::stopped;
    /// One value a column, the best found; empty if there is none.
    std::vector<double> values;
  };

  int add_column(double lower, double upper, double cost, bool integer);
  int add_binary(double cost) { return add_column(0, 1, cost, true); }
  /// lower <= sum of the terms <= upper. Terms of one row name different columns.
  void add_row(double lower, double upper, std::span<const Term> terms);

  std::int64_t columns() const { return static_cast<std::int64_t>(lower_.size()); }
  std::int64_t rows() const { return static_cast<std::int64_t>(row_lower_.size()); }
  std::int64_t nonzeros() const { return static_cast<std::int64_t>(terms_.size()); }

  /// Solves to a gap of 0, silently, within `seconds` of wall time.
  Result solve(double seconds) const;

 private:
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<double> cost_;
  std::vector<bool> integer_;
  std::vector<double> row_lower_;
  std::vector<double> row_upper_;
  /// Row by row; row r begins at row_start_[r].
  std::vector<Term> terms_;
  std::vector<std::size_t> row_start_{0};
};

}  // namespace pimsweep::systems::allspark::scheduler
