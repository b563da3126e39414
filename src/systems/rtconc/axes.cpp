#include "systems/rtconc/axes.h"

#include <array>

#include "systems/devices/silicon_axes.h"
#include "systems/rtconc/policies.h"
#include "systems/rtconc/regression/models.h"
#include "systems/timeline.h"

namespace pimsweep::systems::rtconc {

namespace {

constexpr std::array sharing_words{Word{"both", Sharing::both}, Word{"without", Sharing::without},
                                   Word{"with", Sharing::with}};
constexpr std::array resized_words{Word{"mkl", false}, Word{"all", true}};
constexpr std::array longest_words{Word{"starts", false}, Word{"waits", true}};
constexpr std::array waiting_words{Word{"sleep", false}, Word{"spin", true}};

std::vector<Word<Predictor>> predictor_words() {
  std::vector<Word<Predictor>> words{{"hill-climbing", {Predictor::Method::hill_climbing}},
                                     {"exact", {Predictor::Method::exact}}};
  for (const regression::Method& method : regression::methods) {
    words.push_back({method.name, {Predictor::Method::regression, method.make}});
  }
  return words;
}

void add_point_axes(AxisList& axes, Settings& s, const std::vector<std::string>& models) {
  axes.text(s.model.name, "model", "training step of configs/training, or model of configs/models, trained plainly", {},
            models)
      .kind(AxisKind::model)
      .count(s.model.batch, "batch", 0, 1 << 16, "samples (images or sequences) of a step; 0: the step's own batch", 0)
      .count(s.model.size.image_px, "image_px", 0, 16384,
             "side of the square input images in pixels; 0: the size of the step's model", 0)
      .kind(AxisKind::image_size)
      .count(s.model.size.tokens, "tokens", 0, 16384,
             "sequence length of a language model; 0: that of the step's model", 0)
      .kind(AxisKind::tokens)
      .policy(s.policy, policies, "scheduler that chooses start and number of threads of each operation")
      .count(s.inter, "inter", 1, 4096, "operations at a time (policy uniform)", 1)
      .count(s.intra, "intra", 0, 4096, "threads of each operation (policy uniform); 0: one for each core", 0)
      .choice(s.predictor, "performance_model", predictor_words(),
              "source of predicted times: hill climbing, a regression model, or the true times", s.predictor)
      .count(s.interval, "interval", 1, 1024, "hill climbing: additional threads from one measurement to the next", 4)
      .choice(s.sharing, "sharing", sharing_words,
              "hill climbing: measurements with threads that share a tile, with a tile each, or both", Sharing::both)
      .quantity(s.time_noise, "time_noise", "1", 0, 1,
                "hill climbing: standard deviation of a measured time, relative to the time", 0.0)
      .count(s.samples, "samples", 1, 64, "regression: cases in which counters are read", 4)
      .quantity(s.counter_interval, "counter_interval", "s", 0, 1,
                "regression: time between two interrupts that sample a counter; 0: counters are exact", 1e-3)
      .choice(s.resizes_all, "resized", resized_words,
              "operations whose threads the strategies choose: all, or those of MKL and MKL-DNN", false)
      .choice(s.longest_waits, "longest", longest_words,
              "start of the longest operation if none fits the idle cores (Strategy 3): at once, or on idle cores only",
              false)
      .choice(s.machine.spins, "waiting", waiting_words,
              "OpenMP threads between two operations: asleep (KMP_BLOCKTIME 0) or spinning (OpenMP's default)", false)
      .text(s.machine.framework.profile, "profile",
            "measured seconds of a type's operations in a step with policy recommended, such as Tile=0.107; others as "
            "modeled",
            "")
      .quantity(s.avoided_slowdown, "avoided_slowdown", "1", 0, 100,
                "slowdown above which two types of operations do not run at the same time in the next step; 0: never",
                0.0)
      .flag(
          s.record_timeline, std::string(record_timeline_axis),
          "recording of all operations (table schedule), and of the events in the middle of the step (table timeline)",
          false)
      .count(s.seed, "seed", 0, 1e9, "seed of measurement noise and of random choices of regression models", 1)
      .choice(s.model.inference, "task", workload::training::task_words,
              "whole training step, or forward operations alone", false)
      .kind(AxisKind::task);
}

}  // namespace

AxisTable<Settings> make_axes(const std::vector<std::string>& models) {
  AxisTable<Settings> axes;
  Settings& s = axes.layout();
  Machine& machine = s.machine;
  add_point_axes(axes, s, models);
  devices::add_cpu_axes(axes, "cpu.", machine.processor);
  axes.quantity(machine.dispatch, "hardware.executor.dispatch", "s", 0, 1,
                "time that the executor takes for each operation")
      .quantity(machine.clock, "hardware.executor.clock", "s", 0, 1, "resolution of the executor's clock")
      .quantity(machine.power, "hardware.power", "W", 0, 1e6, "power of the processor under any load")
      .quantity(machine.framework.eigen.startup_cycles, "hardware.eigen.startup_cycles", "cycle", 0, 1e12,
                "cycles of work up to which Eigen runs one thread")
      .quantity(machine.framework.eigen.thread_cycles, "hardware.eigen.thread_cycles", "cycle", 1, 1e12,
                "cycles of work for each further thread of Eigen")
      .quantity(machine.framework.eigen.byte_cycles, "hardware.eigen.byte_cycles", "cycle/B", 0, 1e6,
                "cycles that Eigen estimates for a byte")
      .quantity(machine.framework.wake, "hardware.threads.wake", "s", 0, 1, "time to wake a thread that sleeps")
      .quantity(machine.framework.serial_byte, "hardware.operations.serial", "s/B", 0, 1,
                "time of an operation on one thread, per byte, in addition to the part that its threads share")
      .quantity(machine.context_switch, "hardware.os.context_switch", "s", 0, 1,
                "time of the operating system to change from one thread to another");
  devices::add_silicon_axes(axes, s.silicon);
  return axes;
}

}  // namespace pimsweep::systems::rtconc
