#include "systems/parts/noc/schema.h"

#include "hardware/noc/router/router_settings.h"
#include "systems/axes.h"

namespace pimsweep::systems::parts::noc {

namespace {

Value count(std::int64_t value) { return value; }

Axis rate_axis() {
  Axis axis = quantity_axis("injection_rate", "1", 1e-6, 1, "flits that each node creates in a cycle");
  axis.default_value = 0.1;
  return axis;
}

}  // namespace

Schema make_schema() {
  Schema schema;
  schema.name = "noc";
  schema.doc =
      "A mesh, torus or H-tree of virtual-channel routers under synthetic traffic, with the rules of BookSim 2.0";
  schema.version = 1;
  // In the order of AxisIndex.
  schema.axes = {
      text_axis("fidelity", Value{"cycle"}, {"analytic", "cycle"}, "by formula, or cycle by cycle"),
      text_axis(
          "topology", Value{"mesh"}, {"mesh", "torus", "h-tree"},
          "kind of network; an h-tree of n levels, each switch above k others, has k^n nodes at its leaves and links "
          "that are k times as wide at each level towards the root"),
      count_axis("k", count(8), 2, hardware::noc::router::max_nodes,
                 "nodes in each dimension, branches of an h-tree's switches"),
      count_axis("n", count(2), 1, 12, "dimensions, levels of an h-tree"),
      text_axis(
          "routing", Value{"dimension"}, {"dimension", "dor", "dim_order", "up_down"},
          "dimension: the network's only one, that is dimension order (dor on a mesh, dim_order on a torus), on an "
          "h-tree up and down (up_down)"),
      text_axis(
          "traffic", Value{"uniform"}, {},
          "to which node each node sends: uniform, transpose, bitcomp, tornado, neighbor, or hotspot_nH_wW (node H "
          "has weight W, every other weight 1)"),
      rate_axis(),
      count_axis("packet_size", count(1), 1, 4096, "flits of a packet"),
      count_axis("num_vcs", count(4), 1, hardware::noc::router::max_virtual_channels,
                 "virtual channels of an input port"),
      count_axis("vc_buf_size", count(8), 1, hardware::noc::router::max_buffer_size,
                 "flits that a virtual channel's buffer holds"),
      count_axis("routing_delay", count(1), 0, hardware::noc::router::max_stage_delay,
                 "cycles of route computation; 0: computed a router ahead"),
      count_axis("vc_alloc_delay", count(1), 1, 1, "cycles of virtual-channel allocation"),
      count_axis("sw_alloc_delay", count(1), 1, 1, "cycles of switch allocation"),
      count_axis("st_final_delay", count(1), 1, hardware::noc::router::max_stage_delay, "cycles of switch traversal"),
      count_axis("credit_delay", count(0), 0, hardware::noc::router::max_stage_delay,
                 "cycles from a credit's arrival to its use"),
      count_axis("speculative", count(0), 0, 1, "1: heads ask for the switch while they ask for a virtual channel"),
      text_axis("alloc", Value{"islip"},
                {"islip", "islip(2)", "islip(4)", "separable_input_first", "separable_output_first"},
                "allocator of virtual channels and of the switch; islip(N) has N iterations"),
      count_axis("use_noc_latency", count(1), 0, 1, "1: links of a torus take two cycles (folded), 0: all links one"),
      count_axis("sample_period", count(0), 0, 1e7,
                 "cycles between two looks at the statistics; 0: 500 to 12000, more for few nodes and little traffic"),
      count_axis("seed", count(1), 0, 1e15, "seed of the random traffic"),
  };
  // In the order of MetricIndex.
  const auto metric = [](const char* name, const char* doc) {
    return Metric{.name = name, .unit = "1", .doc = doc, .type = ValueType::real};
  };
  schema.metrics = {
      metric("avg_packet_latency", "cycles from a packet's creation to its last flit's arrival; missing if saturated"),
      metric("avg_network_latency", "the same from its head's start into the network; missing if saturated"),
      metric("avg_hops", "routers that a packet passes; missing if saturated"),
      metric("accepted_flit_rate", "flits that arrive at each node in a cycle"),
      metric("saturated", "1 if the network does not carry the offered traffic"),
      metric("zero_load_latency", "cycles of a packet alone in the network, mean over the traffic"),
      metric("link_load_bound", "injection rate at which the first link is full"),
      metric("sim_cycles", "simulated cycles, warm-up and end included; missing for an estimate"),
      metric("flit_hops", "flits that passed a router in them; missing for an estimate"),
  };
  return schema;
}

}  // namespace pimsweep::systems::parts::noc
