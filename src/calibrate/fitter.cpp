#include "calibrate/fitter.h"

#include <fmt/format.h>
#include <nlopt.h>

#include <algorithm>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <span>

#include "base/error.h"
#include "base/plural.h"
#include "base/splitmix64.h"
#include "base/statistics.h"

namespace pimsweep::calibrate {

namespace {

/// Deviations beyond so many spreads count linearly.
constexpr double huber_limit = 1.345;
/// Counts for a row that a machine cannot run, although that of the file can.
constexpr double penalty = 1e4;
/// A constant that moves rows by less than this share of their spread does not move them.
constexpr double min_influence = 1e-5;
/// The smallest spread, as a share of the references where the error is absolute.
constexpr double min_spread = 1e-6;
/// Machines around which constants are varied one at a time: that of the file and random ones.
constexpr int bases = 3;
constexpr std::array<double, 4> levels{0, 1.0 / 3, 2.0 / 3, 1};
/// Rows that decide which start is the best.
constexpr std::size_t max_sample = 1000;

double cost(sweep::FitLoss loss, double deviation, double spread) {
  if (loss == sweep::FitLoss::bounded) return std::abs(deviation) / (1 + std::abs(deviation));
  const double size = std::abs(deviation) / spread;
  return size <= huber_limit ? size * size : huber_limit * (2 * size - huber_limit);
}

/// Median absolute deviation from the median, scaled to the standard deviation of a normal distribution.
double robust_spread(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::ranges::sort(values);
  const double median = quantile(values, 0.5);
  for (double& value : values) value = std::abs(value - median);
  std::ranges::sort(values);
  constexpr double normal = 1.4826;
  return normal * quantile(values, 0.5);
}

Machine random_machine(std::size_t constants, std::uint64_t seed) {
  SplitMix64 random(SplitMix64::mix(seed));
  constexpr double scale = 0x1p-53;
  Machine machine(constants);
  for (double& position : machine) position = static_cast<double>(random() >> 11U) * scale;
  return machine;
}

/// Leaves as many rows as a sample may have, which hashes of their numbers choose.
void keep_sample(std::vector<bool>& rows) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row]) order.emplace_back(SplitMix64::mix(row), row);
  if (order.size() <= max_sample) return;
  std::ranges::sort(order);
  for (std::size_t place = max_sample; place < order.size(); ++place) rows[order[place].second] = false;
}

bool moves(const Screening& screening, std::size_t constant) {
  return screening.influence[constant] > min_influence * std::ranges::min(screening.spread);
}

/// A loss as a function of positions, for NLopt.
struct Objective {
  std::function<double(std::span<const double>)> loss;
  std::exception_ptr error;

  static double call(unsigned size, const double* positions, double* /*gradient*/, void* data) {
    auto& self = *static_cast<Objective*>(data);
    try {
      return self.loss({positions, size});
    } catch (...) {
      // An exception must not pass through C.
      self.error = std::current_exception();
      return HUGE_VAL;
    }
  }
};

}  // namespace

Fitter::Fitter(const Rows& rows, const ConfigFolders& configs) : rows_(rows), predictor_(rows, configs) {
  const std::vector<double> deviations = predictor_.deviations(predictor_.file_machine());
  unusable_.resize(rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    bool measured = false;
    for (std::size_t o = 0; o < rows.references.size(); ++o) {
      const double reference = rows.references[o][row];
      if (std::isnan(reference)) continue;
      measured = true;
      if (std::isnan(deviations[o * rows.size() + row])) unusable_[row] = true;
    }
    if (unusable_[row]) ++excluded_;
    if (!measured) unusable_[row] = true;
  }
  reason_ = predictor_.reason();
  if (std::ranges::find(unusable_, false) == unusable_.end())
    throw InputError(rows.fit.where, fmt::format("none of the {} rows has a result on this machine{}", rows.size(),
                                                 reason_.empty() ? "" : ": " + reason_));
  check_units(deviations);
  check_splits();
  if (screening({}).chosen.empty()) throw InputError(rows.fit.where, "none of the constants moves any of the rows");
}

void Fitter::check_units(const std::vector<double>& deviations) const {
  constexpr double max_factor = 100;
  for (std::size_t o = 0; o < rows_.references.size(); ++o) {
    std::vector<double> factors;
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      const double reference = rows_.references[o][row];
      const double value = predicted(rows_.fit.error, reference, deviations[o * rows_.size() + row]);
      if (value > 0 && reference > 0) factors.push_back(reference / value);
    }
    if (factors.empty()) continue;
    std::ranges::sort(factors);
    const double factor = quantile(factors, 0.5);
    if (factor > 1 / max_factor && factor < max_factor) continue;
    throw InputError(
        rows_.fit.where,
        fmt::format("reference '{}' is in the median {:.4g} times the value with the constants of the hardware file: "
                    "does its column have the right unit?",
                    rows_.fit.observations[o].name, factor));
  }
}

std::size_t Fitter::groups(const Training& training) {
  const Mask& rows = mask(training);
  std::set<std::uint32_t> found;
  for (std::size_t row = 0; row < rows.size(); ++row)
    if (rows[row]) found.insert(rows_.group[row]);
  return found.size();
}

void Fitter::check_splits() {
  const std::size_t all = groups({});
  const std::size_t needed = rows_.fit.profile ? rows_.max_constants() : 0;
  std::size_t left = all;
  bool is_empty = false;
  for (std::size_t split = 0; split < rows_.splits.size(); ++split) {
    const std::size_t fitted = groups({Training::Part::split, split});
    left = std::min(left, fitted);
    if (fitted == all) is_empty = true;
  }
  if (left > needed && !is_empty) return;
  const std::string what = is_empty ? "a fold would be empty"
                                    : fmt::format("{} of rows remain to fit {}", count_of(left, "group"),
                                                  count_of(rows_.max_constants(), "constant"));
  throw InputError(rows_.fit.where,
                   fmt::format("without {} that this machine cannot run, {}: leave them out by 'where' ({})",
                               count_of(excluded_, "row"), what, reason_));
}

Fitter::Probe Fitter::probe(Machine machine) {
  std::vector<double> deviations = predictor_.deviations(machine);
  return {std::move(machine), std::move(deviations)};
}

const std::vector<Fitter::Base>& Fitter::probes() {
  if (!probes_.empty()) return probes_;
  const std::size_t constants = rows_.fit.constants.size();
  for (int number = 0; number < bases; ++number) {
    const auto seed = (static_cast<std::uint64_t>(rows_.fit.seed) << 2U) + static_cast<std::uint64_t>(number);
    Base base{probe(number == 0 ? predictor_.file_positions() : random_machine(constants, seed)), {}};
    for (std::size_t constant = 0; constant < constants; ++constant) {
      base.levels.emplace_back();
      for (const double level : levels) {
        Machine machine = base.base.machine;
        machine[constant] = level;
        base.levels.back().push_back(probe(std::move(machine)));
      }
    }
    probes_.push_back(std::move(base));
  }
  return probes_;
}

const Fitter::Mask& Fitter::mask(const Training& training) {
  Mask& mask = masks_[training];
  if (!mask.empty()) return mask;
  mask = unusable_;
  mask.flip();
  if (training.part != Training::Part::all) {
    const Mask& out =
        training.part == Training::Part::split ? rows_.splits[training.index] : rows_.blocks[training.index];
    for (std::size_t row = 0; row < mask.size(); ++row) mask[row] = mask[row] && !out[row];
  }
  if (training.is_sample) keep_sample(mask);
  return mask;
}

Training Fitter::screened(const Training& training) {
  return training.part == Training::Part::block ? Training{} : Training{training.part, training.index};
}

std::vector<double> Fitter::spreads(const Mask& mask) {
  std::vector<double> spreads;
  const std::size_t rows = rows_.size();
  for (std::size_t o = 0; o < rows_.references.size(); ++o) {
    double spread = HUGE_VAL;
    const auto try_machine = [&](const Probe& probe) {
      std::vector<double> values;
      for (std::size_t row = 0; row < rows; ++row) {
        const double value = probe.deviations[o * rows + row];
        if (mask[row] && !std::isnan(value)) values.push_back(value);
      }
      const double own = robust_spread(std::move(values));
      if (own < spread) spread = own;
    };
    for (const Base& base : probes()) {
      try_machine(base.base);
      for (const auto& constant : base.levels) std::ranges::for_each(constant, try_machine);
    }
    double scale = 1;
    if (rows_.fit.error == sweep::FitError::absolute) {
      scale = 0;
      for (std::size_t row = 0; row < rows; ++row) {
        const double reference = rows_.references[o][row];
        if (mask[row] && !std::isnan(reference)) scale = std::max(scale, std::abs(reference));
      }
    }
    const double floor = std::max(rows_.fit.observations[o].floor, min_spread * scale);
    spreads.push_back(std::isfinite(spread) ? std::max(spread, floor) : floor);
  }
  return spreads;
}

double Fitter::influence(std::size_t constant, const Mask& mask) {
  const std::size_t rows = rows_.size();
  double largest = 0;
  for (const Base& base : probes()) {
    double sum = 0;
    double count = 0;
    for (std::size_t place = 0; place < base.base.deviations.size(); ++place) {
      if (!mask[place % rows] || std::isnan(base.base.deviations[place])) continue;
      double low = base.base.deviations[place];
      double high = low;
      for (const Probe& probe : base.levels[constant]) {
        if (std::isnan(probe.deviations[place])) continue;
        low = std::min(low, probe.deviations[place]);
        high = std::max(high, probe.deviations[place]);
      }
      sum += (high - low) * (high - low);
      count += 1;
    }
    if (count > 0) largest = std::max(largest, std::sqrt(sum / count));
  }
  return largest;
}

const Screening& Fitter::screening(const Training& training) {
  const auto found = screenings_.find(screened(training));
  if (found != screenings_.end()) return found->second;
  const Mask& rows = mask(screened(training));
  Screening result;
  result.spread = spreads(rows);
  for (std::size_t constant = 0; constant < rows_.fit.constants.size(); ++constant) {
    result.influence.push_back(influence(constant, rows));
    if (moves(result, constant)) result.chosen.push_back(constant);
  }
  std::ranges::stable_sort(result.chosen, std::greater{},
                           [&](std::size_t constant) { return result.influence[constant]; });
  if (result.chosen.size() > rows_.fit.at_most) result.chosen.resize(rows_.fit.at_most);
  return screenings_.emplace(screened(training), std::move(result)).first->second;
}

bool Fitter::moves_rows(std::size_t constant) { return moves(screening({}), constant); }

double Fitter::loss(const Training& training, const std::vector<double>& deviations) {
  const Mask& rows = mask(training);
  const Screening& screened = screening(training);
  double total = 0;
  for (std::size_t o = 0; o < rows_.references.size(); ++o) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (!rows[row] || std::isnan(rows_.references[o][row])) continue;
      const double value = deviations[o * rows.size() + row];
      total += rows_.weights[o][row] * (std::isnan(value) ? penalty : cost(rows_.fit.loss, value, screened.spread[o]));
    }
  }
  return total;
}

Fit Fitter::evaluated(const Training& training, Machine machine) {
  const double loss = this->loss(training, predictor_.deviations(machine, mask(training)));
  return {std::move(machine), loss, 1};
}

Fit Fitter::optimize(const Training& training, const std::vector<std::size_t>& free, const Fit& from,
                     Algorithm algorithm, double step, int evaluations) {
  if (free.empty()) return from;
  Fit best = from;
  Objective objective;
  Machine machine = from.machine;
  objective.loss = [&](std::span<const double> positions) {
    for (std::size_t i = 0; i < free.size(); ++i) machine[free[i]] = positions[i];
    const double loss = this->loss(training, predictor_.deviations(machine, mask(training)));
    ++best.evaluations;
    if (loss < best.loss) {
      best.loss = loss;
      best.machine = machine;
    }
    return loss;
  };
  // BOBYQA needs two dimensions.
  const nlopt_algorithm method = algorithm == Algorithm::bobyqa && free.size() > 1 ? NLOPT_LN_BOBYQA : NLOPT_LN_SBPLX;
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimizer(
      nlopt_create(method, static_cast<unsigned>(free.size())), &nlopt_destroy);
  constexpr double tolerance = 1e-6;
  nlopt_set_lower_bounds1(optimizer.get(), 0);
  nlopt_set_upper_bounds1(optimizer.get(), 1);
  nlopt_set_min_objective(optimizer.get(), &Objective::call, &objective);
  nlopt_set_initial_step1(optimizer.get(), step);
  nlopt_set_xtol_abs1(optimizer.get(), tolerance);
  nlopt_set_ftol_rel(optimizer.get(), tolerance * tolerance);
  nlopt_set_maxeval(optimizer.get(), evaluations);
  std::vector<double> positions(free.size());
  std::ranges::transform(free, positions.begin(), [&](std::size_t constant) { return from.machine[constant]; });
  double value = 0;
  // Its status does not matter: the best machine counts, also where rounding ends the search.
  nlopt_optimize(optimizer.get(), positions.data(), &value);
  if (objective.error) std::rethrow_exception(objective.error);
  return best;
}

Machine Fitter::start_of(const Training& training, std::uint64_t start) {
  Machine machine = predictor_.file_machine();
  const std::vector<std::size_t>& chosen = screening(training).chosen;
  std::uint64_t seed = static_cast<std::uint64_t>(rows_.fit.seed);
  for (const std::uint64_t part : {static_cast<std::uint64_t>(training.part), std::uint64_t{training.index}, start})
    seed = SplitMix64::mix(seed) + part;
  const Machine from = start == 0 ? predictor_.file_positions() : random_machine(machine.size(), seed);
  for (const std::size_t constant : chosen) machine[constant] = from[constant];
  return machine;
}

Fit Fitter::fit(const Training& training) {
  const std::vector<std::size_t>& chosen = screening(training).chosen;
  const int constants = static_cast<int>(chosen.size());
  const Training sample{training.part, training.index, true};
  constexpr double wide = 0.2;
  constexpr double narrow = 0.02;
  std::optional<Fit> best;
  std::uint64_t evaluations = 0;
  for (std::uint64_t start = 0; start < rows_.fit.starts; ++start) {
    const Fit from = evaluated(sample, start_of(training, start));
    for (const Algorithm algorithm : {Algorithm::sbplx, Algorithm::bobyqa}) {
      Fit fit = optimize(sample, chosen, from, algorithm, wide, 60 + 60 * constants);
      evaluations += fit.evaluations;
      if (!best || fit.loss < best->loss) best = std::move(fit);
    }
  }
  // Ceilings make the loss rough: a second search from where the first one ended.
  Fit fit =
      optimize(training, chosen, evaluated(training, best->machine), Algorithm::sbplx, narrow, 30 + 30 * constants);
  fit.evaluations += evaluations;
  return fit;
}

const Fit& Fitter::best() {
  if (!best_) best_ = fit({});
  return *best_;
}

Fit Fitter::refine(const Training& training, const std::vector<std::size_t>& free, const Fit& from) {
  constexpr double step = 0.05;
  return optimize(training, free, from, Algorithm::bobyqa, step, 30 + 30 * static_cast<int>(free.size()));
}

Fit Fitter::refit(std::size_t block) {
  const Training training{Training::Part::block, block};
  return refine(training, screening(training).chosen, evaluated(training, best().machine));
}

double Fitter::limit() {
  const double free = static_cast<double>(groups({})) - static_cast<double>(screening({}).chosen.size());
  constexpr double confidence = 0.95;
  return best().loss * (1 + boost::math::quantile(boost::math::fisher_f(1, free), confidence) / free);
}

Fit Fitter::profile(std::size_t constant, bool upwards) {
  const Fit& middle = best();
  const double lowest = middle.loss;
  const double limit = this->limit();
  std::vector<std::size_t> others = screening({}).chosen;
  std::erase(others, constant);
  std::uint64_t evaluations = 0;
  const auto at = [&](double position, const Fit& near) {
    Machine machine = near.machine;
    machine[constant] = position;
    Fit fit = refine({}, others, evaluated({}, std::move(machine)));
    evaluations += fit.evaluations;
    return fit;
  };
  // Positions from the optimum, in units of the way to the end of the range.
  const double begin = middle.machine[constant];
  const double way = upwards ? 1 - begin : -begin;
  Fit inside = middle;
  Fit outside = middle;
  double near = 0;
  double far = 0;
  constexpr double first_step = 0.02;
  if (way == 0) return middle;
  for (double step = std::min(1.0, first_step / std::abs(way)); far < 1; step *= 2) {
    far = std::min(1.0, near + step);
    outside = at(begin + way * far, inside);
    if (outside.loss > limit) break;
    inside = outside;
    near = far;
  }
  // The root of the excess is nearly linear in the distance.
  const auto excess = [&](const Fit& fit) { return std::sqrt(std::max(0.0, fit.loss - lowest)); };
  const double goal = std::sqrt(limit - lowest);
  constexpr int max_steps = 12;
  constexpr double precision = 0.01;
  for (int step = 0; step < max_steps && outside.loss > limit && far - near > precision * far; ++step) {
    const double low = excess(inside);
    const double high = excess(outside);
    // Away from the ends, so that both of them move.
    constexpr double margin = 0.1;
    const double share = std::clamp((goal - low) / (high - low), margin, 1 - margin);
    const double middle_place = near + (far - near) * share;
    Fit tried = at(begin + way * middle_place, inside);
    if (tried.loss > limit) {
      outside = std::move(tried);
      far = middle_place;
    } else {
      inside = std::move(tried);
      near = middle_place;
    }
  }
  Fit end = outside.loss > limit ? outside : inside;
  end.evaluations = evaluations;
  return end;
}

}  // namespace pimsweep::calibrate
