#include "hardware/pe_array/mapper/mapper.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "hardware/integer_math.h"
#include "hardware/pe_array/cuts.h"

namespace pimsweep::hardware::pe_array::mapper {

namespace {

/// Loop order between DRAM and buffer in which an operand stays: the innermost index is the one that it lacks.
constexpr LoopOrder order_of(Loop lacked) {
  switch (lacked) {
    case Loop::n:
      return {Loop::m, Loop::k, Loop::n};
    case Loop::m:
      return {Loop::n, Loop::k, Loop::m};
    case Loop::k:
      break;
  }
  return {Loop::m, Loop::n, Loop::k};
}
constexpr LoopOrder sums_stay = order_of(Loop::k);
constexpr LoopOrder weights_stay = order_of(Loop::m);

void require_possible(const Gemm& gemm, const Engine& engine) {
  const auto& e = engine.energy;
  if (std::min({gemm.m, gemm.n, gemm.k}) < 1) {
    throw std::invalid_argument("mapper: the sizes of a GEMM must be positive");
  }
  if (gemm.stored_a < 0 || gemm.stored_a > gemm.m * gemm.k) {
    throw std::invalid_argument("mapper: a GEMM must have 0 to m k stored words of A");
  }
  if (gemm.stored_b < 0) throw std::invalid_argument("mapper: the stored words of B must not be negative");
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
      : cuts_(tables.cuts_),
        gemm_(gemm),
        engine_(engine),
        objective_(objective),
        max_cycles_(max_cycles),
        a_(static_cast<double>(gemm.m * gemm.k)),
        stored_a_(static_cast<double>(gemm.a_words())),
        b_(static_cast<double>(gemm.k * gemm.n)),
        stored_b_(static_cast<double>(gemm.b_words())),
        z_(static_cast<double>(gemm.m * gemm.n)),
        dram_word_(engine.energy.dram_line / static_cast<double>(engine.line_words)),
        buffer_word_(engine.energy.buffer_line / static_cast<double>(engine.line_words)) {}

  std::optional<Solution> run() {
    cut();
    for (const Scheme scheme : {Scheme{Loop::k, false}, Scheme{Loop::n, false}, Scheme{Loop::m, false},
                                Scheme{Loop::k, true}, Scheme{Loop::n, true}, Scheme{Loop::m, true}}) {
      scheme_ = scheme;
      // With A in the buffer or a single step, tiles of N are as small as steps.
      const bool cuts_columns = scheme.lacked != Loop::n && !scheme.single_step;
      visit({{0, cuts_.rows.size()},
             {0, cuts_columns ? cuts_.columns.size() : 1},
             {0, cuts_.used_cols.size()},
             {0, cuts_.used_rows.size()}});
    }
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

  /// Operand that stays in the buffer, and use of single steps.
  struct Scheme {
    /// The index that the operand in the buffer lacks.
    Loop lacked = Loop::k;
    /// Tiles of one step in K and N: B stays in the registers as long as in the buffer.
    bool single_step = false;
  };

  /// Ranges of cuts: a set of mappings.
  struct Range {
    std::size_t first = 0;
    std::size_t end = 0;

    std::size_t size() const { return end - first; }
    std::size_t last() const { return end - 1; }
  };
  struct Branch {
    Range rows;
    Range columns;
    Range used_cols;
    Range used_rows;

    bool is_single() const {
      return rows.size() == 1 && columns.size() == 1 && used_cols.size() == 1 && used_rows.size() == 1;
    }
  };

  /// Counts of a mapping, or the smallest of a branch.
  struct Counts {
    Repeats repeats;
    std::int64_t k_steps = 1;
    std::int64_t n_steps = 1;
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

  void cut() {
    cut_rows();
    cuts_.columns.clear();
    cuts_.used_cols.clear();
    cuts_.used_rows.clear();
    for_each_part(gemm_.n, gemm_.n, [&](std::int64_t size) { cuts_.columns.push_back(part_of(gemm_.n, size)); });
    for_each_part(gemm_.n, engine_.cols, [&](std::int64_t size) { cuts_.used_cols.push_back(part_of(gemm_.n, size)); });
    for_each_part(gemm_.k, engine_.rows, [&](std::int64_t size) { cuts_.used_rows.push_back(part_of(gemm_.k, size)); });
  }

  static Part part_of(std::int64_t whole, std::int64_t size) { return {size, ceil_div(whole, size)}; }

  /// For each number of tiles, the smallest tile for each number of strips that it can have. Between two multiples of
  /// the accumulators' words only the strips of the last tile change, by one for each accumulator that it fills less.
  void cut_rows() {
    cuts_.rows.clear();
    const std::int64_t words = engine_.accumulator_words;
    for_each_part(gemm_.m, gemm_.m, [&](std::int64_t min_rows) {
      const std::int64_t tiles = ceil_div(gemm_.m, min_rows);
      if (tiles == 1) {
        cuts_.rows.push_back({gemm_.m, 1, ceil_div(gemm_.m, words)});
        return;
      }
      const std::int64_t max_rows = ceil_div(gemm_.m, tiles - 1) - 1;
      const auto group = static_cast<std::ptrdiff_t>(cuts_.rows.size());
      std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
      for (std::int64_t rows = min_rows; rows <= max_rows;) {
        const std::int64_t last = gemm_.m - (tiles - 1) * rows;
        const std::int64_t strips = (tiles - 1) * ceil_div(rows, words) + ceil_div(last, words);
        if (strips < fewest) cuts_.rows.push_back({rows, tiles, fewest = strips});
        const std::int64_t smaller_last = (ceil_div(last, words) - 1) * words;
        rows = std::max(rows + 1, ceil_div(gemm_.m - smaller_last, tiles - 1));
      }
      // Largest first, as everywhere.
      std::reverse(cuts_.rows.begin() + group, cuts_.rows.end());
    });
  }

  /// Tries all mappings of a branch, the better half first; halves that cannot win are skipped.
  void visit(const Branch& branch) {
    if (branch.is_single()) return offer(branch);
    Branch halves[2] = {branch, branch};
    const auto split = [&](Range Branch::*range) {
      if ((branch.*range).size() == 1) return false;
      const std::size_t middle = (branch.*range).first + (branch.*range).size() / 2;
      (halves[0].*range).end = (halves[1].*range).first = middle;
      return true;
    };
    // Tiles of M matter least where B stays in the buffer.
    const bool columns_first = scheme_.lacked == Loop::m;
    if (columns_first) {
      split(&Branch::columns) || split(&Branch::rows) || split(&Branch::used_cols) || split(&Branch::used_rows);
    } else {
      split(&Branch::rows) || split(&Branch::columns) || split(&Branch::used_cols) || split(&Branch::used_rows);
    }
    const Score bounds[2] = {bound_of(halves[0]), bound_of(halves[1])};
    const std::size_t better = bounds[1] < bounds[0] ? 1 : 0;
    if (bounds[better] < score_) visit(halves[better]);
    if (bounds[1 - better] < score_) visit(halves[1 - better]);
  }

  /// Lower bound on the score of a branch; infinite where no mapping of it is possible.
  Score bound_of(const Branch& branch) const {
    Score best;
    for_each_use(branch, [&](const Counts& counts, const Gemm& /*tile*/, const LoopOrder& /*buffer_order*/) {
      best = std::min(best, min_score(counts));
    });
    return best;
  }

  /// Calls visit with the smallest counts of a branch, and of a single mapping with its tile, where sums stay in the
  /// accumulators or, where that differs, B stays in the registers.
  template <class Visit>
  void for_each_use(const Branch& branch, Visit visit) const {
    const RowCut& small = cuts_.rows[branch.rows.last()];
    const RowCut& large = cuts_.rows[branch.rows.first];
    const Part& cols = cuts_.used_cols[branch.used_cols.first];
    const Part& used_rows = cuts_.used_rows[branch.used_rows.first];
    const std::int64_t min_cols = cuts_.used_cols[branch.used_cols.last()].size;
    const std::int64_t min_used_rows = cuts_.used_rows[branch.used_rows.last()].size;
    const bool one_strip = small.rows <= engine_.accumulator_words;
    Gemm tile{small.rows, min_cols, min_used_rows};
    Counts counts;
    counts.n_steps = cols.count;
    std::int64_t n_tiles = 1;
    if (scheme_.single_step) {
      if (max_side(tile.m, tile.n) < tile.k) return;
      counts.k_steps = std::max(used_rows.count, ceil_div(gemm_.k, max_side(tile.m, tile.n)));
      counts.repeats = at_dram(large.tiles, counts.n_steps, counts.k_steps);
      counts.repeats.weights = counts.repeats.b;
      counts.repeats.sums = one_strip ? counts.repeats.z : counts.k_steps;
      return visit(counts, tile, weights_stay);
    }
    if (scheme_.lacked != Loop::n) {
      const Part& columns = cuts_.columns[branch.columns.first];
      n_tiles = columns.count;
      counts.n_steps = std::max(counts.n_steps, n_tiles);
      if (branch.columns.size() == 1 && branch.used_cols.size() == 1) {
        // Another cut has the same tiles.
        if (cols.count < n_tiles) return;
        const std::int64_t steps = ceil_div(cols.count, n_tiles);
        if (ceil_div(cols.count, steps) < n_tiles) return;
        tile.n = std::min(steps * cols.size, gemm_.n);
      } else {
        tile.n = std::max(min_cols, cuts_.columns[branch.columns.last()].size);
        const std::int64_t max_n = max_side(tile.m, tile.k);
        if (max_n < tile.n) return;
        n_tiles = std::max(n_tiles, ceil_div(gemm_.n, max_n));
      }
    }
    const std::int64_t max_k = max_side(tile.m, tile.n);
    if (max_k < tile.k) return;
    std::int64_t k_tiles = ceil_div(gemm_.k, max_k);
    counts.k_steps = std::max(used_rows.count, k_tiles);
    if (branch.used_rows.size() == 1) {
      const std::int64_t max_steps = max_k >= gemm_.k ? used_rows.count : max_k / used_rows.size;
      k_tiles = ceil_div(used_rows.count, max_steps);
      tile.k = std::min(ceil_div(used_rows.count, k_tiles) * used_rows.size, gemm_.k);
    }
    counts.repeats = at_dram(large.tiles, n_tiles, k_tiles);
    const bool one_column_step = tile.n <= cols.size;
    // Between two cuts, the number of strips may be lower than with either.
    counts.repeats.weights =
        branch.rows.size() == 1 ? large.strips : std::max(large.tiles, ceil_div(gemm_.m, engine_.accumulator_words));
    counts.repeats.sums = one_strip && one_column_step ? counts.repeats.z : k_tiles;
    visit(counts, tile, sums_stay);
    if (large.rows <= engine_.accumulator_words) return;
    counts.repeats.weights = large.tiles;
    counts.repeats.sums = counts.k_steps;
    visit(counts, tile, weights_stay);
  }

  /// Repeats at DRAM with these numbers of tiles.
  Repeats at_dram(std::int64_t m_tiles, std::int64_t n_tiles, std::int64_t k_tiles) const {
    switch (scheme_.lacked) {
      case Loop::n:
        return {1, m_tiles, k_tiles};
      case Loop::m:
        return {n_tiles, 1, k_tiles};
      case Loop::k:
        break;
    }
    return {n_tiles, m_tiles, 1};
  }

  /// The largest third side of a tile with two given ones; less than 1 if there is none.
  std::int64_t max_side(std::int64_t one, std::int64_t other) const {
    const std::int64_t room = engine_.buffer_words - one * other;
    return room <= 0 ? 0 : room / (one + other);
  }

  /// Lower bound on the score of mappings with at least these counts. Words are not rounded up to lines here.
  Score min_score(const Counts& counts) const {
    const Repeats& repeats = counts.repeats;
    const auto k_steps = static_cast<double>(counts.k_steps);
    const auto weights = static_cast<double>(repeats.weights);
    const auto sums = static_cast<double>(repeats.sums - 1);
    const double dram_words = stored_a_ * static_cast<double>(repeats.a) + stored_b_ * static_cast<double>(repeats.b) +
                              z_ * static_cast<double>(2 * repeats.z - 1);
    const double buffer_words = a_ * static_cast<double>(repeats.a + counts.n_steps) +
                                b_ * (static_cast<double>(repeats.b) + weights) +
                                z_ * (static_cast<double>(repeats.z) + 2 * sums);
    double cycles = static_cast<double>(gemm_.m * counts.k_steps) * static_cast<double>(counts.n_steps);
    const auto wait = [&](double words, double words_per_cycle) {
      if (words_per_cycle > 0 && words > cycles * words_per_cycle) cycles = std::ceil(words / words_per_cycle);
    };
    wait(dram_words, engine_.dram_words_per_cycle);
    wait(buffer_words, engine_.buffer_words_per_cycle);
    if (cycles > static_cast<double>(max_cycles_)) return {};
    const Engine::Energy& e = engine_.energy;
    const double energy = a_ * static_cast<double>(gemm_.n) * (e.mac + e.register_word) + dram_words * dram_word_ +
                          buffer_words * buffer_word_ + b_ * weights * e.register_word +
                          z_ * (2 * k_steps - 1 + sums) * e.accumulator_word;
    return score_of(objective_, cycles, energy);
  }

  void offer(const Branch& branch) {
    const std::int64_t used_rows = cuts_.used_rows[branch.used_rows.first].size;
    const std::int64_t used_cols = cuts_.used_cols[branch.used_cols.first].size;
    for_each_use(branch, [&](const Counts& counts, const Gemm& tile, const LoopOrder& buffer_order) {
      if (!(min_score(counts) < score_)) return;
      const Cost cost = cost_of(counts.repeats, used_rows, used_cols, gemm_, engine_);
      if (cost.cycles > max_cycles_) return;
      const Score score = score_of(objective_, static_cast<double>(cost.cycles), cost.energy());
      if (!(score < score_)) return;
      score_ = score;
      found_ = true;
      best_ = {tile,        std::min(tile.m, engine_.accumulator_words), used_rows, used_cols, order_of(scheme_.lacked),
               buffer_order};
    });
  }

  Cuts& cuts_;
  const Gemm& gemm_;
  const Engine& engine_;
  Objective objective_;
  std::int64_t max_cycles_;
  /// Words of the operands.
  double a_;
  double stored_a_;
  double b_;
  double stored_b_;
  double z_;

  /// Energy per word.
  double dram_word_;
  double buffer_word_;

  Scheme scheme_;
  bool found_ = false;
  Score score_;
  Mapping best_;
};

std::optional<Solution> Mapper::operator()(const Gemm& gemm, const Engine& engine, Objective objective,
                                           std::int64_t max_cycles) {
  require_possible(gemm, engine);
  return Search(*this, gemm, engine, objective, max_cycles).run();
}

}  // namespace pimsweep::hardware::pe_array::mapper
