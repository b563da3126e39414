#include "systems/rtconc/schema.h"

#include "systems/axes.h"
#include "systems/rtconc/regression/regressor.h"
#include "systems/silicon_axes.h"
#include "workload/training/training_library.h"

namespace pimsweep::systems::rtconc {

namespace {

constexpr std::string_view cpu = "cpu.";

Value text(std::string value) { return Value{std::move(value)}; }
Value whole(std::int64_t value) { return Value{value}; }

Axis share_axis(std::string name, double default_value, double max, std::string doc) {
  Axis axis = quantity_axis(std::move(name), "1", 0, max, std::move(doc));
  axis.default_value = Value{default_value};
  return axis;
}

std::vector<Axis> make_axes(const std::vector<std::string>& steps, const std::vector<std::string>& models) {
  std::vector<std::string> workloads = steps;
  workloads.insert(workloads.end(), models.begin(), models.end());
  std::vector<std::string> policies;
  for (const PolicyInfo& info : policy_infos()) policies.push_back(info.name);
  std::vector<std::string> predictors{"hill-climbing", "exact"};
  for (const std::string_view name : regression::regressor_names()) predictors.emplace_back(name);
  // In the order of AxisIndex.
  std::vector<Axis> axes{
      text_axis("step", std::nullopt, workloads,
                "training step, one of configs/training, or a model of configs/models, trained plainly"),
      count_axis("batch", whole(0), 0, 1 << 16, "images or sequences; 0: the step's own"),
      text_axis("policy", std::nullopt, policies, "who decides what runs when with how many threads"),
      count_axis("inter", whole(1), 1, 4096, "policy uniform: operations at a time"),
      count_axis("intra", whole(0), 0, 4096, "policy uniform: threads of each; 0: one for each core"),
      text_axis("performance_model", text("hill-climbing"), predictors,
                "who predicts times: hill climbing, a regression model, or the true times"),
      count_axis("interval", whole(4), 1, 1024, "hill-climbing: threads more from one measurement to the next"),
      text_axis("sharing", text("both"), {"both", "without", "with"},
                "hill-climbing: measures with threads that share a tile, that do not, or both"),
      share_axis("time_noise", 0, 1, "hill-climbing: standard deviation of a measured time, by the time"),
      count_axis("samples", whole(4), 1, 64, "regression: cases in which counters are read"),
      quantity_axis("counter_interval", "s", 0, 1,
                    "regression: time between two interrupts that sample a counter; 0: counters are exact"),
      text_axis("resized", text("mkl"), {"mkl", "all"},
                "operations whose threads the strategies choose: all, or those of MKL and MKL-DNN"),
      text_axis("waiting", text("sleep"), {"sleep", "spin"},
                "OpenMP's threads between two operations: sleep (KMP_BLOCKTIME 0, as TensorFlow's guide says), or spin "
                "(its default, 200 ms); tensorflow-default always spins"),
      share_axis("avoided_slowdown", 0, 100,
                 "types of which one has been slowed by more than this share beside the other are kept apart in the "
                 "next step; 0: never"),
      flag_axis("record_timeline", false, "table timeline: begins and ends in the middle of the step"),
      count_axis("seed", whole(1), 0, 1e9, "of noise and of what regression models draw"),
      text_axis("task", text("training"), {"training", "inference"},
                "a step of training, or its forward operations alone"),
  };
  axes[counter_interval].default_value = Value{1e-3};
  append_cpu_axes(axes, cpu);
  axes.push_back(quantity_axis("hardware.executor.dispatch", "s", 0, 1, "the executor's time for each operation"));
  axes.push_back(quantity_axis("hardware.executor.clock", "s", 0, 1, "what its clock counts in"));
  axes.push_back(quantity_axis("hardware.power", "W", 0, 1e6, "of the processor, whatever runs"));
  axes.push_back(quantity_axis("hardware.eigen.startup_cycles", "1", 0, 1e12,
                               "cycles of work for which Eigen takes no second thread"));
  axes.push_back(
      quantity_axis("hardware.eigen.thread_cycles", "1", 1, 1e12, "cycles of work for which it takes a further one"));
  axes.push_back(quantity_axis("hardware.eigen.byte_cycles", "1", 0, 1e6, "cycles that it counts for a byte"));
  axes.push_back(quantity_axis("hardware.os.context_switch", "s", 0, 1, "from one thread to another of a queue"));
  return axes;
}

std::vector<Metric> make_metrics() {
  return {
      {"time", "s", "time of a step"},
      {"energy", "J", "the processor's rated power over the time"},
      {"time_per_image", "s", "time by batch"},
      {"energy_per_image", "J", "energy by batch"},
      {"recommended_time", "s", "with policy recommended"},
      {"speedup", "1", "recommended_time by time"},
      {"chosen_inter", "1", "operations at a time: uniform policies"},
      {"chosen_intra", "1", "threads of each: uniform policies"},
      {"mean_co_running", "1", "running operations, mean over the middle 6000 begins and ends"},
      {"mean_ready", "1", "operations that could begin but do not run yet, mean over the same"},
      {"mkl_share", "1", "share of MKL's and MKL-DNN's operations in recommended_time"},
      {"events", "1", "begins and ends"},
      {"operations", "1", "operations of the graph"},
      {"timed_operations", "1", "those that take time"},
      {"classes", "1", "different operations: type and size"},
      {"change_time", "s", "changes of concurrency, summed over operations"},
      {"company_time", "s", "what operations lost by others beside them, summed"},
      {"busy_cores", "1", "cores with a thread, mean over the step"},
      {"critical_path", "s", "longest way through the step, each operation alone and at its best"},
      {"work_bound", "s", "all operations' own arithmetic, spread evenly over all cores"},
      {"gap", "1", "time by the larger of both bounds"},
      {"timed_classes", "1", "those that take longer than the executor's clock counts in, on one thread"},
      {"accuracy", "1", "performance model: mean of 1 - |error| over timed classes and cases not measured"},
      {"r2", "1", "performance model: coefficient of determination over the same"},
      {"weighted_accuracy", "1", "performance model: 1 - sum of errors by sum of times, over the same"},
      {"cases", "1", "performance model: numbers of threads, with their affinities, that are predicted"},
      {"shared_cases", "1", "those of them in which threads share a tile"},
      {"unshared_cases", "1", "those in which each thread has a tile of its own"},
      {"profiling_steps", "1", "training steps that are run to measure"},
      {"mean_loss", "1", "time at the case predicted to be best by the best time, minus 1, mean over classes"},
      {"convexity_exceptions", "1", "classes whose time over threads is not convex, for one affinity at least"},
      {"local_optima", "1", "classes with a local optimum that is not the best, for one affinity at least"},
      {"caveat", "1", "what to know about this result; empty if nothing", ValueType::text},
  };
}

std::vector<Table> make_tables() {
  const ValueType count = ValueType::integer;
  const ValueType words = ValueType::text;
  return {
      {"by_type",
       "time by type of operation, longest first",
       {{"type", "1", "type of operation", words},
        {"rank", "1", "1: takes longest with policy recommended", count},
        {"instances", "1", "operations of the type", count},
        {"time", "s", "sum of their times"},
        {"recommended_time", "s", "the same with policy recommended"},
        {"speedup", "1", "recommended_time by time"},
        {"threads", "1", "mean number of threads"}}},
      {"settings",
       "policy manual: every combination that was tried",
       {{"inter", "1", "operations at a time", count},
        {"intra", "1", "threads of each", count},
        {"time", "s", "time of a step"}}},
      {"timeline",
       "begins and ends of operations in the middle of the step",
       {{"event", "1", "number of the event", count},
        {"time", "s", "since the step began"},
        {"running", "1", "operations that run, this one among them", count},
        {"type", "1", "type of operation", words},
        {"begins", "1", "1: begins, 0: ends", count}}},
  };
}

}  // namespace

std::vector<PolicyInfo> policy_infos() {
  return {
      {"tensorflow-default", "as many operations at a time, and threads for each, as there are hardware threads"},
      {"recommended", "one operation at a time, a thread for each core: what all speedups are over"},
      {"uniform", "as axes inter and intra say"},
      {"manual", "the best of inter 1, 2, 4, 8 and intra 1, 2, 4, ..., half, one, two and four threads for each core"},
      {"strategy-1", "each operation alone, with its best number of threads"},
      {"strategy-12", "the same, but one number for all operations of a type"},
      {"strategy-123", "operations side by side where cores are idle"},
      {"strategy-1234", "and small ones on the hardware threads of one that has all cores"},
      {"moldable", "list scheduling of moldable operations by the true times: how much is left"},
  };
}

std::string step_of(const Point& point) {
  return workload::training::step_name(point.text(step), point.text(task) == "inference");
}

Schema make_schema(const std::vector<std::string>& steps, const std::vector<std::string>& models) {
  Schema schema;
  schema.name = "rtconc";
  schema.doc = "A training step on a many-core processor: threads of operations, and operations side by side";
  schema.version = 1;
  schema.axes = make_axes(steps, models);
  schema.metrics = make_metrics();
  append_silicon_axes(schema.axes);
  append_silicon_metrics(schema.metrics, "the processor");
  schema.tables = make_tables();
  return schema;
}

MachineReader::MachineReader(const Schema& schema)
    : cpu_(schema, cpu),
      dispatch_(axis_at(schema, "hardware.executor.dispatch")),
      clock_(axis_at(schema, "hardware.executor.clock")),
      power_(axis_at(schema, "hardware.power")),
      startup_(axis_at(schema, "hardware.eigen.startup_cycles")),
      thread_(axis_at(schema, "hardware.eigen.thread_cycles")),
      byte_(axis_at(schema, "hardware.eigen.byte_cycles")),
      switch_(axis_at(schema, "hardware.os.context_switch")) {}

Machine MachineReader::operator()(const Point& point) const {
  return {cpu_(point),           {point.real(startup_), point.real(thread_), point.real(byte_)},
          point.real(dispatch_), point.real(clock_),
          point.real(switch_),   point.text(waiting) == "spin",
          point.real(power_)};
}

}  // namespace pimsweep::systems::rtconc
