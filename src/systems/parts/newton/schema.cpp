#include "systems/parts/newton/schema.h"

#include "hardware/newton/dram.h"
#include "systems/axes.h"
#include "systems/newton_axes.h"

namespace pimsweep::systems::parts::newton {

namespace {

/// Beyond any layer, but small enough that its sizes multiply to what a double tells of.
constexpr double max_elements = 1 << 20;
constexpr double max_kernel = 1 << 6;

std::vector<Axis> make_axes(const hardware::newton::PresetLibrary& presets) {
  // In the order of AxisIndex.
  std::vector<Axis> axes{
      text_axis("controller", Value{std::string("artifact")}, {"artifact", "paper"},
                "what PIMFlow's artifact does, cycle for cycle, or what its paper says"),
      text_axis("fidelity", Value{std::string("closed-form")}, {"closed-form", "cycle"},
                "arithmetic from refresh to refresh, or command by command: the same numbers"),
      count_axis("H", {}, 1, max_elements, "input height; rows (batch or sequence) of a fully connected layer"),
      count_axis("W", {}, 1, max_elements, "input width; 1 for a fully connected layer"),
      count_axis("Cin", {}, 1, max_elements, "input channels"),
      count_axis("Cout", {}, 1, max_elements, "output channels"),
      count_axis("KH", Value{std::int64_t{1}}, 1, max_kernel, "kernel height"),
      count_axis("KW", Value{std::int64_t{1}}, 1, max_kernel, "kernel width"),
      count_axis("stride", Value{std::int64_t{1}}, 1, max_kernel, "stride in both directions"),
      count_axis("pad", Value{std::int64_t{0}}, 0, max_kernel, "padding on each side"),
      count_axis("channels", Value{std::int64_t{16}}, 1, static_cast<double>(hardware::newton::max_channels),
                 "PIM channels"),
      count_axis("n_gwrite", Value{std::int64_t{4}}, 1, static_cast<double>(hardware::newton::max_channels),
                 "artifact: most groups of channels with GWRITEs of their own; paper: global buffers of a channel"),
      count_axis("gwrite_hiding", Value{std::int64_t{1}}, 0, 1,
                 "1: a G_ACT need not wait for a GWRITE's data; 0: it does"),
      count_axis("split_out_of_10", Value{std::int64_t{10}}, 0, 10,
                 "PIM's share of the layer's rows in tenths; the GPU has the rest"),
      preset_axis(presets),
  };
  append_newton_axes(axes, "", presets);
  return axes;
}

}  // namespace

Schema make_schema(const hardware::newton::PresetLibrary& presets) {
  Schema schema;
  schema.name = "newton";
  schema.doc =
      "Newton PIM: one convolution or fully connected layer on DRAM channels that multiply (PIM part of PIMFlow)";
  schema.version = 1;
  schema.axes = make_axes(presets);
  // In the order of MetricIndex.
  schema.metrics = {
      {"pim_cycles", "1", "clocks of the command bus until the last result is out; 0 where nothing is left for PIM"},
      {"time", "s", "pim_cycles in seconds"},
      {"n_GWRITE", "1", "GWRITE commands of the busiest channel (artifact: of the first)"},
      {"n_G_ACT", "1", "G_ACT commands of that channel, counted singly"},
      {"n_COMP", "1", "COMP commands of that channel"},
      {"n_READRES", "1", "READRES commands of that channel"},
      {"n_PREA", "1", "PREA commands of that channel"},
      {"n_REF", "1", "REF commands of that channel"},
      {"k_first_segment", "1", "groups of channels with GWRITEs of their own, first segment (paper: 1)"},
      {"k_second_segment", "1", "the same of the second segment; 0 without one"},
      {"granularity", "1", "how finely the first segment is dealt to channels: G_ACT, READRES or COMP",
       ValueType::text},
      {"energy", "J", "of all channels' commands; what is not published counts nothing (docs/newton.md)"},
      {"energy_busiest", "J", "of the busiest channel's commands, which is what the artifact prints"},
      {"macs", "1", "multiply-accumulates of the part that PIM computes"},
      {"macs_issued", "1", "COMPs of all channels x banks x lanes: below macs where the artifact loses COMPs"},
      {"pim_H", "1", "input height of PIM's part, halo rows included"},
      {"pad_h_used", "1", "padding of its height: 0 where the layer is split"},
      {"pad_w_used", "1", "padding of its width"},
  };
  return schema;
}

}  // namespace pimsweep::systems::parts::newton
