#include "systems/allspark/schedule_text.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "systems/allspark/random_models.h"
#include "systems/allspark/record_writer.h"

using namespace pimsweep::systems::allspark;
using namespace pimsweep;
using Catch::Matchers::Contains;

namespace {

ModelCosts costs() {
  Machine machine = table_iv();
  machine.acu = {8, 1, 1, 1};
  return ModelCosts(swin_b_640(), machine, {}, std::make_shared<GemmCache>());
}

}  // namespace

TEST_CASE("a schedule reads back as it is written, largest layers first") {
  ModelCosts swin = costs();
  const auto stages = read_schedule("4x2 1x1*2|2x1 4x4 |  8x2*2 16x4 | 4x4 ", swin);
  std::string text;
  for (const auto& stage : stages) text += schedule_text(stage) + " | ";
  CHECK(text == "1x1*2 4x2 | 2x1 4x4 | 8x2*2 16x4 | 4x4 | ");
}

TEST_CASE("a bad schedule says what is wrong and where") {
  ModelCosts swin = costs();
  const auto message = [&](const std::string& text) {
    try {
      read_schedule(text, swin);
    } catch (const PointError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK_THAT(message(""), Contains("needs the axis schedule"));
  CHECK_THAT(message("1x1*2 4y2 | 2x1"), Contains("character 8: expected x"));
  CHECK_THAT(message("1x1*2 | | 4x4"), Contains("stage 2 has no layer"));
  CHECK_THAT(message("1x1*3 |"), Contains("stage 2 has no layer"));
  CHECK_THAT(message("1x1,4x2 | 2x1"), Contains("character 4: expected a blank"));
  CHECK_THAT(message("1x0 | 2x1"), Contains("character 3: expected a patch split"));
  CHECK_THAT(message("99999999999999999999x1"), Contains("expected a head split"));
  CHECK_THAT(message("1x1*3 | 2x1*2"), Contains("has 2 stages, swin-b has 4"));
  CHECK_THAT(message("1x1 | 2x1 4x4 | 8x2*2 16x4 | 4x4"), Contains("stage 1: the layers hold 256 branches"));
  CHECK_THAT(message("1x1*4 | 2x1 4x4 | 8x2*2 16x4 | 4x4"), Contains("stage 1") && Contains("stays empty"));
  CHECK_THAT(message("1x1*3 | 2x1 4x4 | 8x2*2 16x4 | 32x2"), Contains("stage 4: 32x2 does not fit the 16 x 16"));
  CHECK_THAT(message("8x1*3 | 2x1 4x4 | 8x2*2 16x4 | 4x4"), Contains("stage 1: 8x1 splits too finely"));
}
