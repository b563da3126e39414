#include "systems/llm/step/head_pipeline.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace pimsweep::systems::llm::step;

namespace {

/// Any part may be missing.
HeadPipeline random_pipeline(std::mt19937& random) {
  std::uniform_real_distribution<double> seconds(-0.2, 1);
  const auto draw = [&] { return std::max(0.0, seconds(random)); };
  return {.heads = std::uniform_int_distribution<int>(1, 12)(random) * 1.0,
          .before = draw(),
          .sent = draw(),
          .attention = draw() + 1e-3,
          .returned = draw(),
          .after = draw(),
          .prompts = draw()};
}

}  // namespace

TEST_CASE("the last head of a pipeline ends at its time") {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const HeadPipeline pipeline = random_pipeline(random);
    const std::vector<HeadStarts> heads = head_starts(pipeline);
    REQUIRE(heads.size() == static_cast<std::size_t>(pipeline.heads));
    CHECK(heads.back().after + pipeline.after / pipeline.heads == Approx(pipeline.time()).epsilon(1e-12));
  }
}

TEST_CASE("a pipeline of heads takes no less than its busiest lane, and no more than its parts one after another") {
  std::mt19937 random(4);
  for (int i = 0; i < 2000; ++i) {
    const HeadPipeline p = random_pipeline(random);
    const double gpu = p.before + p.prompts + p.after;
    CHECK(p.time() >= std::max({gpu, p.sent, p.attention, p.returned}) * (1 - 1e-12));
    CHECK(p.time() <= (gpu + p.sent + p.attention + p.returned) * (1 + 1e-12));
    // No part that takes longer ends it sooner.
    for (double HeadPipeline::*part : {&HeadPipeline::before, &HeadPipeline::sent, &HeadPipeline::attention,
                                       &HeadPipeline::returned, &HeadPipeline::after, &HeadPipeline::prompts}) {
      HeadPipeline longer = p;
      longer.*part += 0.1;
      CHECK(longer.time() >= p.time() * (1 - 1e-12));
    }
  }
}

TEST_CASE("heads that attention on PIM bounds follow each other without a gap there") {
  const HeadPipeline pipeline{.heads = 4, .before = 1, .sent = 1, .attention = 8, .returned = 1, .after = 1};
  CHECK(pipeline.time() == Approx(0.25 + 0.25 + 8 + 0.25 + 0.25));
  const std::vector<HeadStarts> heads = head_starts(pipeline);
  for (std::size_t i = 1; i < heads.size(); ++i) CHECK(heads[i].attention == Approx(heads[i - 1].attention + 2));
}
