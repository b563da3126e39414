#include "hardware/aim/product.h"

#include <catch2/catch.hpp>
#include <random>

#include "hardware/aim/samples.h"
#include "hardware/reference.h"

using namespace pimsweep;
using namespace pimsweep::hardware::aim;

namespace {

Commands commands_of(const test::Reference& rows, std::size_t row) {
  return {.act16 = rows.integer(row, "act16"),
          .prea = rows.integer(row, "prea"),
          .mac16 = rows.integer(row, "mac16"),
          .wrgb = rows.integer(row, "wrgb"),
          .rdmac16 = rows.integer(row, "rdmac16"),
          .wrmac16 = rows.integer(row, "wrmac16"),
          .tmod = rows.integer(row, "tmod")};
}

Product product_of(const Device& device, const test::Reference& rows, std::size_t row) {
  if (rows.text(row, "kind") == "scores") {
    return scores(device, {.rows = rows.integer(row, "rows"),
                           .heads_of_row = rows.integer(row, "heads_of_row"),
                           .queries = rows.integer(row, "queries")});
  }
  return product(device, {.inputs = rows.integer(row, "inputs"),
                          .outputs = rows.integer(row, "outputs"),
                          .channels = rows.integer(row, "channels"),
                          .order = rows.text(row, "order") == "no-reuse" ? Order::no_reuse : Order::reuse_gb});
}

class Draw {
 public:
  std::int64_t operator()(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }

 private:
  std::mt19937 random_{7};
};

Timing slower(Timing timing, Draw& draw) {
  timing.nCCD += draw(0, 2);
  timing.nRCD += draw(0, 9);
  timing.nRP += draw(0, 9);
  timing.nRTP += draw(2, 9);
  timing.bias += draw(0, 3);
  timing.result += draw(0, 3);
  return timing;
}

}  // namespace

TEST_CASE("every product and score row of AiM's simulator: clocks and commands") {
  const test::Reference rows("results/reference/aim-products.csv");
  REQUIRE(rows.size() == 39);
  const Device device = test::aim_device();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Product result = product_of(device, rows, row);
    CAPTURE(row);
    CHECK(result.clocks == rows.integer(row, "clocks"));
    CHECK(result.commands == commands_of(rows, row));
  }
}

TEST_CASE("queries of one head share the row that is open") {
  const Device device = test::aim_device();
  const std::int64_t apart = score_rows(device, {.rows = 8, .heads_of_row = 8}).clocks;
  const std::int64_t shared = score_rows(device, {.rows = 1, .heads_of_row = 8, .queries = 8}).clocks;
  CHECK(apart - shared == 7 * (device.timing.nRCD + device.timing.nRP));
}

TEST_CASE("refresh stretches what outlasts an interval, and never beyond its share") {
  const Device device = test::aim_device();
  Draw draw;
  for (int i = 0; i < 2000; ++i) {
    const ProductShape shape{.inputs = draw(1, 20000), .outputs = draw(1, 20000), .channels = draw(1, 32)};
    const Product without = product(device, shape);
    const Product with = product(device, shape, true);
    const std::int64_t refreshes = with.commands.refab;
    CHECK(with.clocks == without.clocks + refreshes * device.timing.nRFC);
    CHECK(static_cast<double>(with.clocks) <= static_cast<double>(without.clocks) * refresh_factor(device) + 1e-6);
    // None is due before its interval ends, none is left out.
    CHECK(refreshes * device.timing.nREFI <= with.clocks);
    CHECK((refreshes + 1) * device.timing.nREFI > with.clocks);
  }
}

TEST_CASE("products: more channels, registers or faster parts are never slower, and no time is below the columns'") {
  const Device device = test::aim_device();
  Draw draw;
  for (int i = 0; i < 5000; ++i) {
    ProductShape shape{.inputs = draw(1, 9000), .outputs = draw(1, 9000), .channels = draw(1, 31)};
    shape.order = draw(0, 1) == 1 ? Order::no_reuse : Order::reuse_gb;
    const bool refresh = draw(0, 1) == 1;
    const Product base = product(device, shape, refresh);
    CAPTURE(shape.inputs, shape.outputs, shape.channels, refresh);

    ProductShape more = shape;
    ++more.channels;
    CHECK(product(device, more, refresh).clocks <= base.clocks);
    ProductShape larger = shape;
    (draw(0, 1) == 1 ? larger.inputs : larger.outputs) += draw(1, 2000);
    CHECK(product(device, larger, refresh).clocks >= base.clocks);
    Device slow = device;
    slow.timing = slower(device.timing, draw);
    CHECK(product(slow, shape, refresh).clocks >= base.clocks);
    Device few = device;
    few.registers = draw(1, device.registers);
    CHECK(product(few, shape, refresh).clocks >= base.clocks);

    CHECK(base.clocks >= base.commands.mac16 * device.timing.nCCD);
    const double macs = static_cast<double>(shape.inputs) * static_cast<double>(shape.outputs);
    const double peak = static_cast<double>(shape.channels * device.banks * device.lanes) * device.clock /
                        static_cast<double>(device.timing.nCCD);
    CHECK(seconds(device, base) >= macs / peak);
  }
}

TEST_CASE("energy of a product grows with its parts and is what its commands cost") {
  const Device device = test::aim_device();
  const Product work = product(device, {.inputs = 4096, .outputs = 4096, .channels = 32});
  const Energy result = energy(device, work, 32);
  CHECK(result.activate == Approx(32 * 32 * 16 * 66.3e-3 * 44.5e-9));
  CHECK(result.multiply == Approx(32 * 2048 * 3 * 438.15e-12));
  CHECK(result.pins == Approx(32 * (256 + 32 + 32) * 256 * 5.5e-12));
  CHECK(result.standby > 32 * 0.18315 * seconds(device, work));
  CHECK(result.standby < 32 * 0.26375 * seconds(device, work));
  CHECK(result.total() ==
        Approx(result.activate + result.multiply + result.read + result.write + result.pins + result.standby));
  CHECK(energy(device, work, 16).total() == Approx(result.total() / 2));
}
