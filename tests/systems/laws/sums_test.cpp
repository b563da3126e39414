#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "systems/laws/machines.h"
#include "systems/roofline.h"

using namespace pimsweep::laws;
using pimsweep::to_real;
using pimsweep::Value;

namespace {

/// A metric that is the sum of others.
struct Sum {
  Subject subject;
  std::string total;
  std::vector<std::string> parts;
};

/// Runs `check(machine, metric)` on machines that can run their workload.
template <typename Check>
void on_machines(const Subject& subject, int count, const Check& check) {
  Machines machines(subject, 3);
  int ran = 0;
  for (int i = 0; i < 8 * count && ran < count; ++i) {
    const Machines::Overrides machine = machines.draw();
    const auto record = machines.run(machine);
    if (!record) continue;
    ++ran;
    check(machine, [&](const std::string& name) { return machines.points().metric(*record, name); });
  }
  INFO(subject.name);
  CHECK(ran == count);
}

double value(const Machines::Overrides& machine, const char* axis) { return to_real(machine.at(axis)); }

constexpr double rounding = 1e-9;

using Records = std::pair<std::optional<pimsweep::systems::Record>, std::optional<pimsweep::systems::Record>>;

/// A random machine with one batch and with another one of twice the size.
Records batches(Machines& machines, std::int64_t batch) {
  Machines::Overrides machine = machines.draw();
  machine["batch"] = Value{batch};
  auto once = machines.run(machine);
  machine["batch"] = Value{2 * batch};
  return {std::move(once), machines.run(machine)};
}

Subject named(const std::vector<Subject>& subjects, const std::string& name) {
  return *std::ranges::find(subjects, name, &Subject::name);
}

}  // namespace

TEST_CASE("energies are the sum of their parts on every machine", "[laws]") {
  const std::vector<Sum> sums{
      {named(gpu_subjects(), "kernel, conv on V100"),
       "energy",
       {"idle_energy", "math_energy", "cache_energy", "memory_energy"}},
      {named(memory_and_network_subjects(), "dram, analytic"),
       "energy",
       {"energy_activate", "energy_read", "energy_write", "energy_refresh", "energy_background", "energy_data"}},
      {hypar("hypar", "bytes"),
       "energy",
       {"arithmetic_energy", "sram_energy", "dram_energy", "exchange_energy", "link_energy"}},
      {pimflow("pimflow", "artifact"), "energy", {"gpu_static_energy", "gpu_dynamic_energy", "pim_energy"}},
      {heteropim("hetero-pim"),
       "dynamic_energy",
       {"host_energy", "programmable_energy", "pair_energy", "memory_energy", "gpu_energy"}},
      {heteropim("gpu"),
       "dynamic_energy",
       {"host_energy", "programmable_energy", "pair_energy", "memory_energy", "gpu_energy"}}};
  for (const Sum& sum : sums) {
    on_machines(sum.subject, 20, [&](const Machines::Overrides&, const auto& metric) {
      double parts = 0;
      for (const std::string& part : sum.parts) {
        CHECK(metric(part) >= 0);
        parts += metric(part);
      }
      INFO(sum.subject.name);
      CHECK(metric(sum.total) == Approx(parts).epsilon(rounding));
    });
  }
}

TEST_CASE("nothing beats the roofline of its machine", "[laws]") {
  for (const char* name : {"kernel, conv on V100", "kernel, gemm on V100"}) {
    on_machines(named(gpu_subjects(), name), 100, [&](const auto& machine, const auto& metric) {
      CHECK(metric("time") >= metric("memory_bytes") / value(machine, "hardware.memory.bandwidth"));
      CHECK(metric("energy") >= metric("memory_energy"));
    });
  }
  for (const char* name : {"newton, artifact", "newton, paper"}) {
    on_machines(named(memory_and_network_subjects(), name), 100, [&](const auto& machine, const auto& metric) {
      const double units = value(machine, "hardware.newton.banks") * value(machine, "hardware.newton.lanes") *
                           value(machine, "channels");
      const double cycle = std::max(1.0, value(machine, "hardware.timing.nCCD")) / value(machine, "hardware.clock");
      CHECK(metric("time") * (1 + rounding) >= metric("macs") / units * cycle);
    });
  }
  on_machines(named(processor_subjects(), "gemm, mapped"), 100, [&](const auto& machine, const auto& metric) {
    const double units = value(machine, "array_rows") * value(machine, "array_cols");
    CHECK(metric("cycles") >= metric("macs") / units);
    CHECK(metric("cycles") >= metric("dram_words") / value(machine, "dram_words_per_cycle"));
  });
  for (const char* policy : {"branch", "allspark"}) {
    on_machines(allspark(policy, "sustained"), 30, [&](const auto& machine, const auto& metric) {
      const double units = value(machine, "hardware.node_array.rows") * value(machine, "hardware.node_array.cols") *
                           value(machine, "hardware.pe_array.rows") * value(machine, "hardware.pe_array.cols");
      const double macs = metric("macs") * value(machine, "batch");
      CHECK(metric("time") >= macs / units / value(machine, "hardware.clock"));
    });
  }
}

TEST_CASE("an optimal policy is never behind another one on the same machine", "[laws]") {
  const auto compare = [](const Subject& optimal, const std::vector<std::string>& others, int count) {
    Machines machines(optimal, 5);
    int compared = 0;
    for (int i = 0; i < count; ++i) {
      Machines::Overrides machine = machines.draw();
      // Newton+ has other commands unless all have the same.
      if (optimal.system == "pimflow") machine["command_optimizations"] = Value{std::string("both")};
      const auto best = machines.run(machine);
      for (const std::string& other : others) {
        machine["policy"] = Value{other};
        const auto record = machines.run(machine);
        if (!record) continue;
        // A policy that fits only because it spreads weights is none of the optimum's schedules, and says so.
        if (optimal.system == "allspark" && !machines.points().text(*record, "caveat").empty()) continue;
        INFO(optimal.name << " and " << other);
        REQUIRE(best);
        CHECK(machines.points().metric(*best, "time") <= machines.points().metric(*record, "time") * (1 + rounding));
        ++compared;
      }
    }
    INFO(optimal.name);
    CHECK(compared > count);
  };
  compare(allspark("allspark", "sustained"), {"branch", "patch", "head"}, 60);
  compare(allspark("allspark", "peak"), {"branch", "patch", "head"}, 60);
  compare(hypar("hypar-optimal", "time"), {"data", "model", "trick", "hypar"}, 60);
  compare(pimflow("pimflow-optimal", "artifact"), {"newton+", "newton++", "pimflow-md", "pimflow-pl", "pimflow"}, 20);
  compare(pimflow("pimflow-optimal", "paper"), {"newton+", "newton++", "pimflow-md", "pimflow-pl", "pimflow"}, 5);
}

TEST_CASE("PIMFlow's plans are never behind the GPU with the same memory channels", "[laws]") {
  for (const char* policy : {"newton++", "pimflow-optimal"}) {
    const Subject subject = pimflow(policy, "artifact");
    Machines machines(subject, 7);
    for (int i = 0; i < 20; ++i) {
      const auto record = machines.run(machines.draw());
      REQUIRE(record);
      double gpu_alone = 0;
      for (const Value& time : machines.points().column(*record, "by_layer", "gpu_time")) gpu_alone += to_real(time);
      CHECK(machines.points().metric(*record, "time") <= gpu_alone * (1 + rounding));
    }
  }
}

TEST_CASE("two batches together take no longer than one after the other", "[laws]") {
  for (const Subject& subject : {named(gpu_subjects(), "gpu, launches exposed"),
                                 named(gpu_subjects(), "gpu, launches queued"), allspark("allspark", "peak")}) {
    Machines machines(subject, 9);
    for (int i = 0; i < 40; ++i) {
      const auto [one, two] = batches(machines, std::int64_t{1} << (i % 3));
      if (!one || !two) continue;
      INFO(subject.name);
      const double ratio = machines.points().metric(*two, "time") / machines.points().metric(*one, "time");
      CHECK(ratio >= 1 - rounding);
      CHECK(ratio <= 2 + rounding);
    }
  }
}

TEST_CASE("HyPar's computation is linear in the batch, and so are the bytes of model parallelism", "[laws]") {
  for (const char* policy : {"data", "model"}) {
    Subject subject = hypar(policy, "bytes");
    // If DRAM is not a limit: weights are read once for any batch. Parts of the batch are whole images.
    subject.workload.push_back({"hardware.dram.bandwidth", {Value{1e17}}});
    subject.workload.push_back({"task", words({"training"})});
    subject.workload.push_back({"compute_model", words({"throughput"})});
    Machines machines(subject, 11);
    for (int i = 0; i < 40; ++i) {
      const auto [one, two] = batches(machines, 64);
      REQUIRE(one);
      REQUIRE(two);
      const auto ratio = [&, &first = *one, &second = *two](const char* metric) {
        return machines.points().metric(second, metric) / machines.points().metric(first, metric);
      };
      INFO(policy);
      CHECK(ratio("compute_time") == Approx(2).epsilon(rounding));
      // Gradients of weights are as many for any batch.
      CHECK(ratio("communication") == Approx(std::string(policy) == "data" ? 1 : 2).epsilon(rounding));
    }
  }
}

TEST_CASE("no part of a machine exceeds the peaks of its roofline", "[laws]") {
  std::vector<Subject> subjects = machine_subjects();
  for (const std::vector<Subject>& more : {gpu_subjects(), memory_and_network_subjects(), processor_subjects()})
    subjects.insert(subjects.end(), more.begin(), more.end());
  for (const Subject& subject : subjects) {
    Machines machines(subject, 5);
    const auto system = pimsweep::systems::make_system(subject.system, {"configs"});
    auto* places = dynamic_cast<pimsweep::systems::HasRoofline*>(system.get());
    for (int i = 0; i < 2 && places != nullptr; ++i) {
      const Machines::Overrides machine = machines.draw();
      const auto record = machines.run(machine);
      if (!record) continue;
      const std::vector<Value> values = machines.points().values(machine);
      pimsweep::systems::Point point(values.size());
      for (std::size_t axis = 0; axis < values.size(); ++axis) point.set(axis, &values[axis]);
      const pimsweep::systems::Roofline roofline = places->roofline(point, *record);
      CHECK(roofline.parts.empty() != roofline.reason.empty());
      for (const pimsweep::systems::RooflinePart& part : roofline.parts) {
        INFO(subject.name << ", " << part.name);
        CHECK_FALSE(part.operations / part.time > part.peak_rate * (1 + rounding));
        CHECK_FALSE(part.memory_bytes / part.time > part.memory_bandwidth * (1 + rounding));
      }
    }
  }
}
