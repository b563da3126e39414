#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "systems/laws/machines.h"

using namespace pimsweep::laws;

namespace {

constexpr std::uint64_t seed = 1;

/// Every resource that is a law, on so many pairs for each that a subject names.
void check(const std::vector<Subject>& subjects) {
  for (const Subject& subject : subjects) {
    Machines machines(subject, seed);
    int compared = 0;
    for (const Resource& resource : subject.resources) {
      if (!resource.law) continue;
      const Tally tally = machines.compare(resource, subject.pairs);
      INFO(subject.name << ", " << resource.axis << ": " << tally.worst << " times as long " << tally.worst_pair);
      CHECK(tally.violations == 0);
      compared += tally.pairs;
    }
    const bool has_laws = std::ranges::any_of(subject.resources, &Resource::law);
    INFO(subject.name);
    CHECK(compared >= (has_laws ? subject.pairs / 3 : 0));
  }
}

/// One line for each subject, one below for each resource that breaks the law.
void print(const Subject& subject) {
  Machines machines(subject, seed + 1);
  Tally all;
  std::string broken;
  for (const Resource& resource : subject.resources) {
    const Tally tally = machines.compare(resource, 10 * subject.pairs);
    all.pairs += tally.pairs;
    all.violations += tally.violations;
    all.worst = std::max(all.worst, tally.worst);
    if (tally.violations == 0) continue;
    broken += fmt::format("  {}{}: {} of {}, {:.4g} times as long {}\n", resource.axis, resource.law ? " (LAW)" : "",
                          tally.violations, tally.pairs, tally.worst, tally.worst_pair);
  }
  fmt::print("{}: {} pairs, {} violations, worst {:.4g}\n{}", subject.name, all.pairs, all.violations, all.worst,
             broken);
}

/// Number of points where another policy is faster on the same machine, and its largest lead.
void print_order(const Subject& subject, const std::vector<std::string>& others, int count) {
  for (const std::string& other : others) {
    Machines machines(subject, seed + 2);
    Tally tally;
    for (int i = 0; i < count; ++i) {
      Machines::Overrides machine = machines.draw();
      const auto mine = machines.run(machine);
      machine["policy"] = pimsweep::Value{other};
      const auto theirs = machines.run(machine);
      if (!mine || !theirs) continue;
      const double ratio = machines.points().metric(*mine, "time") / machines.points().metric(*theirs, "time");
      ++tally.pairs;
      if (ratio > 1 + 1e-9) ++tally.violations;
      tally.worst = std::max(tally.worst, ratio);
    }
    fmt::print("{}, slower than {}: {} of {} machines, at worst {:.4g} times\n", subject.name, other, tally.violations,
               tally.pairs, tally.worst);
  }
}

}  // namespace

TEST_CASE("no better card is slower", "[laws]") { check(gpu_subjects()); }

TEST_CASE("no better memory or network is slower", "[laws]") { check(memory_and_network_subjects()); }

TEST_CASE("no better processor or array is slower", "[laws]") { check(processor_subjects()); }

TEST_CASE("no better machine is slower under policies that promise it", "[laws]") { check(machine_subjects()); }

// test_system_laws "[search]": ten times as many pairs, and heuristics too.
TEST_CASE("violations by system and policy", "[.][search]") {
  for (const auto& subjects :
       {gpu_subjects(), memory_and_network_subjects(), processor_subjects(), machine_subjects()}) {
    for (const Subject& subject : subjects) print(subject);
  }
}

// test_system_laws "[order]": heuristics beside the policies that they should beat.
TEST_CASE("heuristics that fall behind other policies", "[.][order]") {
  print_order(heteropim("lookahead"), {"cpu", "fixed-pim", "hetero-pim"}, 100);
  print_order(heteropim("hetero-pim"), {"cpu", "fixed-pim"}, 100);
  print_order(pimflow("pimflow-optimal", "artifact"), {"gpu", "newton+"}, 100);
  for (const char* policy : {"strategy-1", "strategy-123", "strategy-1234"}) {
    print_order(rtconc(policy), {"recommended", "manual"}, 20);
  }
}
