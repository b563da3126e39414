#include "hardware/pe_array/mapper/mapper.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hardware/integer_math.h"
#include "hardware/pe_array/cuts.h"

namespace pimsweep::hardware::pe_array::mapper {

namespace {

/// Lower bounds of Repeats.
struct MinRepeats {
  MinRepeats() = default;
  MinRepeats(double min_a, double min_b, double min_z) : a(min_a), b(min_b), z(min_z) {}
  MinRepeats(const Repeats& repeats)  // NOLINT(google-explicit-constructor): exact ones are bounds
      : a(static_cast<double>(repeats.a)),
        b(static_cast<double>(repeats.b)),
        z(static_cast<double>(repeats.z)),
        weights(static_cast<double>(repeats.weights)),
        sums(static_cast<double>(repeats.sums)) {}

  double a = 1;
  double b = 1;
  double z = 1;
  double weights = 1;
  double sums = 1;
};

/// Loop orders between DRAM and buffer; the innermost index is the one that the stationary operand, A, B or Z, does not
/// have.
constexpr std::array<LoopOrder, 3> dram_orders{
    LoopOrder{Loop::m, Loop::k, Loop::n}, LoopOrder{Loop::n, Loop::k, Loop::m}, LoopOrder{Loop::m, Loop::n, Loop::k}};
constexpr LoopOrder sums_stay{Loop::m, Loop::n, Loop::k};
constexpr LoopOrder weights_stay{Loop::n, Loop::k, Loop::m};

void require_possible(const Gemm& gemm, const Engine& engine) {
  const auto& e = engine.energy;
  if (std::min({gemm.m, gemm.n, gemm.k}) < 1) {
    throw std::invalid_argument("mapper: the sizes of a GEMM must be positive");
  }
  if (gemm.stored_a < 0 || gemm.stored_a > gemm.m * gemm.k) {
    throw std::invalid_argument("mapper: a GEMM must have 0 to m k stored words of A");
  }
  if (std::min({engine.rows, engine.cols, engine.accumulator_words, engine.buffer_words, engine.line_words}) < 1) {
    throw std::invalid_argument("mapper: the sizes of the engine must be positive");
  }
  for (const double value : {engine.dram_words_per_cycle, engine.buffer_words_per_cycle, e.mac, e.register_word,
                             e.accumulator_word, e.buffer_line, e.dram_line}) {
    if (!(value >= 0)) throw std::invalid_argument("mapper: bandwidths and energies must not be negative");
  }
}

}  // namespace

class Mapper::Search {
 public:
  Search(Mapper& tables, const Gemm& gemm, const Engine& engine, Objective objective, std::int64_t max_cycles)
      : row_cuts_(tables.row_cuts_),
        column_cuts_(tables.column_cuts_),
        gemm_(gemm),
        engine_(engine),
        objective_(objective),
        max_cycles_(max_cycles),
        a_(static_cast<double>(gemm.m * gemm.k)),
        stored_a_(static_cast<double>(gemm.a_words())),
        b_(static_cast<double>(gemm.k * gemm.n)),
        z_(static_cast<double>(gemm.m * gemm.n)),
        dram_word_(engine.energy.dram_line / static_cast<double>(engine.line_words)),
        buffer_word_(engine.energy.buffer_line / static_cast<double>(engine.line_words)) {}

  std::optional<Solution> run() {
    cut_rows();
    // Fewer rows or columns need more steps: once they cannot win, even fewer cannot either.
    for_each_part(gemm_.k, engine_.rows, [&](std::int64_t rows) {
      bool any = false;
      for_each_part(gemm_.n, engine_.cols, [&](std::int64_t cols) {
        const bool hopeful = try_factors(rows, cols);
        any = any || hopeful;
        return hopeful;
      });
      return any;
    });
    if (!found_) return std::nullopt;
    return Solution{best_, cost_of(best_, gemm_, engine_)};
  }

 private:
  /// The value to minimize, and the tie-breaker.
  struct Score {
    double first = std::numeric_limits<double>::infinity();
    double second = std::numeric_limits<double>::infinity();

    bool operator<(const Score& other) const {
      return first < other.first || (first == other.first && second < other.second);
    }
  };

  static Score score_of(Objective objective, double cycles, double energy) {
    switch (objective) {
      case Objective::cycles_then_energy:
        return {cycles, energy};
      case Objective::energy_then_cycles:
        return {energy, cycles};
      case Objective::energy_delay_product:
        break;
    }
    return {cycles * energy, cycles};
  }

  /// For each number of tiles, the smallest tile for each number of strips that it can have. Between two multiples of
  /// the accumulators' words only the strips of the last tile change, by one for each accumulator that it fills less.
  void cut_rows() {
    row_cuts_.clear();
    const std::int64_t words = engine_.accumulator_words;
    for_each_part(gemm_.m, gemm_.m, [&](std::int64_t min_rows) {
      const std::int64_t tiles = ceil_div(gemm_.m, min_rows);
      if (tiles == 1) {
        row_cuts_.push_back({gemm_.m, 1, ceil_div(gemm_.m, words)});
        return;
      }
      const std::int64_t max_rows = ceil_div(gemm_.m, tiles - 1) - 1;
      const auto group = static_cast<std::ptrdiff_t>(row_cuts_.size());
      std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
      for (std::int64_t rows = min_rows; rows <= max_rows;) {
        const std::int64_t last = gemm_.m - (tiles - 1) * rows;
        const std::int64_t strips = (tiles - 1) * ceil_div(rows, words) + ceil_div(last, words);
        if (strips < fewest) row_cuts_.push_back({rows, tiles, fewest = strips});
        const std::int64_t smaller_last = (ceil_div(last, words) - 1) * words;
        rows = std::max(rows + 1, ceil_div(gemm_.m - smaller_last, tiles - 1));
      }
      // Largest first, as everywhere.
      std::reverse(row_cuts_.begin() + group, row_cuts_.end());
    });
  }

  /// False if the number of steps alone rules them out.
  bool try_factors(std::int64_t rows, std::int64_t cols) {
    rows_ = step_rows_ = rows;
    cols_ = step_cols_ = cols;
    k_steps_ = ceil_div(gemm_.k, rows);
    const std::int64_t n_steps = ceil_div(gemm_.n, cols);
    compute_cycles_ = static_cast<double>(gemm_.m * k_steps_ * n_steps);
    fixed_buffer_words_ = a_ * static_cast<double>(n_steps) + z_;
    fixed_energy_ = a_ * static_cast<double>(gemm_.n) * (engine_.energy.mac + engine_.energy.register_word) +
                    z_ * static_cast<double>(2 * k_steps_ - 1) * engine_.energy.accumulator_word +
                    fixed_buffer_words_ * buffer_word_;
    if (is_hopeless(MinRepeats())) return false;
    if (found_ && (!min_moving_energy_ || max_useful_cycles() < relaxed_cycles_)) {
      relaxed_cycles_ = max_useful_cycles();
      min_moving_energy_ = relaxed();
    }
    if (is_hopeless(MinRepeats(), min_moving_energy_.value_or(0))) return false;
    try_tiles();
    return true;
  }

  /// Cycles of a mapping that may still win.
  std::int64_t max_useful_cycles() const {
    return objective_ == Objective::cycles_then_energy ? static_cast<std::int64_t>(score_.first) : max_cycles_;
  }

  /// Lower bound on the energy of moving words over all spatial factors in useful time: tiles may be cut anywhere, and
  /// every tile that fits into one step for some factors has the advantages of a one-step tile.
  double relaxed() const {
    Search search(*this);
    search.relaxed_ = true;
    search.objective_ = Objective::energy_then_cycles;
    search.max_cycles_ = relaxed_cycles_;
    // Some of these tiles moves as little as the best known mapping.
    search.score_ = {best_moving_energy_, std::numeric_limits<double>::infinity()};
    search.rows_ = search.cols_ = 1;
    search.step_rows_ = std::min(engine_.rows, gemm_.k);
    search.step_cols_ = std::min(engine_.cols, gemm_.n);
    search.k_steps_ = ceil_div(gemm_.k, search.step_rows_);
    search.compute_cycles_ = search.fixed_buffer_words_ = search.fixed_energy_ = 0;
    search.try_tiles();
    return search.score_.first;
  }

  void try_tiles() {
    column_cuts_.clear();
    const std::int64_t units = ceil_div(gemm_.n, cols_);
    for_each_part(units, units, [&](std::int64_t part) {
      column_cuts_.push_back({std::min(part * cols_, gemm_.n), ceil_div(units, part)});
    });
    single_steps();
    try_rows(first_row_cut_that_fits(), row_cuts_.cend());
  }

  using RowCuts = std::vector<RowCut>::const_iterator;
  using ColumnCuts = std::vector<ColumnCut>::const_iterator;

  /// Tries tiles of the rows from `first` to `last`, the largest first; halves of them are skipped where none can win.
  void try_rows(RowCuts first, RowCuts last) {
    if (first == last || !may_win(*first, *(last - 1))) return;
    if (last - first > 1) {
      const auto middle = first + (last - first) / 2;
      try_rows(first, middle);
      try_rows(middle, last);
      return;
    }
    // With A stationary, small tiles of N are best, and A moves once.
    try_tile(*first, column_cuts_.back());
    const std::int64_t max_n = max_side(first->rows, rows_);
    const auto column = std::partition_point(column_cuts_.cbegin(), column_cuts_.cend(),
                                             [&](const ColumnCut& cut) { return cut.columns > max_n; });
    try_columns(*first, column, column_cuts_.cend());
  }

  void try_columns(const RowCut& row_cut, ColumnCuts first, ColumnCuts last) {
    if (first == last || !may_win_with(row_cut, first->tiles, (last - 1)->columns)) return;
    if (last - first == 1) return try_tile(row_cut, *first);
    const auto middle = first + (last - first) / 2;
    try_columns(row_cut, first, middle);
    try_columns(row_cut, middle, last);
  }

  /// The largest third side of a tile with two given ones.
  std::int64_t max_side(std::int64_t one, std::int64_t other) const {
    return (engine_.buffer_words - one * other) / (one + other);
  }

  /// First cut that fits together with the smallest tiles of N and K.
  std::vector<RowCut>::const_iterator first_row_cut_that_fits() const {
    const std::int64_t max_columns = (engine_.buffer_words - rows_ * cols_) / (rows_ + cols_);
    return std::partition_point(row_cuts_.begin(), row_cuts_.end(),
                                [&](const RowCut& cut) { return cut.rows > max_columns; });
  }

  /// True if a tile can win that has at least the rows of `small` and at most those of `large`.
  bool may_win(const RowCut& large, const RowCut& small) const {
    const std::int64_t m = small.rows;
    const bool one_strip = m <= engine_.accumulator_words;
    const std::int64_t n_tiles = ceil_div(gemm_.n, max_side(m, rows_));
    const std::int64_t k_tiles = ceil_div(gemm_.k, max_side(m, cols_));
    // Between the two, the number of strips may be lower than with either.
    RowCut fewest = large;
    if (large.rows != m) fewest.strips = std::max(large.tiles, ceil_div(gemm_.m, engine_.accumulator_words));
    if (may_stay(Repeats{1, large.tiles, k_tiles}, fewest, one_strip, k_tiles)) return true;
    if (may_stay(Repeats{n_tiles, large.tiles, 1}, fewest, one_strip, one_strip ? 1 : k_tiles)) return true;
    if (!may_stay(Repeats{n_tiles, 1, k_tiles}, fewest, one_strip, k_tiles)) return false;
    // With B stationary, n and k share the buffer. From nk + m (n + k) <= buffer follows sqrt(nk) <= side, so by the
    // inequality of means MNK (1/n + 1/k) >= 2 MNK / side in the buffer and, where a share s of A is stored,
    // MNK (s/n + 2/k) >= 2 sqrt(2s) MNK / side in DRAM. These a and z give exactly that.
    const double rows = static_cast<double>(m);
    const double beyond_rounding = 1 + 1e-9;
    const double side = (std::sqrt(rows * rows + static_cast<double>(engine_.buffer_words)) - rows) * beyond_rounding;
    const double macs = a_ * static_cast<double>(gemm_.n);
    const double share = stored_a_ / a_;
    const double root = std::sqrt(2 * share);
    const double scale = macs / (side * (2 - share));
    return may_stay({(4 - 2 * root) * scale / a_, 1, 2 * (root - share) * scale / z_}, fewest, one_strip, k_tiles);
  }

  /// True if a tile of these rows with B or Z stationary can win that has at least `columns` and cuts N into at least
  /// `n_tiles`.
  bool may_win_with(const RowCut& cut, std::int64_t n_tiles, std::int64_t columns) const {
    const bool one_strip = cut.rows <= engine_.accumulator_words;
    const std::int64_t k_tiles = ceil_div(gemm_.k, max_side(cut.rows, columns));
    return may_stay(Repeats{n_tiles, 1, k_tiles}, cut, one_strip, k_tiles) ||
           may_stay(Repeats{n_tiles, cut.tiles, 1}, cut, one_strip, one_strip ? 1 : k_tiles);
  }

  /// True if these repeats at DRAM may win with sums in the accumulators or with B in the registers.
  bool may_stay(MinRepeats bound, const RowCut& cut, bool one_strip, std::int64_t sums) const {
    bound.weights = static_cast<double>(cut.strips);
    bound.sums = static_cast<double>(sums);
    if (!is_hopeless(bound)) return true;
    if (one_strip && cut.rows <= engine_.accumulator_words) return false;
    bound.weights = static_cast<double>(cut.tiles);
    bound.sums = static_cast<double>(k_steps_);
    return !is_hopeless(bound);
  }

  /// Tiles of one step in K and N: B stays in the registers as long as in the buffer.
  void single_steps() {
    const std::int64_t n_steps = ceil_div(gemm_.n, step_cols_);
    bool hopeless = true;
    for_each_stay(1, n_steps, k_steps_,
                  [&](const Repeats& repeats, const LoopOrder&) { hopeless = hopeless && is_hopeless(repeats); });
    if (hopeless) return;
    for (auto row_cut = first_row_cut_that_fits(); row_cut != row_cuts_.end(); ++row_cut) {
      const RowCut& cut = *row_cut;
      const Gemm tile{cut.rows, cols_, rows_};
      const bool one_strip = cut.rows <= engine_.accumulator_words;
      for_each_stay(cut.tiles, n_steps, k_steps_, [&](Repeats repeats, const LoopOrder& order) {
        repeats.weights = repeats.b;
        repeats.sums = one_strip ? repeats.z : k_steps_;
        offer(repeats, tile, order, weights_stay);
      });
    }
  }

  void try_tile(const RowCut& row_cut, const ColumnCut& column_cut) {
    const std::int64_t room = engine_.buffer_words - row_cut.rows * column_cut.columns;
    const std::int64_t max_k = room > 0 ? room / (row_cut.rows + column_cut.columns) : 0;
    const std::int64_t units = ceil_div(gemm_.k, rows_);
    const std::int64_t max_units = max_k >= gemm_.k ? units : max_k / rows_;
    if (max_units == 0) return;
    const std::int64_t k_tiles = ceil_div(units, max_units);
    const Gemm tile{row_cut.rows, column_cut.columns, std::min(ceil_div(units, k_tiles) * rows_, gemm_.k)};
    for_each_use(row_cut, column_cut.columns <= step_cols_, column_cut.tiles, k_tiles,
                 [&](const Repeats& repeats, const LoopOrder& dram_order, const LoopOrder& buffer_order) {
                   offer(repeats, tile, dram_order, buffer_order);
                 });
  }

  /// Calls visit with the repeats and orders that can be best for a tile: sums stay in the accumulators or, where that
  /// differs, B stays in the registers.
  template <class Visit>
  void for_each_use(const RowCut& row_cut, bool one_column_step, std::int64_t n_tiles, std::int64_t k_tiles,
                    Visit visit) const {
    const bool one_strip = row_cut.rows <= engine_.accumulator_words;
    for_each_stay(row_cut.tiles, n_tiles, k_tiles, [&](Repeats repeats, const LoopOrder& dram_order) {
      repeats.weights = row_cut.strips;
      repeats.sums = one_strip && one_column_step ? repeats.z : k_tiles;
      visit(repeats, dram_order, sums_stay);
      if (one_strip) return;
      repeats.weights = row_cut.tiles;
      repeats.sums = k_steps_;
      visit(repeats, dram_order, weights_stay);
    });
  }

  /// Calls visit with the repeats at DRAM for each operand that can stay in the buffer: A, B, Z.
  template <class Visit>
  static void for_each_stay(std::int64_t m_tiles, std::int64_t n_tiles, std::int64_t k_tiles, Visit visit) {
    visit(Repeats{1, m_tiles, k_tiles}, dram_orders[0]);
    visit(Repeats{n_tiles, 1, k_tiles}, dram_orders[1]);
    visit(Repeats{n_tiles, m_tiles, 1}, dram_orders[2]);
  }

  /// True if no mapping with at least these repeats, and at least this energy for moving words, can improve on the best
  /// known one. Words are not rounded up to lines here.
  bool is_hopeless(const MinRepeats& repeats, double min_moving_energy = 0) const {
    return !(min_score(repeats, min_moving_energy) < score_);
  }

  /// Words moved in the buffer, without the fixed costs of every tile.
  double moved_buffer_words(const MinRepeats& repeats) const {
    return a_ * repeats.a + z_ * (repeats.z - 1 + 2 * (repeats.sums - 1)) + b_ * (repeats.b + repeats.weights);
  }

  double moved_dram_words(const MinRepeats& repeats) const {
    return stored_a_ * repeats.a + b_ * repeats.b + z_ * (2 * repeats.z - 1);
  }

  double moving_energy(const MinRepeats& repeats) const {
    return moved_dram_words(repeats) * dram_word_ + moved_buffer_words(repeats) * buffer_word_ +
           b_ * repeats.weights * engine_.energy.register_word +
           z_ * (repeats.sums - 1) * engine_.energy.accumulator_word;
  }

  Score min_score(const MinRepeats& repeats, double min_moving_energy) const {
    double cycles = compute_cycles_;
    const auto wait = [&](double words, double words_per_cycle) {
      if (words_per_cycle > 0 && words > cycles * words_per_cycle) cycles = std::ceil(words / words_per_cycle);
    };
    wait(moved_dram_words(repeats), engine_.dram_words_per_cycle);
    wait(fixed_buffer_words_ + moved_buffer_words(repeats), engine_.buffer_words_per_cycle);
    if (cycles > static_cast<double>(max_cycles_)) return {};
    return score_of(objective_, cycles, fixed_energy_ + std::max(moving_energy(repeats), min_moving_energy));
  }

  void offer(const Repeats& repeats, const Gemm& tile, const LoopOrder& dram_order, const LoopOrder& buffer_order) {
    const Score bound = min_score(repeats, 0);
    if (!(bound < score_)) return;
    if (relaxed_) {
      score_ = bound;
      return;
    }
    const Cost cost = cost_of(repeats, rows_, cols_, gemm_, engine_);
    if (cost.cycles > max_cycles_) return;
    const Score score = score_of(objective_, static_cast<double>(cost.cycles), cost.energy());
    if (!(score < score_)) return;
    score_ = score;
    found_ = true;
    best_moving_energy_ = moving_energy(repeats);
    best_ = {tile, std::min(tile.m, engine_.accumulator_words), rows_, cols_, dram_order, buffer_order};
  }

  std::vector<RowCut>& row_cuts_;
  std::vector<ColumnCut>& column_cuts_;
  const Gemm& gemm_;
  const Engine& engine_;
  Objective objective_;
  std::int64_t max_cycles_;
  /// Words of the operands.
  double a_;
  double stored_a_;
  double b_;
  double z_;

  /// Energy per word.
  double dram_word_;
  double buffer_word_;
  bool relaxed_ = false;
  /// Result of relaxed(), and the cycles that it allowed.
  std::optional<double> min_moving_energy_;
  std::int64_t relaxed_cycles_ = 0;

  /// Spatial factors being tried: units of tile sizes, and sizes of a step.
  std::int64_t rows_ = 0;
  std::int64_t cols_ = 0;
  std::int64_t step_rows_ = 0;
  std::int64_t step_cols_ = 0;
  std::int64_t k_steps_ = 0;
  /// Fixed costs, the same for every tile.
  double compute_cycles_ = 0;
  double fixed_energy_ = 0;
  double fixed_buffer_words_ = 0;

  bool found_ = false;
  Score score_;
  Mapping best_;
  double best_moving_energy_ = 0;
};

std::optional<Solution> Mapper::operator()(const Gemm& gemm, const Engine& engine, Objective objective,
                                           std::int64_t max_cycles) {
  require_possible(gemm, engine);
  return Search(*this, gemm, engine, objective, max_cycles).run();
}

}  // namespace pimsweep::hardware::pe_array::mapper
