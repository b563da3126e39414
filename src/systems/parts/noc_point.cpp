#include "systems/parts/noc_point.h"

#include <array>

namespace pimsweep::systems::parts {

namespace {

namespace router = hardware::noc::router;
using router::Topology;

constexpr std::array fidelity_words{Word{"analytic", NocFidelity::analytic}, Word{"cycle", NocFidelity::cycle}};
constexpr std::array topology_words{Word{"mesh", Topology::mesh}, Word{"torus", Topology::torus},
                                    Word{"h-tree", Topology::h_tree}};
constexpr std::array routing_words{Word{"dimension", NocRouting::dimension}, Word{"dor", NocRouting::dor},
                                   Word{"dim_order", NocRouting::dim_order}, Word{"up_down", NocRouting::up_down}};
constexpr std::array allocator_words{
    Word{"islip", AllocatorChoice{router::Allocator::islip, 1}},
    Word{"islip(2)", AllocatorChoice{router::Allocator::islip, 2}},
    Word{"islip(4)", AllocatorChoice{router::Allocator::islip, 4}},
    Word{"separable_input_first", AllocatorChoice{router::Allocator::separable_input_first, 1}},
    Word{"separable_output_first", AllocatorChoice{router::Allocator::separable_output_first, 1}}};

void add_network_axes(AxisList& axes, NocSettings& s) {
  axes.choice(s.fidelity, "fidelity", fidelity_words, "evaluation by formula (analytic) or cycle by cycle",
              NocFidelity::cycle)
      .choice(s.topology, "topology", topology_words,
              "kind of network; an h-tree has k^n leaves and links k times as wide at each level up", Topology::mesh)
      .count(s.radix, "k", 2, router::max_nodes, "nodes in each dimension, or branches of each switch of an h-tree", 8)
      .count(s.dimensions, "n", 1, 12, "dimensions of a mesh or torus, or levels of an h-tree", 2)
      .choice(
          s.routing, "routing", routing_words,
          "routing algorithm: dor on a mesh, dim_order on a torus, up_down on an h-tree; dimension suits all of them",
          NocRouting::dimension)
      .text(s.traffic.pattern, "traffic",
            "traffic pattern: uniform, transpose, bitcomp, tornado, neighbor, or hotspot_nH_wW (node H has weight W, "
            "every other node weight 1)",
            "uniform")
      .quantity(s.traffic.injection_rate, "injection_rate", "1", 1e-6, 1, "flits created by each node in a cycle", 0.1)
      .count(s.traffic.packet_size, "packet_size", 1, 4096, "flits of a packet", 1);
}

void add_router_axes(AxisList& axes, NocSettings& s) {
  constexpr unsigned max_delay = router::max_stage_delay;
  axes.count(s.router.virtual_channels, "num_vcs", 1, router::max_virtual_channels, "virtual channels of an input port",
             4)
      .count(s.router.buffer_size, "vc_buf_size", 1, router::max_buffer_size,
             "capacity of the buffer of a virtual channel, in flits", 8)
      .count(s.router.routing_delay, "routing_delay", 0, max_delay,
             "time of route computation; 0: computed one router ahead", 1, "cycle")
      .count(s.vc_alloc_delay, "vc_alloc_delay", 1, 1, "time of virtual-channel allocation", 1, "cycle")
      .count(s.sw_alloc_delay, "sw_alloc_delay", 1, 1, "time of switch allocation", 1, "cycle")
      .count(s.router.switch_traversal_delay, "st_final_delay", 1, max_delay, "time of switch traversal", 1, "cycle")
      .count(s.router.credit_delay, "credit_delay", 0, max_delay, "time from the arrival of a credit to its use", 0,
             "cycle")
      .count(s.router.speculative, "speculative", 0, 1,
             "speculative switch allocation: with 1, heads ask for switch and virtual channel at once", 0)
      .choice(s.allocator, "alloc", allocator_words,
              "allocator of virtual channels and switch; islip(N) runs N iterations", allocator_words[0].value)
      .count(s.folded_torus, "use_noc_latency", 0, 1,
             "folded torus: with 1, links of a torus take two cycles; with 0, all links take one", 1)
      .count(s.traffic.sample_period, "sample_period", 0, 1e7,
             "time between two samples of the statistics; 0: 500 cycles or more, by nodes, traffic and longest route",
             0, "cycle")
      .count(s.traffic.seed, "seed", 0, 1e15, "seed of the random traffic", 1);
}

}  // namespace

void add_axes(AxisList& axes, NocSettings& settings) {
  add_network_axes(axes, settings);
  add_router_axes(axes, settings);
}

void add_metrics(ColumnList& metrics, const NocResult& r) {
  metrics
      .quantity(r.packet_latency, "avg_packet_latency", "cycle",
                "mean time from creation of a packet to arrival of the last flit", "the network is saturated")
      .quantity(r.network_latency, "avg_network_latency", "cycle",
                "mean time from injection of the head flit to arrival of the last flit", "the network is saturated")
      .quantity(r.hops, "avg_hops", "1", "mean number of routers that a packet passes", "the network is saturated")
      .quantity(r.accepted_rate, "accepted_flit_rate", "1", "flits that arrive at each node in a cycle")
      .count(r.saturated, "saturated", "saturation: 1 if the network does not carry the offered traffic")
      .quantity(r.zero_load_latency, "zero_load_latency", "cycle",
                "latency of a packet alone in the network, mean over the traffic")
      .quantity(r.link_load_bound, "link_load_bound", "1",
                "injection rate at which the first link is full, in flits by node and cycle")
      .quantity(r.simulated_cycles, "sim_cycles", "cycle", "simulated time with warm-up and drain", "fidelity analytic")
      .quantity(r.flit_hops, "flit_hops", "1", "flits that passed a router during the simulation", "fidelity analytic");
}

std::string_view word_of(Topology topology) { return pimsweep::word_of(topology_words, topology); }
std::string_view word_of(NocRouting routing) { return pimsweep::word_of(routing_words, routing); }

}  // namespace pimsweep::systems::parts
