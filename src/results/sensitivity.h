#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pimsweep::results {

/// Shares of a metric's variance that the axes cause. All refer to the variance over the given points, with equal
/// weights.
namespace sensitivity {

/// An estimate and its 95 % interval: 1.96 standard errors by a bootstrap with a fixed seed (Efron and Tibshirani, An
/// Introduction to the Bootstrap, 1993, Ch. 6). An exact number is its own interval.
struct Share {
  double value = 0;
  double low = 0;
  double high = 0;
};

/// An axis as levels 0, 1, ... of each point, as many as `count`: its values, or bins of them.
struct Levels {
  std::vector<std::uint8_t> of;
  std::size_t count = 0;
};

/// Whether each combination of levels is exactly one point.
bool is_factorial(std::span<const sensitivity::Levels> axes);

/// Var(E[y | axis]) / Var(y), the first-order index (Sobol, Math. Comput. Simul. 55, 2001, Eq. 10), from points of any
/// design whose axes are independent: analysis of variance between levels, less what chance puts there (Kelley, PNAS
/// 21(9), 1935). `exact` leaves chance out: for a factorial design. `block` points in a row are drawn together.
sensitivity::Share first_order(std::span<const double> y, const sensitivity::Levels& axis, bool exact,
                               std::size_t block);

/// The share of two axes together beyond the shares of each.
sensitivity::Share interaction(std::span<const double> y, const sensitivity::Levels& a, const sensitivity::Levels& b,
                               bool exact, std::size_t block);

/// E[Var(y | all other axes)] / Var(y), the total index (Homma and Saltelli, Reliab. Eng. Syst. Saf. 52, 1996), of one
/// axis of a factorial design.
double factorial_total(std::span<const double> y, std::span<const sensitivity::Levels> axes, std::size_t axis);

/// First-order and total indices from blocks of y(A), y(B), y(A with axis 1 of B), y(A with axis 2 of B), ...
/// (Saltelli et al., Comput. Phys. Commun. 181, 2010, Table 2, estimators b and f). `y` is whole blocks.
struct SaltelliShares {
  sensitivity::Share first_order;
  sensitivity::Share total;
};
std::vector<sensitivity::SaltelliShares> saltelli(std::span<const double> y, std::size_t axes);

}  // namespace sensitivity

}  // namespace pimsweep::results
