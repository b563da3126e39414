#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/value.h"

namespace pimsweep::laws {

/// A resource of a machine: an axis of which more (a bandwidth) or less (a latency) makes a better machine.
struct Resource {
  std::string axis;
  bool more = true;
  /// True if no better machine is slower; otherwise the docs of the system name the worst case.
  bool law = true;
  /// Only powers of two are possible.
  bool doubles = false;
};

/// An axis that is sampled for each machine: one of these values, or a whole number between both ends, log-uniformly.
struct Drawn {
  std::string axis;
  std::vector<Value> values;
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// A system, or one of its policies, on random machines around a hardware file.
struct Subject {
  std::string name;
  std::string system;
  /// Empty for a system without constants of hardware.
  std::string hardware;
  std::vector<Drawn> workload;
  std::vector<Resource> resources;
  /// The metric that a better machine must not lengthen.
  std::string time = "time";
  /// A machine has at most this many times more or less of a resource than the hardware file.
  double spread = 8;
  /// Pairs for each resource in the tests; a search has ten times as many.
  int pairs = 30;
};

std::vector<Value> words(std::initializer_list<const char*> all);

/// Parts of machines.
std::vector<Subject> gpu_subjects();
std::vector<Subject> memory_and_network_subjects();
std::vector<Subject> processor_subjects();

/// Machines with their policies.
Subject allspark(const std::string& policy, const char* rates);
Subject hypar(const std::string& policy, const char* objective);
Subject pimflow(const std::string& policy, const char* controller);
Subject heteropim(const std::string& policy);
Subject rtconc(const std::string& policy);
std::vector<Subject> machine_subjects();

}  // namespace pimsweep::laws
