#include <catch2/catch.hpp>

#include "hardware/newton/artifact_timing.h"
#include "samples.h"

using namespace pimsweep::hardware::newton;
using namespace pimsweep;

// Cases worked out by hand from the artifact's rules, on GDDR6_3500 with hidden GWRITEs.

namespace {

const Dram dram = pimsweep::hardware::newton::samples::gddr6_3500();
const ArtifactRules rules(dram, true);

Run both_ways(const ArtifactSchedule& schedule) {
  const Run run = artifact_closed_form(schedule, rules, dram);
  CHECK(run == artifact_cycle_by_cycle(schedule, rules));
  return run;
}

Layer pointwise(std::int64_t side, std::int64_t inputs, std::int64_t outputs) {
  Layer layer;
  layer.height = layer.width = side;
  layer.inputs = inputs;
  layer.outputs = outputs;
  return layer;
}

}  // namespace

TEST_CASE("a single pixel: two results on the first channel, 80 clocks") {
  const ArtifactSchedule schedule = artifact_schedule(pointwise(1, 10, 10), dram, 16, 4);
  REQUIRE(schedule.size() == 1);
  CHECK(schedule[0].gwrites == 1);
  CHECK(schedule[0].groups == 1);
  CHECK(schedule[0].sets == 1);
  CHECK(schedule[0].units == Units{1, 1});
  // GWRITE 1; G_ACT 2, 19, 36, 53; COMP 64; READRES 65; COMP 66; READRES 67; data until 80.
  CHECK(both_ways(schedule).cycles == 80);
}

TEST_CASE("COMP granularity and the first refresh in the middle of a set") {
  ArtifactSchedule schedule = artifact_schedule(pointwise(12, 512, 16), dram, 16, 4);
  REQUIRE(schedule.size() == 1);
  CHECK(schedule[0].groups == 4);
  CHECK(schedule[0].gwrites == 36);
  CHECK(schedule[0].sets == 1);
  CHECK(schedule[0].units == Units{2, 2, 2, 2});
  CHECK(schedule[0].granularity == Granularity::comp);
  CHECK(both_ways(schedule).cycles == 3375);

  /// Whole GWRITEs and then the first units of another.
  const auto first_gwrites = [&](std::int64_t gwrites, std::size_t units) {
    ArtifactSchedule begin = schedule;
    begin[0].gwrites = gwrites;
    if (units > 0) {
      begin.push_back(schedule[0]);
      begin[1].gwrites = 1;
      begin[1].units.resize(units);
    }
    return both_ways(begin);
  };
  // The first GWRITE's last READRES is at 79, the second GWRITE at 85 and its first READRES at 67 + 84.
  CHECK(first_gwrites(1, 0).cycles == 79 + 13);
  CHECK(first_gwrites(1, 1).cycles == 67 + 84 + 13);
  // READRES 1915, PREA 1916, REF 1927, COMP 1928 and 1930, READRES 1931: no new activation.
  CHECK(first_gwrites(22, 1).cycles == 1915 + 13);
  CHECK(first_gwrites(22, 2).cycles == 1931 + 13);
  CHECK(first_gwrites(22, 2).counts.g_act == 23 * 4);
  CHECK(first_gwrites(22, 2).counts.prea == 1);
  CHECK(first_gwrites(22, 2).counts.ref == 1);
}

TEST_CASE("cutting results into too many pieces loses every COMP") {
  const Run run = both_ways(artifact_schedule(pointwise(16, 300, 16), dram, 28, 4));
  CHECK(run.counts.comp == 0);
  CHECK(run.cycles == 4680);
}

TEST_CASE("two groups: fewest G_ACTs, then the shortest trace") {
  const ArtifactSchedule schedule = artifact_schedule(pointwise(112, 16, 96), dram, 16, 4);
  REQUIRE(schedule.size() == 1);
  CHECK(schedule[0].groups == 2);
  const Run run = both_ways(schedule);
  CHECK(run.cycles == 27150);
  CHECK(run.counts == Counts{196, 196, 784, 4704, 4704, 14, 14});
}

TEST_CASE("without hiding, a GWRITE costs 63 clocks more") {
  const ArtifactSchedule schedule = artifact_schedule(pointwise(1, 10, 10), dram, 16, 4);
  const ArtifactRules waiting(dram, false);
  CHECK(artifact_cycle_by_cycle(schedule, waiting).cycles == 80 + 63);
  CHECK(artifact_closed_form(schedule, waiting, dram).cycles == 80 + 63);
}

TEST_CASE("a filter longer than a row becomes whole rows and a rest") {
  Layer layer = pointwise(14, 256, 256);
  layer.kernel_height = layer.kernel_width = 3;
  layer.pad_height = layer.pad_width = 1;
  const ArtifactSchedule schedule = artifact_schedule(layer, dram, 16, 4);
  REQUIRE(schedule.size() == 2);
  CHECK(both_ways(schedule).cycles == 138340);
}

TEST_CASE("PIM's part of a split layer") {
  // A 7x7 convolution with stride 2: 224 rows and 3 of padding give 112 rows of output.
  Layer layer{224, 224, 3, 64, 7, 7, 2, 3, 3};
  for (std::int64_t tenths = 1; tenths <= 9; ++tenths) {
    const std::optional<Layer> part = pim_part(layer, tenths);
    REQUIRE(part);
    const std::int64_t gpu_rows = (224 * (10 - tenths) + 9) / 10;
    // What the GPU computes: its rows, the padding above, and the halo below.
    Layer gpu = layer;
    gpu.height = gpu_rows + 3 + 3 - (gpu_rows - 1) % 2;
    gpu.pad_height = 0;
    CHECK(part->output_height() + gpu.output_height() == layer.output_height());
    CHECK(part->pad_height == 0);
    CHECK(part->pad_width == 3);
  }
  CHECK(pim_part(layer, 10)->pixels() == 112 * 112);
  CHECK(!pim_part(layer, 0));

  // A convolution keeps two rows for PIM at least, a fully connected layer one.
  CHECK(!pim_part(pointwise(1, 8, 8), 9));
  CHECK(pim_part(Layer{3, 2, 8, 8, 1, 1, 1, 0, 0}, 9)->height == 2);
  CHECK(!pim_part(Layer{3, 2, 8, 8, 1, 1, 1, 0, 0}, 5));
  CHECK(pim_part(Layer{3, 1, 8, 8, 1, 1, 1, 0, 0}, 5)->height == 1);
  CHECK(!pim_part(Layer{3, 1, 8, 8, 1, 1, 1, 0, 0}, 3));
}
