#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "systems/heteropim/runtime/task_graph.h"

namespace pimsweep::systems::heteropim::runtime {

/// The machine that a policy runs on, and how it decides (Hetero-PIM, Sec. VI).
struct Policy {
  enum class Kind : std::uint8_t { cpu, gpu, prog_pim, fixed_pim, hetero_pim, neurocube, lookahead };
  Kind kind;
  std::string_view name;
  std::string_view doc;

  /// Whether the runtime schedules operations; else they run one by one.
  bool schedules() const { return kind == Kind::hetero_pim || kind == Kind::lookahead; }
  bool has_pairs() const { return schedules() || kind == Kind::fixed_pim; }
};

const std::vector<Policy>& policies();
/// The schema admits no other name.
const Policy& policy_named(std::string_view name);

/// Tasks in their graph's order.
std::vector<std::uint32_t> program_order(const TaskGraph& graph);

/// Tasks by upward rank, the longest way to the end of the step first (Topcuoglu, Hariri, Wu: Performance-effective and
/// low-complexity task scheduling for heterogeneous computing, TPDS 2002, Eq. 5), each task counted with its fastest
/// device. A predecessor always stands before its successors.
std::vector<std::uint32_t> by_upward_rank(const TaskGraph& graph, std::uint32_t pairs);

/// Length of the longest way through the step, each task on its fastest device: no schedule of one step is shorter.
double critical_path(const TaskGraph& graph, std::uint32_t pairs);

/// No schedule of many steps takes less than this for each, on one host, so many pairs and programmable PIMs. Any
/// prices for the devices' time that add up to 1 give such a bound, the sum over the tasks of what each costs where it
/// is cheapest (duality of linear programming); of all prices about the best are taken, to within some tenths of a
/// percent.
double work_bound(const TaskGraph& graph, std::uint32_t pairs, std::uint32_t programmable);

}  // namespace pimsweep::systems::heteropim::runtime
