#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pimsweep::results {

/// Rows that no other row dominates: no other row is at most as large in every column and smaller in one. Columns have
/// equal length and no NaN; equal rows are all in the front or none of them is. Sorted. Takes n log n for up to three
/// columns (Kung, Luccio and Preparata, On finding the maxima of a set of vectors, J. ACM 22(4) 1975), and at most n
/// times the size of the front for more.
std::vector<std::size_t> pareto_front(std::span<const std::span<const double>> columns);

/// The Pareto front of a stream of rows, in memory for the front and a block of rows.
class RunningFront {
 public:
  explicit RunningFront(std::size_t columns) : cells_(columns) {}
  /// As many numbers as there are columns, none NaN.
  void add(std::uint64_t row, std::span<const double> numbers);
  /// Rows of the front so far, in the order of their arrival.
  const std::vector<std::uint64_t>& rows();

 private:
  void reduce();

  std::vector<std::uint64_t> rows_;
  /// By column.
  std::vector<std::vector<double>> cells_;
  std::size_t limit_ = 1U << 16U;
};

}  // namespace pimsweep::results
