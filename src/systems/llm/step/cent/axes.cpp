#include "systems/llm/step/cent/axes.h"

#include <fmt/format.h>

namespace pimsweep::systems::llm::step::cent {

namespace {

class CentAxes {
 public:
  CentAxes(AxisList& axes, std::string_view prefix, Machine& machine)
      : axes_(axes), prefix_(prefix), machine_(machine) {}

  void add_device() {
    count(machine_.devices, "devices", "CXL devices of the machine");
    axes_.quantity(machine_.host_time, key("host.time"), "s", 0, 1, "host time of sampling a token", 0);
  }

  void add_trace() {
    TraceClocks& trace = machine_.trace;
    cycles(trace.element_wise, "trace.element_wise", "cycles of an element-wise product beyond its columns");
    cycles(trace.copy, "trace.copy", "cycles of a copy between banks beyond its columns");
    cycles(trace.copy_column, "trace.copy_column", "cycles of a column of a copy between banks");
    cycles(trace.norm, "trace.norm", "cycles of a normalization between its parts");
    cycles(trace.embedding_norm, "trace.embedding_norm", "cycles of the last normalization between its parts");
    cycles(trace.end, "trace.end", "cycles from the last result of products to the next step");
    cycles(trace.scores_overlap, "trace.scores_overlap",
           "cycles of the first scores that overlap with the step before");
    cycles(trace.softmax, "trace.softmax", "cycles of softmax between its parts");
    cycles(trace.function, "trace.function", "cycles of an activation function of one register");
    cycles(trace.function_start, "trace.function_start", "cycles until activation functions begin");
    cycles(trace.key_row, "trace.key_row", "cycles of writing a row of keys");
    cycles(trace.key_row_gap, "trace.key_row_gap", "minimum cycles between two written rows of keys");
    cycles(trace.value, "trace.value", "cycles of writing a column of values in all banks");
    cycles(trace.activation, "trace.activation", "cycles of the gated activation between its parts");
    cycles(trace.activation_column, "trace.activation_column", "cycles of a column of the gated activation");
    cycles(trace.activation_wait, "trace.activation_wait", "cycles that each column delays the second product");
    cycles(trace.activation_hidden, "trace.activation_hidden", "cycles of that delay that other work hides");
  }

  void add_near_memory() {
    NearMemory& near = machine_.near_memory;
    count(near.units, "near_memory.units", "adders, exponent units and reduction trees of a device, each");
    count(near.lanes, "near_memory.lanes", "elements that a unit beside the banks works on at a time");
    count(near.cores, "near_memory.cores", "processor cores of a device");
    cycles(near.buffer_read, "near_memory.buffer_read", "cycles of a read of the shared buffer");
    cycles(near.buffer_write, "near_memory.buffer_write", "cycles of a write of the shared buffer");
    cycles(near.exponent, "near_memory.exponent", "cycles of an exponent");
    cycles(near.core_norm, "near_memory.core_norm", "cycles of a core for a normalization");
    cycles(near.core_rotation, "near_memory.core_rotation", "cycles of a core for a rotated element");
    cycles(near.core_softmax, "near_memory.core_softmax", "cycles of a core for a head of softmax");
    cycles(near.core_softmax_write, "near_memory.core_softmax_write",
           "writes of the shared buffer for a head of softmax");
  }

  void add_link() {
    Link& link = machine_.link;
    count(link.lanes, "link.lanes", "lanes of the CXL switch, shared evenly by all devices");
    axes_.quantity(link.lane_bandwidth, key("link.lane_bandwidth"), "B/s", 1e6, 1e13, "bandwidth of a CXL lane", 1e9)
        .quantity(link.multicast_share, key("link.multicast_share"), "1", 1e-3, 1, "bandwidth share of a multicast", 1)
        .quantity(link.latency, key("link.latency"), "s", 0, 1, "latency of a message between devices", 0)
        .quantity(link.flit_bytes, key("link.flit"), "B", 1, 1e6, "bytes of a flit", 256)
        .quantity(link.flit_payload, key("link.flit_payload"), "B", 1, 1e6, "bytes of data in a flit", 192)
        .quantity(link.byte, key("link.energy"), "J/B", 0, 1, "energy of a byte over CXL", 0);
  }

  void add_power() {
    DevicePower& power = machine_.power;
    count(power.channels_of_controller, "power.channels_of_controller", "channels of a memory controller");
    watts(power.transaction, "power.transaction", "power of a controller's transaction engine");
    watts(power.phy, "power.phy", "power of a controller's physical interface");
    watts(power.global_buffer, "leakage.global_buffer", "leakage of the global buffer of a channel");
    watts(power.shared_buffer, "leakage.shared_buffer", "leakage of the shared buffer");
    watts(power.instruction_buffer, "leakage.instruction_buffer", "leakage of the instruction buffer");
    watts(power.reduce_leakage, "leakage.reduce", "leakage of a reduction tree");
    watts(power.exponent_leakage, "leakage.exponent", "leakage of an exponent unit");
    watts(power.add_leakage, "leakage.add", "leakage of an adder");
    watts(power.control, "power.control", "mean power of the control units");
    watts(power.global_buffer_read, "power.global_buffer_read", "power of a read of the global buffer for a clock");
    watts(power.global_buffer_write, "power.global_buffer_write", "power of a write of the global buffer for a clock");
    watts(power.shared_buffer_read, "power.shared_buffer_read", "power of a read of the shared buffer for a clock");
    watts(power.shared_buffer_write, "power.shared_buffer_write", "power of a write of the shared buffer for a clock");
    watts(power.instruction, "power.instruction", "power of fetching an instruction for a clock");
    watts(power.core, "power.core", "power of a core");
    watts(power.reduce, "power.reduce", "power of a reduction tree");
    watts(power.exponent, "power.exponent", "power of an exponent unit");
    watts(power.add, "power.add", "power of an adder");
  }

 private:
  std::string key(std::string_view name) const { return fmt::format("hardware.{}{}", prefix_, name); }
  void count(std::int64_t& place, std::string_view name, const char* doc) {
    constexpr double most = 1 << 16;
    axes_.count(place, key(name), 1, most, doc, 1);
  }
  void cycles(double& place, std::string_view name, const char* doc) {
    constexpr double most = 1e6;
    axes_.quantity(place, key(name), "cycle", 0, most, doc, 0);
  }
  void watts(double& place, std::string_view name, const char* doc) {
    constexpr double most = 1e3;
    axes_.quantity(place, key(name), "W", 0, most, doc, 0);
  }

  AxisList& axes_;
  std::string_view prefix_;
  Machine& machine_;
};

}  // namespace

void add_axes(AxisList& axes, std::string_view prefix, Machine& machine) {
  CentAxes all(axes, prefix, machine);
  all.add_device();
  all.add_trace();
  all.add_near_memory();
  all.add_link();
  all.add_power();
}

}  // namespace pimsweep::systems::llm::step::cent
