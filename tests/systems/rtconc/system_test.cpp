#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "systems/rtconc/rtconc.h"
#include "systems/system_points.h"

using namespace pimsweep::systems::rtconc;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

using Axes = SystemPoints::Overrides;

std::string t(const char* value) { return value; }
std::int64_t n(std::int64_t value) { return value; }

SystemPoints machine() { return {make_rtconc("configs"), "rtconc-xeon-phi-7250"}; }

Axes axes(const char* model, const char* policy) { return {{"model", t(model)}, {"policy", t(policy)}}; }

}  // namespace

TEST_CASE("Policies of one setting are the uniform policy at it, and manual is the best of its table") {
  SystemPoints system = machine();
  Axes uniform = axes("rtconc-dcgan", "uniform");
  const auto time = [&](const Axes& at) { return system.metric(system.record(at), "time"); };
  const double recommended = time(axes("rtconc-dcgan", "recommended"));
  CHECK(time(uniform) == recommended);
  uniform["inter"] = n(272);
  uniform["intra"] = n(272);
  uniform["waiting"] = t("spin");
  CHECK(time(axes("rtconc-dcgan", "tensorflow-default")) == time(uniform));
  uniform["intra"] = n(273);
  CHECK_THROWS_AS(time(uniform), PointError);

  const Record manual = system.record(axes("rtconc-dcgan", "manual"));
  double best = INFINITY;
  for (const Value& seconds : system.column(manual, "settings", "time")) best = std::min(best, to_real(seconds));
  CHECK(system.metric(manual, "time") == best);
  CHECK(best <= recommended);
  CHECK(system.metric(manual, "speedup") == recommended / best);
}

TEST_CASE("A step takes the size of its input, and 0 is that of its model") {
  SystemPoints system = machine();
  Axes at = axes("rtconc-resnet-50", "strategy-1");
  // What a regression learns from depends on whether the step is one of those that it knows.
  at["performance_model"] = t("ols");
  at["batch"] = n(16);
  const auto time = [&](std::int64_t image_px) {
    at["image_px"] = n(image_px);
    return system.metric(system.record(at), "time");
  };
  const double own = time(0);
  CHECK(time(32) == own);
  CHECK(time(64) > own);
  at["tokens"] = n(8);
  CHECK_THROWS_AS(time(0), PointError);
}

TEST_CASE("Serial policies take the sum of their types' times; all operations are in the table") {
  SystemPoints system = machine();
  for (const char* policy : {"recommended", "strategy-12"}) {
    const Record record = system.record(axes("rtconc-lstm", policy));
    double sum = 0;
    double count = 0;
    for (const Value& seconds : system.column(record, "by_type", "time")) sum += to_real(seconds);
    for (const Value& instances : system.column(record, "by_type", "instances")) count += to_real(instances);
    CHECK(sum == Approx(system.metric(record, "time")).epsilon(1e-9));
    CHECK(count == system.metric(record, "timed_operations"));
    CHECK(system.metric(record, "mean_co_running") == 1);
    CHECK(system.metric(record, "gap") >= 1);
  }
}

TEST_CASE("Counters sampled again with the same seed say the same; the step to predict is not learned from") {
  SystemPoints system = machine();
  Axes model = axes("rtconc-dcgan", "strategy-12");
  model["performance_model"] = t("ols");
  model["samples"] = n(1);
  const double first = system.metric(system.record(model), "accuracy");
  CHECK(system.metric(system.record(model), "accuracy") == first);
  CHECK(first < 1);
  model["seed"] = n(2);
  CHECK(system.metric(system.record(model), "accuracy") != first);
}

TEST_CASE("Waking threads is paid for apart from creating them") {
  SystemPoints system = machine();
  Axes at = axes("rtconc-dcgan", "recommended");
  const double time = system.metric(system.record(at), "time");
  at["hardware.cpu.fitted.spawn"] = 52e-6;
  CHECK(system.metric(system.record(at), "time") == time);
  at["hardware.threads.wake"] = 0.0;
  CHECK(system.metric(system.record(at), "time") < time / 2);
}

TEST_CASE("Serial time of operations gains nothing from more threads") {
  SystemPoints system = machine();
  const auto uniform = [&](std::int64_t intra, double serial) {
    Axes at = axes("rtconc-dcgan", "uniform");
    at["intra"] = n(intra);
    at["hardware.threads.wake"] = 0.0;
    at["hardware.operations.serial"] = serial;
    return system.metric(system.record(at), "time");
  };
  const double added = uniform(68, 1e-10) - uniform(68, 0);
  CHECK(added > 0);
  CHECK(uniform(17, 1e-10) - uniform(17, 0) == Approx(added).epsilon(1e-9));
}

TEST_CASE("A profile sets the recommended times of its types, longer ones by serial time and shorter ones by waking") {
  SystemPoints system = machine();
  const auto total = [&](const char* profile, const std::string& type) {
    Axes at = axes("rtconc-dcgan", "strategy-12");
    at["profile"] = t(profile);
    const Record record = system.record(at);
    const auto types = system.column(record, "by_type", "type");
    const auto times = system.column(record, "by_type", "recommended_time");
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (to_text(types[i]) == type) return to_real(times[i]);
    }
    return 0.0;
  };
  const double modeled = total("", "Conv2DBackpropFilter");
  CHECK(total("Conv2DBackpropFilter=0.133", "Conv2DBackpropFilter") ==
        Approx(0.133).epsilon(1e-4));  // with the executor's time
  CHECK(total("Conv2DBackpropFilter=0.133", "ApplyAdam") == Approx(total("", "ApplyAdam")).epsilon(1e-9));
  const double shorter = total("Conv2DBackpropFilter=1e-9", "Conv2DBackpropFilter");
  CHECK(shorter > 1e-9);
  CHECK(shorter < modeled);
  CHECK_THROWS_AS(total("Conv2D=fast", "Conv2D"), PointError);
  CHECK_THROWS_AS(total("Conv3Dim=1", "Conv2D"), PointError);
}
