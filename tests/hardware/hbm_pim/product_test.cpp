#include "hardware/hbm_pim/product.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "hardware/reference.h"

using namespace pimsweep;
using namespace pimsweep::hardware::hbm_pim;

namespace {

/// Samsung's HBM2-PIM, 64 channels (PIMSimulator, ini/HBM2_samsung_2M_16B_x64.ini, commit b464dde).
Device samsung() {
  return {.clock = 1e9,
          .channels = 64,
          .banks = 16,
          .units = 8,
          .lanes = 16,
          .input_registers = 8,
          .result_registers = 8,
          .row_bursts = 32,
          .timing = {.nRL = 20,
                     .nWL = 8,
                     .nBL = 2,
                     .nCCDL = 4,
                     .nCCDS = 2,
                     .nRCDRD = 14,
                     .nRCDWR = 10,
                     .nRP = 14,
                     .nRRDS = 4,
                     .nRTP = 5,
                     .nWR = 16,
                     .nWTR = 9,
                     .nRTRS = 1,
                     .nREFI = 3900,
                     .nRFC = 350}};
}

}  // namespace

TEST_CASE("products of Samsung's simulator within 5 %") {
  const test::Reference rows("results/reference/samsung-hbm-pim.csv");
  REQUIRE(rows.size() == 17);
  const Device device = samsung();
  double sum = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const ProductShape shape{.inputs = rows.integer(row, "inputs"),
                             .outputs = rows.integer(row, "outputs"),
                             .batch = rows.integer(row, "batch")};
    // The same memory was read without its units before, where the clocks of that are known.
    std::optional<std::int64_t> before;
    if (!rows.text(row, "clocks_before").empty()) before = rows.integer(row, "clocks_before");
    const double error = product(device, shape, before).clocks / rows.real(row, "clocks") - 1;
    CAPTURE(row, error);
    CHECK(std::abs(error) < 0.05);
    sum += std::abs(error);
  }
  CHECK(sum / static_cast<double>(rows.size()) < 0.01);
}

TEST_CASE("products take what their columns take at least, and never less time when they or distances grow") {
  const Device device = samsung();
  std::mt19937 random(3);
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  for (int i = 0; i < 3000; ++i) {
    const ProductShape shape{.inputs = draw(1, 20000), .outputs = draw(1, 20000), .batch = draw(1, 4)};
    std::optional<std::int64_t> since;
    if (draw(0, 1) == 1) since = draw(0, 100000);
    const Product base = product(device, shape, since);
    CAPTURE(shape.inputs, shape.outputs, shape.batch, since.value_or(-1));
    CHECK(base.clocks >= static_cast<double>(base.multiplications * device.timing.nCCDL));
    CHECK(base.refreshes * static_cast<double>(device.timing.nREFI) <=
          base.clocks + static_cast<double>(device.timing.nREFI));

    ProductShape larger = shape;
    larger.inputs += draw(0, 2000);
    larger.outputs += draw(0, 2000);
    larger.batch += draw(0, 1);
    CHECK(product(device, larger, since).clocks >= base.clocks);
    Device slow = device;
    slow.timing.nCCDL += draw(0, 2);
    slow.timing.nRP += draw(0, 5);
    slow.timing.nWR += draw(0, 5);
    slow.timing.nRFC += draw(0, 50);
    CHECK(product(slow, shape, since).clocks >= base.clocks);
    Device more = device;
    more.channels += draw(0, 64);
    CHECK(product(more, shape, since).clocks <= base.clocks);
  }
}
