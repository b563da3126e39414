#include "systems/rtconc/rtconc.h"

#include <fmt/format.h>

#include "systems/policy_list.h"
#include "systems/roofline.h"
#include "systems/rtconc/axes.h"
#include "systems/rtconc/policies.h"
#include "systems/rtconc/records.h"
#include "systems/rtconc/summary.h"

namespace pimsweep::systems::rtconc {

namespace {

void explain_run(const Settings& settings, const TrainingRun& run, Explanation& explanation) {
  const auto seconds = [](double value) { return fmt::format("{:.6g} s", value); };
  const schedule::Outcome& outcome = run.scheduled.outcome;
  auto& whole = explanation.section("step").lines;
  whole.push_back({"time", seconds(outcome.seconds), ""});
  whole.push_back({"recommended", seconds(run.recommended.outcome.seconds), "one at a time, all cores"});
  const Bounds bounds = bounds_of(settings, run);
  whole.push_back({"critical path", seconds(bounds.critical_path), "each operation alone and at its best"});
  whole.push_back({"work bound", seconds(bounds.work), "arithmetic over all cores"});
  whole.push_back({"changes", seconds(outcome.change_seconds), "of concurrency"});
  whole.push_back(
      {"contention", seconds(outcome.contention_seconds), "lost by operations that run at the same time as others"});
  auto& types = explanation.section("types").lines;
  for (const TypeTotal& total : totals_by_type(run)) {
    types.push_back({std::string(workload::training::name_of(total.type)), seconds(total.seconds),
                     fmt::format("{} operations, {:.1f} threads; recommended {}", total.instances, total.mean_threads(),
                                 seconds(total.recommended))});
  }
}

class Rtconc final : public System, public HasRoofline {
 public:
  explicit Rtconc(const ConfigFolders& configs)
      : steps_(configs), axes_(make_axes(steps_.graphs().names())), records_(schema_) {
    schema_.name = "rtconc";
    schema_.version = 3;
    schema_.main_metrics = {"time_per_sample", "energy_per_sample"};
    schema_.doc = "A training step on a many-core processor: threads of operations, and operations side by side";
    schema_.axes = axes_.axes();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const Settings settings = settings_of(point);
    records_.write(settings, steps_.graphs().graph(settings.model), run_training(settings, steps_), record);
  }

  Hash128 workload_hash(const Point& point) override {
    const Settings settings = settings_of(point);
    std::string text = steps_.graphs().content(settings.model).text();
    for (const auto& choice : learned_steps(settings)) text += steps_.graphs().content(choice).text();
    return hash128(text);
  }

  std::vector<std::string> fit_axes() const override { return {"model", "image_px", "tokens", "batch", "task"}; }

  void explain(const Point& point, Explanation& explanation) override {
    const Settings settings = settings_of(point);
    explain_run(settings, run_training(settings, steps_), explanation);
  }

  Roofline roofline(const Point& point, const Record& record) override {
    const Settings settings = settings_of(point);
    const hardware::manycore::Device& cpu = settings.machine.cpu();
    RooflinePart part{.name = "processor",
                      .operations = static_cast<double>(steps_.graphs().graph(settings.model).work().total()),
                      .time = number_of(schema_, record, "time"),
                      .peak_rate = cpu.peak(),
                      .memory_bandwidth = cpu.memory_bandwidth};
    for (const schedule::RunCost* cost : run_training(settings, steps_).scheduled.outcome.cost) {
      if (cost != nullptr) part.memory_bytes += cost->drawn * cost->seconds;
    }
    return {{part}};
  }

 protected:
  void require_fit(const Point& point) override { steps_.graphs().graph(settings_of(point).model); }

 private:
  Settings settings_of(const Point& point) const {
    Settings settings = axes_.read(point);
    settings.model = steps_.graphs().resolved(std::move(settings.model));
    return settings;
  }

  StepCache steps_;
  Schema schema_;
  AxisTable<Settings> axes_;
  Records records_;
};

}  // namespace

std::unique_ptr<System> make_rtconc(const ConfigFolders& configs) { return std::make_unique<Rtconc>(configs); }

std::vector<PolicyInfo> rtconc_policies() { return policy_infos(policies); }

}  // namespace pimsweep::systems::rtconc
