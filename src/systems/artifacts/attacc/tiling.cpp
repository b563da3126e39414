#include "systems/artifacts/attacc/tiling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pimsweep::systems::artifacts::attacc {

namespace {

/// Sides of a tile that the artifact tries for a core, and the depth of one; a cache's tile has the depth's 64th part.
constexpr std::array<double, 11> tile_sides{8, 16, 32, 64, 128, 192, 256, 320, 384, 448, 512};
constexpr double core_tile_depth = 32;
constexpr double cache_depth_parts = 64;
/// Sides of the tiles that registers hold.
constexpr double register_tile = 16;

/// Elements that a GEMM moves with a tile size: its left factor once for each column of tiles, its right factor once
/// for each row.
double elements_moved(const Product& product, double tile_rows, double tile_columns) {
  return std::ceil(product.columns / tile_columns) * product.rows * product.depth +
         std::ceil(product.rows / tile_rows) * product.columns * product.depth + product.rows * product.columns;
}

struct CoreTile {
  double rows = 0;
  double columns = 0;
  double utilization = 0;
};

CoreTile core_tile(const Product& product, double value_bytes, const Gpu& gpu) {
  CoreTile best;
  double least = std::numeric_limits<double>::infinity();
  for (const double side_rows : tile_sides) {
    const double rows = std::min(side_rows, product.rows);
    for (const double side_columns : tile_sides) {
      const double columns = std::min(side_columns, product.columns);
      const double held = ((rows + columns) * core_tile_depth + rows * columns) * value_bytes;
      if (held <= gpu.core_memory) {
        const double tiles = std::ceil(product.rows / rows) * std::ceil(product.columns / columns);
        const double utilization = core_utilization(product.dense ? tiles * product.count : product.count, gpu);
        const double cost = elements_moved(product, rows, columns) / (utilization * utilization);
        if (cost < least) {
          least = cost;
          best = {rows, columns, utilization};
        }
      }
      if (side_columns >= product.columns) break;
    }
    if (side_rows >= product.rows) break;
  }
  return best;
}

/// Least traffic of cache tiles with these rows: as many columns as fit. Infinite if not one tile of a core fits.
double traffic_with_rows(const Product& product, const CoreTile& tile, double rows, double cache_elements) {
  const double depth = product.depth / cache_depth_parts;
  const double fitting = (cache_elements - rows * depth) / (depth + rows);
  double columns = product.columns;
  if (columns > fitting) {
    columns = std::floor(fitting / tile.columns) * tile.columns;
    if (columns < tile.columns) return std::numeric_limits<double>::infinity();
  }
  return elements_moved(product, rows, columns);
}

double least_memory_traffic(const Product& product, const CoreTile& tile, double cache_elements) {
  // The tile of one core is used even if it exceeds the cache.
  double least = elements_moved(product, tile.rows, tile.columns);
  const auto whole_tiles = static_cast<std::int64_t>(product.rows / tile.rows);
  for (std::int64_t tiles = 1; tiles <= whole_tiles; ++tiles) {
    const double rows = static_cast<double>(tiles) * tile.rows;
    least = std::min(least, traffic_with_rows(product, tile, rows, cache_elements));
  }
  return std::min(least, traffic_with_rows(product, tile, product.rows, cache_elements));
}

}  // namespace

double core_utilization(double blocks, const Gpu& gpu) {
  const auto cores = static_cast<double>(gpu.cores);
  return blocks / (std::ceil(blocks / cores) * cores);
}

Tiling tiling(const Product& product, double value_bytes, const Gpu& gpu) {
  const CoreTile tile = core_tile(product, value_bytes, gpu);
  const double bytes = value_bytes * product.count;
  return {.utilization = tile.utilization,
          .memory_bytes = bytes * least_memory_traffic(product, tile, gpu.cache / value_bytes),
          .cache_bytes = bytes * elements_moved(product, tile.rows, tile.columns),
          .core_bytes = bytes * elements_moved(product, register_tile, register_tile)};
}

}  // namespace pimsweep::systems::artifacts::attacc
