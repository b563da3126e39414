#include "systems/allspark/settings.h"

#include <array>

#include "base/words.h"
#include "hardware/noc/router/router_settings.h"
#include "systems/allspark/placement/placement_method.h"
#include "systems/devices/silicon_axes.h"
#include "systems/timeline.h"

namespace pimsweep::systems::allspark {

namespace {

constexpr std::array execution_words{Word{"schedule", Execution::schedule}, Word{"operators", Execution::operators},
                                     Word{"ideal", Execution::ideal}, Word{"gpu", Execution::gpu}};
constexpr std::array fidelity_words{Word{"analytic", Fidelity::analytic}, Word{"cycle", Fidelity::cycle}};
constexpr std::array rates_words{Word{"sustained", Rates::sustained}, Word{"peak", Rates::peak}};
constexpr std::array route_words{Word{"corner", placement::InteractionRoute::corner},
                                 Word{"direct", placement::InteractionRoute::direct}};
constexpr std::array transfer_words{Word{"store-and-forward", Transfer::store_and_forward},
                                    Word{"pipelined", Transfer::pipelined}};
constexpr std::array elementwise_words{Word{"eager", hardware::gpu::network::ElementwiseMode::eager},
                                       Word{"fused", hardware::gpu::network::ElementwiseMode::fused}};
constexpr std::array unshared_split_words{Word{"head", UnsharedSplit::head}, Word{"patch", UnsharedSplit::patch}};
constexpr std::array launches_words{Word{"queued", hardware::gpu::network::Launches::queued},
                                    Word{"exposed", hardware::gpu::network::Launches::exposed}};

std::vector<Word<const placement::PlacementMethod*>> placement_words() {
  std::vector<Word<const placement::PlacementMethod*>> words{{"none", nullptr}};
  for (const placement::PlacementMethod& method : placement::placement_methods())
    words.push_back({method.name, &method});
  return words;
}

void add_model_axes(AxisList& axes, Settings& s, const std::vector<std::string>& models) {
  axes.text(s.model, "model",
            "model of configs/models: a visual Transformer or BERT; executions operators and gpu take any network", {},
            models)
      .kind(AxisKind::model)
      .count(s.input.image_px, "image_px", 0, 8192,
             "side of the square input image in pixels; 0 is the model's default", 0)
      .kind(AxisKind::image_size)
      .count(s.input.tokens, "tokens", 0, 8192, "tokens of a language model's input; 0 is the model's default", 0)
      .kind(AxisKind::tokens)
      .policy(s.policy, policies(),
              "scheduling policy that partitions branches and schedules them (execution schedule)", "allspark")
      .choice(s.execution, "execution", execution_words,
              "branches as the policy schedules them, any graph operator by operator, ideal hardware, or GPU",
              Execution::schedule)
      .kind(AxisKind::execution)
      .count(s.conditions.batch, "batch", 1, 65536, "samples processed together (N_bt of Eq. 12)", 1);
}

void add_method_axes(AxisList& axes, Settings& s) {
  axes.choice(
          s.conditions.fidelity, "fidelity", fidelity_words,
          "closed-form costs (Eq. 12-15), or all transfers on routers and all accesses on DRAM banks cycle by cycle",
          Fidelity::analytic)
      .choice(s.conditions.rates, "rates", rates_words,
              "rates of DRAM and links in formulas: sustained with row misses, refresh and shared links, or peak",
              Rates::sustained)
      .choice(s.placement.method, "placement", placement_words(),
              "method that binds branches to nodes (Sec. VII); none leaves out interactions between branches",
              static_cast<const placement::PlacementMethod*>(nullptr))
      .choice(s.placement.route, "interaction_route", route_words,
              "interactions by way of the upper left nodes of sub-arrays (Sec. VII-B2), or from node to node",
              placement::InteractionRoute::corner)
      .count(s.placement.max_flit_hops, "interaction_flit_hops", 1, 1e15,
             "flits times routers of an interaction above which only a part is simulated (fidelity cycle)",
             1'000'000'000'000)
      .count(s.placement.seed, "placement_seed", 0, 1e15, "seed of placement methods that use random numbers", 1)
      .flag(s.conditions.weight_sharing, "weight_sharing",
            "storage of common weights in parts, one on each node of a patch split (Sec. VI-C)", true)
      .choice(s.conditions.unshared_split, "unshared_split", unshared_split_words,
              "split of a scheme that divides the weights among its nodes without weight sharing", UnsharedSplit::head)
      .flag(s.options.weight_reuse, "weight_reuse",
            "reuse of stored weights by the other temporal layers of a stage (Sec. VI-C)", true)
      .text(s.options.schedule, "schedule",
            "temporal layers for policy manual: head split x patch split, *n for n layers, | between stages", "")
      .quantity(s.options.ilp_time_limit, "ilp_time_limit", "s", 0.001, 1e6,
                "time after which CBC has to stop under policy allspark-ilp", 60.0)
      .flag(s.record_timeline, std::string(record_timeline_axis),
            "recording of temporal layers and their phases (table timeline; executions schedule and operators)", false);
}

void add_node_axes(AxisList& axes, Machine& m) {
  constexpr double max_side = 4096;
  axes.count(m.node_rows, "hardware.node_array.rows", 1, max_side, "rows of PIM nodes (H_A)")
      .count(m.node_cols, "hardware.node_array.cols", 1, max_side, "columns of PIM nodes (W_A)")
      .count(m.pe_rows, "hardware.pe_array.rows", 1, 1024,
             "rows of a node's PE array, over which the reduction is spread")
      .count(m.pe_cols, "hardware.pe_array.cols", 1, 1024,
             "columns of a node's PE array, over which output channels are spread")
      .quantity(m.clock, "hardware.clock", "Hz", 1e3, 1e12, "clock of the logic die")
      .quantity(m.word_bytes, "hardware.data.word", "B", 0.125, 64, "size of a weight or activation")
      .quantity(m.buffer_bytes, "hardware.sram.buffer", "B", 1, 1e12, "capacity of all SRAM buffers of a node");
}

void add_dram_axes(AxisList& axes, Machine& m) {
  const auto timing = [&](double& place, const char* name, double min, double max, const char* doc) {
    axes.quantity(place, std::string("hardware.dram.") + name, "s", min, max, doc);
  };
  axes.quantity(m.dram.capacity, "hardware.dram.bank_capacity", "B", 1, 1e15, "capacity of a DRAM bank")
      .count(m.dram.banks, "hardware.dram.banks_per_node", 1, 1024, "DRAM banks of a node, all accessed in parallel")
      .quantity(m.dram.bandwidth, "hardware.dram.bank_bandwidth", "B/s", 1, 1e18,
                "bandwidth of a DRAM bank, reads and writes together")
      .quantity(m.dram.row, "hardware.dram.row", "B", 1, 1e9, "size of a DRAM row");
  timing(m.dram.timing.tRCD, "tRCD", 0, 1e-3, "time from activation to read or write");
  timing(m.dram.timing.tRP, "tRP", 0, 1e-3, "time from precharge to activation");
  timing(m.dram.timing.tRAS, "tRAS", 0, 1e-3, "time from activation to precharge");
  timing(m.dram.timing.tRFC, "tRFC", 0, 1e-3, "time of a DRAM refresh");
  timing(m.dram.timing.tREFI, "tREFI", 1e-9, 1, "time between two DRAM refreshes");
  timing(m.dram.timing.tCL, "tCL", 0, 1e-3, "time from read command to data");
  timing(m.dram.timing.tCWL, "tCWL", 0, 1e-3, "time from write command to data");
  timing(m.dram.timing.tWR, "tWR", 0, 1e-3, "time from end of written data to precharge");
  timing(m.dram.timing.tRTP, "tRTP", 0, 1e-3, "time from read to precharge");
  timing(m.dram.timing.tWTR, "tWTR", 0, 1e-3, "time from end of written data to read");
}

void add_network_axes(AxisList& axes, Machine& m) {
  // A router of a mesh has five ports.
  constexpr unsigned max_virtual_channels = hardware::noc::router::max_router_channels / 5;
  axes.quantity(m.mesh.link_bandwidth, "hardware.noc.link_bandwidth", "B/s", 1, 1e18,
                "bandwidth of a mesh link in one direction (BW)")
      .count(m.mesh.virtual_channels, "hardware.noc.virtual_channels", 1, max_virtual_channels,
             "virtual channels of a router's input")
      .count(m.mesh.buffer, "hardware.noc.buffer", 1, hardware::noc::router::max_buffer_size,
             "flits that the buffer of a virtual channel holds")
      .count(m.mesh.packet_flits, "hardware.noc.packet", 1, 4096, "maximum flits of a packet");
}

void add_energy_axes(AxisList& axes, EnergyCosts& e, std::int64_t& accumulators) {
  axes.quantity(e.link_byte, "hardware.noc.energy", "J/B", 0, 1, "energy of moving a byte over one link and router")
      .quantity(e.dram_byte, "hardware.dram.energy", "J/B", 0, 1, "energy of a byte read from or written to DRAM")
      .quantity(e.mac, "hardware.pe_array.mac_energy", "J", 0, 1, "energy of a multiply-accumulate")
      .quantity(e.register_word, "hardware.pe_array.register_energy", "J", 0, 1,
                "energy of an access to a PE's weight register")
      .quantity(e.accumulator_word, "hardware.pe_array.accumulator_energy", "J", 0, 1,
                "energy of an access to the accumulators of a PE column")
      .count(accumulators, "hardware.pe_array.accumulators", 1, 65536,
             "partial sums that the accumulators of a PE column hold")
      .quantity(e.buffer_byte, "hardware.sram.energy", "J/B", 0, 1,
                "energy of a byte read from or written to a buffer");
}

void add_unit_axes(AxisList& axes, Machine& m) {
  axes.choice(m.mesh.transfer, "hardware.noc.transfer", transfer_words,
              "DRAM read, link and DRAM write of a transfer: sequential, or overlapped")
      .count(m.acu.lanes, "hardware.acu.lanes", 1, 65536, "values that the nonlinear unit takes in a cycle")
      .count(m.acu.softmax_passes, "hardware.acu.softmax_passes", 1, 64, "passes over the scores in a softmax")
      .count(m.acu.layernorm_passes, "hardware.acu.layernorm_passes", 1, 64, "passes over the features in a layer norm")
      .count(m.acu.gelu_passes, "hardware.acu.gelu_passes", 1, 64, "passes over the features in a GELU")
      .count(m.min_patch_chunk, "hardware.partition.min_patch_chunk", 1, 65536,
             "minimum number of patches that a node is given (p_min, Sec. VI-A)");
}

void add_gpu_axes(AxisList& axes, GpuSettings& gpu) {
  axes.choice(gpu.precision, "gpu_precision", devices::precision_words,
              "storage and arithmetic of numbers on the GPU (execution gpu)", devices::Precision::fp32)
      .choice(
          gpu.elementwise, "gpu_elementwise", elementwise_words,
          "kernels operator by operator as in frameworks, or fused with the producer of their input (execution gpu)",
          hardware::gpu::network::ElementwiseMode::eager)
      .choice(gpu.launches, "gpu_launches", launches_words,
              "kernel launches: queued ahead, or each after the end of the previous kernel (execution gpu)",
              hardware::gpu::network::Launches::queued)
      .quantity(gpu.throughput, "gpu_throughput", "1", 0, 1e9,
                "measured samples per second to which the GPU's time is scaled, 0 for none (execution gpu)", 0)
      .count(gpu.throughput_batch, "gpu_throughput_batch", 1, 1 << 24,
             "batch at which gpu_throughput was measured, with the model's own image size", 64);
  devices::add_optional_gpu_axes(axes, gpu_prefix, gpu.card);
}

}  // namespace

AxisTable<Settings> make_axes(const std::vector<std::string>& models) {
  AxisTable<Settings> axes;
  Settings& settings = axes.layout();
  Machine& machine = settings.machine;
  add_model_axes(axes, settings, models);
  add_method_axes(axes, settings);
  add_node_axes(axes, machine);
  add_dram_axes(axes, machine);
  add_network_axes(axes, machine);
  add_energy_axes(axes, settings.energy, machine.accumulators);
  add_unit_axes(axes, machine);
  add_gpu_axes(axes, settings.gpu);
  devices::add_silicon_axes(axes, settings.silicon);
  return axes;
}

}  // namespace pimsweep::systems::allspark
