// CENT's own rows: results/reference/cent-per-token.csv.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "hardware/reference.h"
#include "systems/llm/cent_machine.h"
#include "systems/llm/step/cent/token.h"

using namespace pimsweep;
using namespace pimsweep::systems::llm::step::cent;

namespace {

/// Largest and mean deviation of a column.
struct Deviation {
  double largest = 0;
  double sum = 0;

  void add(double value, double reference) {
    const double error = std::abs(value / reference - 1);
    largest = std::max(largest, error);
    sum += error;
  }
};

Shape shape_of(const std::string& model) { return model == "llama-2-7b" ? test::llama_2_7b() : test::llama_2_70b(); }

}  // namespace

TEST_CASE("every row of CENT: transfers, units and utilization exact, all else within 1 %") {
  const test::Reference rows("results/reference/cent-per-token.csv");
  REQUIRE(rows.size() == 387);
  Deviation pim, link, near_memory, block, embedding, time, rate, energy, power, utilization;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Shape shape = shape_of(rows.text(row, "model"));
    const Machine machine = test::cent_machine(rows.integer(row, "devices"));
    const Mapping mapping = rows.text(row, "mapping") == "tensor" ? Mapping::tensor : Mapping::pipeline;
    const std::int64_t group = rows.integer(row, "tensor_parallel");
    REQUIRE(layout_obstacle(shape, machine, mapping, group).empty());
    const Layout layout = layout_of(shape, machine, mapping, group);
    CHECK(layout.channels == rows.integer(row, "channels_of_block"));
    CHECK(layout.stages == rows.integer(row, "stages"));
    const Token result = token(shape, machine, layout, rows.integer(row, "context"), artifact_faults);
    pim.add(result.pim_time * 1e3, rows.real(row, "pim_ms"));
    link.add(result.link_time * 1e3, rows.real(row, "link_ms"));
    near_memory.add(result.near_memory_time * 1e3, rows.real(row, "near_memory_ms"));
    block.add(result.block_time * 1e3, rows.real(row, "block_ms"));
    embedding.add(result.embedding_time * 1e3, rows.real(row, "embedding_ms"));
    time.add(result.time * 1e3, rows.real(row, "token_ms"));
    rate.add(result.tokens_per_second, rows.real(row, "tokens_per_second"));
    energy.add(result.energy.total() * 1e3, rows.real(row, "energy_mJ"));
    power.add(result.power, rows.real(row, "power_W"));
    utilization.add(result.utilization, rows.real(row, "utilization"));
  }
  CHECK(link.largest < 1e-12);
  CHECK(near_memory.largest < 1e-12);
  CHECK(utilization.largest < 1e-12);
  CHECK(pim.largest < 0.0082);
  CHECK(block.largest < 0.0061);
  CHECK(embedding.largest < 0.0013);
  CHECK(time.largest < 0.0051);
  CHECK(rate.largest < 0.0051);
  CHECK(energy.largest < 1e-4);
  CHECK(power.largest < 0.0083);
  const auto mean = [&](const Deviation& deviation) { return deviation.sum / static_cast<double>(rows.size()); };
  CHECK(mean(pim) < 0.0016);
  CHECK(mean(time) < 0.0012);
  CHECK(mean(energy) < 3e-5);
}
