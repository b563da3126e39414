// The optimum tries the policies that users run: each trial has the time of a point with this policy.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "llm_points.h"
#include "systems/llm/settings.h"
#include "systems/llm/step/capacity.h"
#include "workload/model_library.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using namespace pimsweep::systems::llm;
using systems::Record;
using systems::Status;
using workload::decoder::Sequences;

namespace {

using Overrides = SystemPoints::Overrides;

/// Checks the trials of a step against points, and returns the policies that were tried.
std::vector<std::string> checked_trials(const std::string& hardware, const Overrides& point,
                                        std::vector<Sequences> sequences, double batch) {
  workload::ModelLibrary models{ConfigFolders("configs").models};
  SystemPoints points = points_on(hardware);
  const systems::AxisTable<Settings> axes = make_axes(models.decoders());
  const std::vector<Value> values = points.values(point);
  systems::Point all(values.size());
  for (std::size_t axis = 0; axis < values.size(); ++axis) all.set(axis, &values[axis]);
  const Settings settings = axes.read(all);
  const step::StepContext context{.machine = &settings.machine,
                                  .decoder = &models.decoder(settings.model),
                                  .bits = resolved(settings.bits, models.decoder(settings.model)),
                                  .gpus = settings.parallel.tensor,
                                  .pipelining = settings.pipelining};
  const step::Capacity capacity = step::capacity_of(context, sequences.front().context + sequences.front().new_tokens);
  step::PlanBuffers buffers;
  const std::vector<step::PolicyTrial> trials = step::try_policies({.context = context,
                                                                    .sequences = sequences,
                                                                    .room = capacity.room,
                                                                    .cache_bytes = batch * capacity.sequence_bytes,
                                                                    .sequence_bytes = capacity.sequence_bytes},
                                                                   buffers);
  std::vector<std::string> tried;
  for (const step::Policy& policy : step::policies) {
    if (policy.name == "llm-optimal") continue;
    CAPTURE(hardware, policy.name);
    Overrides as_user = point;
    as_user["policy"] = Value{std::string(policy.name)};
    const Record record = points.record(as_user);
    const auto trial = std::ranges::find(trials, &policy, &step::PolicyTrial::policy);
    // The same policies can run.
    REQUIRE((trial != trials.end()) == (record.status == Status::ok));
    if (trial == trials.end()) continue;
    const double devices = step::step_seconds(trial->plan.runs);
    CHECK(devices + settings.machine.host.added_time(batch, context.blocks(), devices) ==
          points.metric(record, "time"));
    tried.emplace_back(policy.name);
  }
  return tried;
}

}  // namespace

TEST_CASE("each policy that the optimum tries takes the time of a point with this policy") {
  struct Case {
    const char* hardware;
    const char* model;
    std::int64_t batch;
    std::int64_t new_tokens;
    bool is_mixed;
  };
  // PAPI's GEMMs below and above its threshold; Duplex's experts without a prompt and beside one.
  const std::vector<Case> cases{{"llm-papi", "llama-65b", 4, 4, false},
                                {"llm-papi", "llama-65b", 8, 4, false},
                                {"llm-duplex", "mixtral-8x7b", 32, 1, false},
                                {"llm-duplex", "mixtral-8x7b", 32, 1, true},
                                {"llm-8-a100-attacc", "llama-3.1-70b", 16, 1, false},
                                {"llm-neupims", "gpt3-13b", 256, 1, false}};
  for (const Case& some : cases) {
    const Overrides point{
        {"model", text(some.model)},     {"policy", text("gpu")},   {"phase", text(some.is_mixed ? "mixed" : "decode")},
        {"batch", integer(some.batch)},  {"context", integer(376)}, {"new_tokens", integer(some.new_tokens)},
        {"tensor_parallel", integer(4)}, {"chunk", integer(64)}};
    const auto tokens = static_cast<double>(some.new_tokens);
    std::vector<Sequences> sequences{
        {.count = static_cast<double>(some.batch), .new_tokens = tokens, .context = 376, .predicted = tokens}};
    if (some.is_mixed) sequences.push_back({.new_tokens = 64, .context = 376, .is_prompt = true});
    CAPTURE(some.batch, some.is_mixed);
    CHECK(checked_trials(some.hardware, point, sequences, static_cast<double>(some.batch)).size() >= 3);
  }
}
