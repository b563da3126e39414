#include "systems/pimflow/schema.h"

#include <fmt/format.h>

#include "base/error.h"
#include "systems/axes.h"
#include "systems/policy_list.h"
#include "systems/silicon_axes.h"

namespace pimsweep::systems::pimflow {

namespace {

constexpr std::string_view kGpu = "gpu.";
constexpr std::string_view pim = "pim.";

Value text(std::string value) { return Value{std::move(value)}; }
Value whole(std::int64_t value) { return Value{value}; }

std::vector<Axis> make_axes(const std::vector<std::string>& models, const hardware::newton::PresetLibrary& presets) {
  std::vector<Axis> axes{
      text_axis("model", std::nullopt, models, "network, one of configs/models"),
      count_axis("image_px", whole(0), 0, 16384, "input size, or tokens of a language model; 0: the model's own"),
      count_axis("batch", whole(1), 1, 1 << 16, "images or sequences of an inference"),
      text_axis("policy", std::nullopt, policy_names(policies()), "who decides what runs on GPU and PIM"),
      count_axis("memory_channels", whole(16), 1, 65536,
                 "memory channels left to the GPU; the others are PIM's (policy gpu: it has all)"),
      text_axis("controller", text("artifact"), {"artifact", "paper"},
                "PIM's commands as the artifact issues them, or as its paper says (docs/newton.md)"),
      preset_axis(presets),
      text_axis("command_optimisations", text("policy"), {"policy", "none", "hiding", "buffers", "both"},
                "PIM's commands: as the policy has them (Newton+ none, all others both), or hidden GWRITEs, several "
                "global buffers, both or none"),
      count_axis("n_gwrite", whole(4), 2, static_cast<double>(hardware::newton::max_channels),
                 "global buffers of a channel, where several are used"),
      count_axis("split_interval", whole(10), 1, 100, "percent of a layer's rows between two splits that are tried"),
      count_axis("stages", whole(2), 2, 5, "stages of a pipeline; pimflow-optimal takes the best of 2 to 5"),
      text_axis("offload", text("all"), {"all", "convolutions", "fully-connected"}, "what may run on PIM"),
      flag_axis("memory_optimiser", true, "parts of tensors lie contiguous, so that splits copy nothing (Sec. 4.3.2)"),
      text_axis("contention", text("none"), {"none", "broadcast", "unicast"},
                "time that PIM's fetches take from GPU kernels beside them: none, each value fetched once for all "
                "channels, or by each channel for itself (Sec. 7)"),
      text_axis("elementwise", text("fused"), {"fused", "counted"},
                "activation functions: fused with what computes their input, or kernels of their own"),
      text_axis(
          "pointwise", text("convolution"), {"convolution", "product"},
          "GPU kernels of 1x1 convolutions of stride 1: those of convolutions, or of matrix products, whose depth "
          "may be split"),
      precision_axis(),
  };
  append_gpu_axes(axes, kGpu);
  append_newton_axes(axes, pim, presets);
  axes.push_back(quantity_axis("hardware.synchronisation", "s", 0, 1,
                               "each meeting of GPU and PIM: the end of a split, and of each step of a pipeline"));
  return axes;
}

std::vector<Metric> make_metrics() {
  return {
      {"time", "s", "time of an inference"},
      {"baseline_time", "s", "time on the GPU alone with all memory channels (policy gpu)"},
      {"speedup", "1", "baseline_time by time"},
      {"candidate_convolution_speedup", "1", "the same of candidate_convolution_time; missing without one"},
      {"throughput", "1/s", "images or sequences in a second"},
      {"time_per_image", "s", "time by batch"},
      {"pointwise_time", "s", "time of 1x1 convolutions; a pipeline's is shared by the times its nodes take alone"},
      {"convolution_time", "s", "time of larger convolutions without groups"},
      {"candidate_convolution_time", "s", "both of these: convolutions that may run on PIM"},
      {"depthwise_time", "s", "time of depthwise convolutions"},
      {"fully_connected_time", "s", "time of fully connected layers"},
      {"other_time", "s", "time of everything else"},
      {"all_convolution_time", "s", "candidate_convolution_time and depthwise_time"},
      {"gpu_busy", "s", "time in which the GPU works"},
      {"pim_busy", "s", "time in which PIM works"},
      {"gpu_idle", "1", "share of the time in which the GPU waits"},
      {"pim_idle", "1", "share of the time in which PIM waits"},
      {"energy", "J", "sum of the three parts below"},
      {"energy_per_image", "J", "energy by batch"},
      {"gpu_static_energy", "J", "idle power over the time"},
      {"gpu_dynamic_energy", "J", "operations, second-level cache and memory of all GPU kernels"},
      {"pim_energy", "J", "PIM's commands; what is not published counts nothing (docs/pimflow.md)"},
      {"pim_channels", "1", "memory channels that compute"},
      {"nodes", "1", "operators that take time"},
      {"candidates", "1", "operators that may run on PIM"},
      {"candidates_on_gpu", "1", "share of them that runs on the GPU alone"},
      {"candidates_on_pim", "1", "share of them that runs on PIM alone"},
      {"candidates_split", "1", "share of them that is split over GPU and PIM"},
      {"candidates_pipelined", "1", "share of them that is part of a pipeline"},
      {"pipelines_chosen", "1", "pipelines that the plan has"},
      {"pipelines_possible", "1", "places of a pattern, overlapping ones included"},
      {"macs", "1", "multiply-accumulates of all operators"},
      {"caveat", "1", "what to know about this result; empty if nothing", ValueType::text},
  };
}

std::vector<Table> make_tables() {
  const ValueType integer = ValueType::integer;
  const ValueType text = ValueType::text;
  return {
      {"by_layer",
       "one row for each operator that takes time",
       {
           {"place", "1", "number in topological order", integer},
           {"layer", "1", "name", text},
           {"kind", "1", "convolution, fully connected, depthwise or other", text},
           {"candidate", "1", "1 if it may run on PIM", integer},
           {"kernel", "1", "kernel height of a convolution", integer},
           {"choice", "1", "gpu, pim, split or pipeline", text},
           {"split", "1", "1 if it is split over GPU and PIM"},
           {"rows", "1", "rows of the output", integer},
           {"gpu_rows", "1", "rows that the GPU computes; 0 in a pipeline", integer},
           {"time", "s", "its time, or its share of the pipeline's"},
           {"gpu_busy", "s", "time in which the GPU works on it"},
           {"pim_busy", "s", "time in which PIM works on it"},
           {"gpu_time", "s", "whole on the GPU with the channels that it has"},
           {"pim_time", "s", "whole on PIM; missing where it cannot run there"},
           {"pim_speedup", "1", "gpu_time by pim_time"},
           {"macs", "1", "multiply-accumulates", integer},
           {"intensity", "1", "multiply-accumulates for each value read or written once"},
       }},
      {"splits",
       "policies that try shares: one row for each candidate and share of the GPU",
       {
           {"layer", "1", "name", text},
           {"gpu_percent", "1", "share of the GPU in percent of the rows, before rounding up to whole rows", integer},
           {"time", "s", "time with this split"},
           {"chosen", "1", "1 if the layer runs so"},
       }},
      {"pipelines",
       "one row for each place of a pattern",
       {
           {"pattern", "1", "1x1-DW, DW-1x1 or 1x1-DW-1x1", text},
           {"first", "1", "first layer", text},
           {"last", "1", "last layer", text},
           {"stages", "1", "stages of the pipeline", integer},
           {"time", "s", "pipelined"},
           {"apart", "s", "the same layers one after another, each in its best mode"},
           {"speedup", "1", "apart by time"},
           {"chosen", "1", "1 if it is pipelined", integer},
       }},
  };
}

}  // namespace

Schema make_schema(const std::vector<std::string>& models, const hardware::newton::PresetLibrary& presets) {
  Schema schema;
  schema.name = "pimflow";
  schema.doc = "PIMFlow: inference on a GPU and on the Newton PIM in part of its memory channels";
  schema.version = 1;
  schema.axes = make_axes(models, presets);
  schema.metrics = make_metrics();
  append_silicon_axes(schema.axes);
  append_silicon_metrics(schema.metrics, "the card's chip and PIM's logic in the memory, not the memory itself");
  schema.tables = make_tables();
  return schema;
}

PointReader::PointReader(const Schema& schema, const hardware::newton::PresetLibrary& presets)
    : device_(schema, kGpu), dram_(schema, pim, presets) {
  const auto at = [&](std::string_view name) { return axis_at(schema, name); };
  model_ = at("model");
  image_px_ = at("image_px");
  batch_ = at("batch");
  policy_ = at("policy");
  memory_channels_ = at("memory_channels");
  controller_ = at("controller");
  n_gwrite_ = at("n_gwrite");
  command_optimisations_ = at("command_optimisations");
  split_interval_ = at("split_interval");
  stages_ = at("stages");
  offload_ = at("offload");
  memory_optimiser_ = at("memory_optimiser");
  contention_ = at("contention");
  elementwise_ = at("elementwise");
  pointwise_ = at("pointwise");
  precision_ = at("precision");
  synchronisation_ = at("hardware.synchronisation");
}

hardware::gpu::network::ElementwiseMode PointReader::elementwise(const Point& point) const {
  return point.text(elementwise_) == "fused" ? hardware::gpu::network::ElementwiseMode::fused
                                             : hardware::gpu::network::ElementwiseMode::counted;
}

Machine PointReader::machine(const Point& point, const Policy& chosen) const {
  const std::int64_t all = device_.memory_channels(point);
  const std::int64_t left = chosen.divides_memory ? point.integer(memory_channels_) : all;
  if (chosen.divides_memory && left >= all) {
    throw PointError(fmt::format(
        "memory_channels leaves the GPU {} of {} channels (hardware.gpu.memory.channels): PIM needs at least one", left,
        all));
  }
  if (all - left > hardware::newton::max_channels) {
    throw PointError(
        fmt::format("{} PIM channels: at most {} are modelled", all - left, hardware::newton::max_channels));
  }
  Machine machine;
  machine.gpu = device_(point);
  machine.gpu.memory_bandwidth *= static_cast<double>(left) / static_cast<double>(all);
  machine.precision = precision_of(point.text(precision_));
  machine.pointwise_as_product = point.text(pointwise_) == "product";
  machine.dram = dram_(point);
  const std::string& commands = point.text(command_optimisations_);
  const bool by_policy = commands == "policy";
  const bool buffers = by_policy ? chosen.optimised_commands : commands == "buffers" || commands == "both";
  const bool hiding = by_policy ? chosen.optimised_commands : commands == "hiding" || commands == "both";
  machine.pim = {.controller = point.text(controller_) == "paper" ? hardware::newton::Controller::paper
                                                                  : hardware::newton::Controller::artifact,
                 .fidelity = hardware::newton::Fidelity::closed_form,
                 .channels = all - left,
                 .n_gwrite = buffers ? point.integer(n_gwrite_) : 1,
                 .gwrite_hiding = hiding};
  const std::string& offload = point.text(offload_);
  machine.offload_convolutions = chosen.divides_memory && offload != "fully-connected";
  machine.offload_fully_connected = chosen.divides_memory && offload != "convolutions";
  machine.memory_optimiser = point.boolean(memory_optimiser_);
  const std::string& contention = point.text(contention_);
  machine.contention = contention == "none"        ? Contention::none
                       : contention == "broadcast" ? Contention::broadcast
                                                   : Contention::unicast;
  machine.synchronisation = point.real(synchronisation_);
  return machine;
}

}  // namespace pimsweep::systems::pimflow
