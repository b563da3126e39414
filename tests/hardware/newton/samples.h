#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "hardware/newton/newton.h"

namespace pimsweep::hardware::newton::samples {

/// GDDR6_3500 of configs/hardware, without energies.
inline Dram gddr6_3500() {
  Dram dram;
  dram.clock = 875e6;
  dram.nBL = 2;
  dram.nCCD = 2;
  dram.nCL = 11;
  dram.nRCD = 11;
  dram.nRP = 11;
  dram.nRAS = 25;
  dram.nRC = 35;
  dram.nFAW = 17;
  dram.nRTP = 2;
  dram.nRFC = 350;
  dram.nREFI = 1900;
  dram.gwrite_to_comp = 16;
  dram.comp_to_readres = 1;
  dram.readres_to_gwrite = 6;
  dram.banks = 16;
  dram.banks_per_activation = 4;
  dram.columns = 32;
  dram.lanes = 16;
  return dram;
}

inline std::int64_t draw(std::mt19937& random, std::int64_t least, std::int64_t most) {
  return std::uniform_int_distribution<std::int64_t>(least, most)(random);
}

/// A random DRAM in which any timing rule may be the binding one.
inline Dram odd_dram(std::mt19937& random) {
  Dram dram = gddr6_3500();
  dram.nBL = draw(random, 1, 4);
  dram.nCCD = draw(random, 1, 9);
  dram.nCL = draw(random, 0, 30);
  dram.nRCD = draw(random, 0, 30);
  dram.nRP = draw(random, 0, 30);
  dram.nRAS = draw(random, 0, 200);
  dram.nRC = draw(random, 0, 300);
  dram.nFAW = draw(random, 0, 20);
  dram.nRTP = draw(random, 0, 20);
  dram.nRFC = draw(random, 0, 400);
  dram.nREFI = dram.nRFC + dram.nRP + draw(random, 1, 1500);
  dram.gwrite_to_comp = draw(random, 0, 40);
  dram.comp_to_readres = draw(random, 1, 4);
  dram.readres_to_gwrite = draw(random, 0, 12);
  dram.banks_per_activation = draw(random, 1, 16);
  return dram;
}

/// A layer of odd sizes with up to `max_pixels` pixels; filters a few elements long, around a row, or several rows.
inline Layer odd_layer(std::mt19937& random, std::int64_t max_pixels) {
  Layer layer;
  layer.kernel_height = 1 + 2 * draw(random, 0, 2);
  layer.kernel_width = draw(random, 0, 3) > 0 ? layer.kernel_height : draw(random, 1, 4);
  layer.stride = draw(random, 1, 3);
  layer.pad_height = draw(random, 0, layer.kernel_height / 2);
  layer.pad_width = draw(random, 0, layer.kernel_width / 2);
  layer.height = layer.kernel_height + draw(random, 0, 20);
  layer.width = layer.kernel_width + draw(random, 0, max_pixels / 20);
  const std::int64_t row = 512 / (layer.kernel_height * layer.kernel_width);
  const std::int64_t least[]{1, std::max<std::int64_t>(1, row - 3), row};
  const std::int64_t most[]{row, row + 3, 5 * row};
  const auto kind = static_cast<std::size_t>(draw(random, 0, 2));
  layer.inputs = draw(random, least[kind], most[kind]);
  layer.outputs = draw(random, 0, 1) == 0 ? draw(random, 1, 64) : draw(random, 1, 700);
  return layer;
}

}  // namespace pimsweep::hardware::newton::samples

template <>
struct Catch::StringMaker<pimsweep::hardware::newton::Run> {
  static std::string convert(const pimsweep::hardware::newton::Run& run) {
    const pimsweep::hardware::newton::Counts& c = run.counts;
    return fmt::format("{} clocks, {} GWRITE ({}), {} G_ACT, {} COMP, {} READRES, {} PREA, {} REF", run.cycles,
                       c.gwrite, c.buffers, c.g_act, c.comp, c.readres, c.prea, c.ref);
  }
};
