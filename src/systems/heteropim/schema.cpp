#include "systems/heteropim/schema.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "systems/axes.h"
#include "systems/policy_list.h"
#include "systems/silicon_axes.h"

namespace pimsweep::systems::heteropim {

namespace {

constexpr std::string_view kGpu = "gpu.";
constexpr std::string_view none = "none";

/// A constant of the machine: its key, unit and range, and where it goes.
struct Constant {
  std::string_view key;
  std::string_view unit;
  double min;
  double max;
  double& (*in)(Machine&);
  std::string_view doc;
  ValueType type = ValueType::real;
};

using M = Machine;
constexpr double tiny = 1e-30;

constexpr std::array constants{
    Constant{"host.cores", "1", 1, 4096, [](M& m) -> double& { return m.host.cores; }, "cores of the host",
             ValueType::integer},
    Constant{"host.clock", "Hz", 1e6, 1e11, [](M& m) -> double& { return m.host.clock; }, "their clock"},
    Constant{"host.rate", "1", 1, 1e6, [](M& m) -> double& { return m.host.rate; },
             "multiplications and additions of a core in a cycle"},
    Constant{"host.other_rate", "1", 1e-3, 1e6, [](M& m) -> double& { return m.host.other_rate; },
             "comparisons, divisions, roots, exponentials of a core in a cycle"},
    Constant{"host.efficiency", "1", 0.01, 1, [](M& m) -> double& { return m.host.efficiency; },
             "share of the peak that matrix products and convolutions reach"},
    Constant{"host.near_cache", "B", 1024, 1e12, [](M& m) -> double& { return m.host.near_cache; },
             "second-level cache of a core"},
    Constant{"host.last_cache", "B", 1024, 1e12, [](M& m) -> double& { return m.host.last_cache; },
             "third-level cache of all cores"},
    Constant{"host.last_cache_bandwidth", "B/s", 1e6, 1e16, [](M& m) -> double& { return m.host.last_cache_bandwidth; },
             "what it delivers"},
    Constant{"host.memory_bandwidth", "B/s", 1e6, 1e16, [](M& m) -> double& { return m.host.memory_bandwidth; },
             "main memory of the machines without a stack"},
    Constant{"host.memory_efficiency", "1", 0.01, 1, [](M& m) -> double& { return m.host.memory_efficiency; },
             "share of the bandwidth of main memory or link that is reached"},
    Constant{"host.dispatch", "s", 0, 1, [](M& m) -> double& { return m.host.dispatch; },
             "until the framework has started an operation"},
    Constant{"host.idle_power", "W", 0, 1e5, [](M& m) -> double& { return m.host.idle_power; }, "idle host"},
    Constant{"host.busy_power", "W", 0, 1e5, [](M& m) -> double& { return m.host.busy_power; },
             "what computing adds to it"},
    Constant{"host.memory_energy", "J/B", 0, 1, [](M& m) -> double& { return m.host.memory_energy; },
             "of a byte of main memory"},
    Constant{"pim.throughput", "1", 1e-3, 1e6, [](M& m) -> double& { return m.throughput; },
             "factor of what pairs, programmable PIMs and the stack's inside do in a cycle: 1 as built"},
    Constant{"pim.stack.banks_across", "1", 1, 1024, [](M& m) -> double& { return m.stack.banks_across; },
             "banks in a row of the logic die", ValueType::integer},
    Constant{"pim.stack.banks_along", "1", 1, 1024, [](M& m) -> double& { return m.stack.banks_along; },
             "rows of banks", ValueType::integer},
    Constant{"pim.stack.edge_bonus", "1", 0, 100, [](M& m) -> double& { return m.stack.edge_bonus; },
             "units that a bank at the edge has more than one in the middle, as a share"},
    Constant{"pim.stack.bandwidth", "B/s", 1e6, 1e16, [](M& m) -> double& { return m.stack.bandwidth; },
             "between cells and logic die at 1x"},
    Constant{"pim.stack.link_bandwidth", "B/s", 1e6, 1e16, [](M& m) -> double& { return m.stack.link_bandwidth; },
             "between stack and host"},
    Constant{"pim.stack.background_power", "W", 0, 1e5, [](M& m) -> double& { return m.stack.background_power; },
             "links and refresh"},
    Constant{"pim.stack.inner_energy", "J/B", 0, 1, [](M& m) -> double& { return m.stack.inner_energy; },
             "of a byte between cells and logic die"},
    Constant{"pim.stack.outer_energy", "J/B", 0, 1, [](M& m) -> double& { return m.stack.outer_energy; },
             "of a byte between cells and host"},
    Constant{"pim.pair.clock", "Hz", 1e6, 1e11, [](M& m) -> double& { return m.pairs.clock; },
             "of the fixed-function units at 1x"},
    Constant{"pim.pair.energy", "J", 0, 1, [](M& m) -> double& { return m.pairs.energy; },
             "of a multiplication and an addition"},
    Constant{"pim.programmable.cores", "1", 1, 4096, [](M& m) -> double& { return m.programmable.cores; },
             "cores of a programmable PIM", ValueType::integer},
    Constant{"pim.programmable.clock", "Hz", 1e6, 1e11, [](M& m) -> double& { return m.programmable.clock; },
             "their clock at 1x"},
    Constant{"pim.programmable.rate", "1", 1e-3, 1e6, [](M& m) -> double& { return m.programmable.rate; },
             "multiplications and additions of a core in a cycle"},
    Constant{"pim.programmable.other_rate", "1", 1e-3, 1e6, [](M& m) -> double& { return m.programmable.other_rate; },
             "anything else of a core in a cycle"},
    Constant{"pim.programmable.efficiency", "1", 0.01, 1, [](M& m) -> double& { return m.programmable.efficiency; },
             "share of the peak that matrix products and convolutions reach"},
    Constant{"pim.programmable.bandwidth", "B/s", 1e6, 1e16, [](M& m) -> double& { return m.programmable.bandwidth; },
             "what one takes from the stack at 1x"},
    Constant{"pim.programmable.busy_power", "W", 0, 1e5, [](M& m) -> double& { return m.programmable.busy_power; },
             "of one that works, at 1x"},
    Constant{"pim.area.available", "m^2", tiny, 1, [](M& m) -> double& { return m.area.available; },
             "of the logic die, for PIM"},
    Constant{"pim.area.programmable", "m^2", tiny, 1, [](M& m) -> double& { return m.area.programmable; },
             "of a programmable PIM"},
    Constant{"pim.area.pair", "m^2", tiny, 1, [](M& m) -> double& { return m.area.pair; },
             "of a pair with its buffers"},
    Constant{"pim.synchronisation.launch", "s", 0, 1, [](M& m) -> double& { return m.synchronisation.launch; },
             "kernel on PIM: from the host's call to its begin, and from its end to the host"},
    Constant{"pim.synchronisation.recursive_call", "s", 0, 1,
             [](M& m) -> double& { return m.synchronisation.recursive_call; },
             "the same between programmable PIM and pairs"},
    Constant{"pim.synchronisation.query", "s", 0, 1, [](M& m) -> double& { return m.synchronisation.query; },
             "reading the idle registers before a launch"},
    Constant{"pim.synchronisation.interrupt", "s", 0, 1, [](M& m) -> double& { return m.synchronisation.interrupt; },
             "instead, without these registers"},
    Constant{"copy.bandwidth", "B/s", 1e6, 1e16, [](M& m) -> double& { return m.gpu.copy_bandwidth; },
             "between host and graphics card, each way"},
    Constant{"copy.card_memory", "B", 1e6, 1e15, [](M& m) -> double& { return m.gpu.memory; }, "of the graphics card"},
    Constant{"neurocube.macs", "1", 1, 1e9, [](M& m) -> double& { return m.neurocube.macs; },
             "multiply-accumulate units of Neurocube", ValueType::integer},
    Constant{"neurocube.clock", "Hz", 1e6, 1e11, [](M& m) -> double& { return m.neurocube.clock; }, "their clock"},
    Constant{"neurocube.efficiency", "1", 0.01, 1, [](M& m) -> double& { return m.neurocube.efficiency; },
             "share of the peak that is reached"},
    Constant{"neurocube.busy_power", "W", 0, 1e5, [](M& m) -> double& { return m.neurocube.busy_power; },
             "of its logic at work"},
};

Value text(std::string_view value) { return Value{std::string(value)}; }
Value whole(std::int64_t value) { return Value{value}; }

std::vector<Axis> make_axes(const std::vector<std::string>& steps, const std::vector<std::string>& models) {
  std::vector<std::string> workloads = steps;
  workloads.insert(workloads.end(), models.begin(), models.end());
  std::vector<std::string> partners{std::string(none)};
  partners.insert(partners.end(), workloads.begin(), workloads.end());
  std::vector<Axis> axes{
      text_axis("workload", std::nullopt, workloads,
                "training step, one of configs/training, or a model of configs/models, trained plainly"),
      text_axis("task", text("training"), {"training", "inference"},
                "a step of training, or its forward operations alone"),
      text_axis("policy", std::nullopt, policy_names(runtime::policies()), "machine and scheduler"),
      text_axis("partner", text(none), partners,
                "second training step that runs beside it on host and programmable PIM (policies that schedule)"),
      count_axis("batch", whole(0), 0, 1 << 16, "images or sequences; 0: the step's own"),
      count_axis("steps", whole(4), 1, 64, "steps that are run; times are those of the last all but one"),
      Axis{"frequency", ValueType::real, "1", Value{1.0}, 0.01, 100.0, {}, "factor of all clocks of PIM and stack"},
      count_axis("programmable", whole(1), 1, 64,
                 "programmable PIMs; the rest of the logic die's area is for pairs (prog-pim: has no pairs)"),
      flag_axis("rc", true, "recursive kernels: phases of an operation run on the programmable PIM, not on the host"),
      flag_axis("op", true, "operation pipeline: operations, also of the next step, share the pairs"),
      flag_axis("idle_registers", true, "registers tell the runtime which PIMs are idle"),
      text_axis("fallback", text("earlier"), {"never", "earlier", "always"},
                "a candidate whose PIM is busy goes to an idle host: never, if it ends earlier there, or always"),
      Axis{"candidate_share",
           ValueType::real,
           "1",
           Value{0.9},
           0.0,
           1.0,
           {},
           "share of the profiled time that the candidates make up (x)"},
      text_axis("operands", text("stack"), {"stack", "bank"},
                "pairs fetch them from any bank over the logic die's network, or from the bank that they stand on"),
      flag_axis("record_timeline", false, "fill the table 'timeline'"),
  };
  for (const Constant& constant : constants) {
    axes.push_back(quantity_axis(fmt::format("hardware.{}", constant.key), std::string(constant.unit), constant.min,
                                 constant.max, std::string(constant.doc)));
    axes.back().type = constant.type;
  }
  append_gpu_axes(axes, kGpu);
  return axes;
}

std::vector<Metric> make_metrics() {
  return {
      {"time", "s", "time of a step: operation_time, movement_time and synchronisation_time"},
      {"operation_time", "s", "in which some unit computes"},
      {"movement_time", "s", "in which none does, but data move between host and memory, or host and card"},
      {"synchronisation_time", "s", "neither: launches and waiting"},
      {"overhead_time", "s", "movement_time and synchronisation_time"},
      {"time_per_image", "s", "time by batch"},
      {"energy_per_image", "J", "energy by batch"},
      {"energy", "J", "of a step: idle and dynamic energy of host, memory, PIM or card"},
      {"dynamic_energy", "J", "what work adds to the idle machine"},
      {"host_energy", "J", "its part: host"},
      {"programmable_energy", "J", "its part: programmable PIM, or Neurocube's logic"},
      {"pair_energy", "J", "its part: pairs"},
      {"memory_energy", "J", "its part: main memory or stack"},
      {"gpu_energy", "J", "its part: graphics card"},
      {"power", "W", "energy by time"},
      {"dynamic_power", "W", "dynamic_energy by time"},
      {"edp", "J*s", "energy-delay product: dynamic_energy times time"},
      {"pairs", "1", "pairs on the die"},
      {"pair_utilisation", "1", "share of pairs x time that works, over all steps"},
      {"host_utilisation", "1", "share of the time in which the host works on operations"},
      {"programmable_utilisation", "1", "the same of the programmable PIMs (of the card, of Neurocube)"},
      {"card_utilisation", "1",
       "policy gpu: share of the time in which a kernel runs, launches and exposed copies not"},
      {"launches", "1", "launches on PIM in a step"},
      {"profile_time", "s", "time of the first step, which profiles every operation on the host"},
      {"program_share", "1",
       "share of profile_time in operations that are not multiplications and additions alone: recursive or "
       "programmable"},
      {"candidate_types", "1", "types of operations that are candidates"},
      {"candidate_time", "s", "what these take of profile_time"},
      {"critical_path", "s",
       "policies that schedule: longest way through the step, each operation on its fastest device"},
      {"work_bound", "s", "policies that schedule: no schedule of many steps takes less for each"},
      {"operations", "1", "operations of a step that do something"},
      {"work", "1", "multiplications and additions of a step"},
      {"parameters", "1", "trained variables' elements"},
      {"rate", "1/s", "work by time"},
      {"card_footprint", "B", "policy gpu: most memory that the step has in use"},
      {"partner_steps", "1", "with a partner: its steps beside one step"},
      {"partner_time", "s", "its step alone"},
      {"together_time", "s", "all steps of both, together"},
      {"one_by_one_time", "s", "all steps of both, one workload after the other"},
      {"corun_speedup", "1", "one_by_one_time by together_time"},
  };
}

std::vector<Table> make_tables() {
  const ValueType integer = ValueType::integer;
  const ValueType text = ValueType::text;
  return {
      {"by_type",
       "the profile on the host: one row for each type of operation, in the order in which candidates are chosen",
       {
           {"type", "1", "name in TensorFlow", text},
           {"invocations", "1", "operations of this type", integer},
           {"time_share", "1", "of the step's time on the host"},
           {"memory_share", "1", "of the bytes between host and memory"},
           {"time_rank", "1", "place in the list by time", integer},
           {"memory_rank", "1", "place in the list by memory accesses", integer},
           {"candidate", "1", "1 if it is offered to PIM", integer},
       }},
      {"timeline",
       "if asked for: one row for each stretch in which a part of an operation has the same units",
       {
           {"step", "1", "number of the step", integer},
           {"operation", "1", "name in the training graph", text},
           {"type", "1", "its type", text},
           {"device", "1", "what it runs on", text},
           {"units", "1", "pairs that it has; 1 on other devices", integer},
           {"begin", "s", "since the first step's begin"},
           {"end", "s", "the same"},
       }},
      {"banks",
       "policies with pairs: one row for each bank of the stack",
       {
           {"bank", "1", "row by row", integer},
           {"at_edge", "1", "1 at edges and corners", integer},
           {"pairs", "1", "pairs of this bank", integer},
       }},
      {"convolutions",
       "policy gpu: one row for each convolution and each gradient of one, named as the columns of the measured sheets",
       {
           {"W", "1", "width of the input", integer},
           {"H", "1", "its height", integer},
           {"C", "1", "its channels", integer},
           {"N", "1", "images", integer},
           {"K", "1", "filters", integer},
           {"filter_h", "1", "height of a filter", integer},
           {"filter_w", "1", "its width", integer},
           {"stride_h", "1", "downwards", integer},
           {"stride_w", "1", "sideways", integer},
           {"pass", "1", "forward, backward_inputs or backward_weights", text},
           {"work", "1", "multiplications and additions, by the definition of a convolution"},
           {"kernel_time", "s", "on the card, with its launch"},
       }},
  };
}

runtime::Fallback fallback_named(const std::string& name) {
  if (name == "never") return runtime::Fallback::never;
  return name == "always" ? runtime::Fallback::always : runtime::Fallback::earlier;
}

}  // namespace

Schema make_schema(const std::vector<std::string>& steps, const std::vector<std::string>& models) {
  Schema schema;
  schema.name = "heteropim";
  schema.doc = "Hetero-PIM: training on host, programmable and fixed-function PIM, operation by operation";
  schema.version = 1;
  schema.axes = make_axes(steps, models);
  schema.metrics = make_metrics();
  append_silicon_axes(schema.axes);
  append_silicon_metrics(schema.metrics,
                         "host processor, and with PIM the logic die's share for it, not the memory; missing for "
                         "policies gpu and neurocube");
  schema.tables = make_tables();
  return schema;
}

PointReader::PointReader(const Schema& schema) : card_(schema, kGpu) {
  const auto at = [&](std::string_view name) { return axis_at(schema, name); };
  workload_ = at("workload");
  task_ = at("task");
  partner_ = at("partner");
  batch_ = at("batch");
  policy_ = at("policy");
  steps_ = at("steps");
  frequency_ = at("frequency");
  programmable_ = at("programmable");
  rc_ = at("rc");
  op_ = at("op");
  registers_ = at("idle_registers");
  fallback_ = at("fallback");
  share_ = at("candidate_share");
  operands_ = at("operands");
  timeline_ = at("record_timeline");
  for (const Constant& constant : constants) constants_.push_back(at(fmt::format("hardware.{}", constant.key)));
}

std::string PointReader::workload(const Point& point) const {
  return workload::training::step_name(point.text(workload_), point.text(task_) == "inference");
}

std::string PointReader::partner(const Point& point) const {
  const std::string& name = point.text(partner_);
  return name == none ? std::string() : name;
}

Settings PointReader::settings(const Point& point) const {
  Settings settings;
  settings.policy = &runtime::policy_named(point.text(policy_));
  settings.machine.gpu.device = card_(point);
  for (std::size_t i = 0; i < constants.size(); ++i) {
    constants[i].in(settings.machine) = point.real(constants_[i]);
  }
  settings.workload = workload(point);
  settings.partner = partner(point);
  if (!settings.partner.empty() && !settings.policy->schedules()) {
    throw PointError(
        fmt::format("policy '{}' runs one operation at a time: it has no place for a partner", settings.policy->name));
  }
  settings.batch = point.integer(batch_);
  settings.steps = static_cast<std::uint32_t>(point.integer(steps_));
  settings.frequency = point.real(frequency_);
  settings.programmable = static_cast<std::uint32_t>(point.integer(programmable_));
  settings.recursive_kernels = point.boolean(rc_);
  settings.operation_pipeline = point.boolean(op_);
  settings.idle_registers = point.boolean(registers_);
  settings.fallback = fallback_named(point.text(fallback_));
  settings.candidate_share = point.real(share_);
  settings.operands = point.text(operands_) == "bank" ? Operands::bank : Operands::stack;
  settings.timeline = point.boolean(timeline_);
  return settings;
}

}  // namespace pimsweep::systems::heteropim
