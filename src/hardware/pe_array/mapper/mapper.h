#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/words.h"
#include "hardware/pe_array/mapper/mapping.h"

namespace pimsweep::hardware::pe_array::mapper {

/// The value to minimize, and the tie-breaker.
enum class Objective : std::uint8_t { cycles_then_energy, energy_then_cycles, energy_delay_product };

/// Values of Timeloop's option `metrics`.
inline constexpr std::array objective_words{Word{"delay then energy", Objective::cycles_then_energy},
                                            Word{"energy then delay", Objective::energy_then_cycles},
                                            Word{"energy-delay product", Objective::energy_delay_product}};

inline constexpr std::int64_t any_cycles = std::numeric_limits<std::int64_t>::max();

struct Solution {
  Mapping mapping;
  Cost cost;
};

/// Finds an optimal mapping of a GEMM onto an Engine, over all valid mappings (is_possible()), by branch and bound.
/// Used by system `gemm`; map_gemm() (gemm_mapper.h) is a simpler model without accumulator buffers and registers. Keep
/// the object from GEMM to GEMM, so that its tables are allocated once:
///
///     Mapper mapper;
///     const std::optional<Solution> solution = mapper(gemm, engine, objective);
///     if (solution) report(solution->mapping, solution->cost);
///
/// The search is exact, because cycles and energy never decrease when one of the five Repeats increases. Therefore
///   - of spatial factors with the same number of steps only the smallest matters: it cuts tiles most finely;
///   - of tiles with the same number of tiles only the smallest matters (for rows: for each number of strips);
///   - for given m and n of a tile, k is best as large as the buffer allows: larger k only lowers repeats. The one
///     exception, a tile of a single step, which leaves B in the registers from tile to tile, is tried separately;
///   - only the innermost loop of each level matters;
///   - a range of tiles and spatial factors is pruned when the smallest repeats and the fewest steps in it, together,
///   cost
///     no less than the best known mapping.
/// For each operand that stays in the buffer, ranges are halved in the order tiles, used columns, used rows, and the
/// half with the lower bound is tried first: tiles decide how much moves, and the largest spatial factors that leave
/// room for them are nearly always best.
///
/// Limits: one GEMM at a time, one word size, perfect overlap of all transfers with computation, no fill or drain.
class Mapper {
 public:
  /// nullopt if no mapping takes at most `max_cycles`. Throws std::invalid_argument if a size of the GEMM or the engine
  /// is not positive, or a bandwidth or an energy is negative or not a number.
  std::optional<Solution> operator()(const Gemm& gemm, const Engine& engine, Objective objective,
                                     std::int64_t max_cycles = any_cycles);

 private:
  /// A cut of M into tiles.
  struct RowCut {
    std::int64_t rows = 0;
    std::int64_t tiles = 0;
    /// Strips of all tiles.
    std::int64_t strips = 0;
  };
  /// A cut of a dimension into tiles or steps of a size.
  struct Part {
    std::int64_t size = 0;
    std::int64_t count = 0;
  };
  /// All cuts to choose from, the largest parts first.
  struct Cuts {
    std::vector<RowCut> rows;
    std::vector<Part> columns;
    std::vector<Part> used_cols;
    std::vector<Part> used_rows;
  };
  class Search;

  Cuts cuts_;
};

}  // namespace pimsweep::hardware::pe_array::mapper
