#include "systems/llm/step/cent/block_time.h"

#include <algorithm>
#include <cmath>

#include "base/checked.h"
#include "hardware/aim/product.h"
#include "hardware/integer_math.h"

namespace pimsweep::systems::llm::step::cent {

using hardware::ceil_div;

namespace {

double real(std::int64_t count) { return static_cast<double>(count); }

/// Clocks of a GEMV over all banks of a block.
double matrix_clocks(const Machine& machine, const Layout& layout, std::int64_t inputs, std::int64_t outputs,
                     std::int64_t registers) {
  const std::int64_t rows = ceil_div(outputs, layout.all_banks);
  return real(hardware::aim::bank_rows(machine.aim, {.inputs = inputs, .rows = rows, .registers = registers}).clocks);
}

double matrix_clocks(const Machine& machine, const Layout& layout, std::int64_t inputs, std::int64_t outputs) {
  return matrix_clocks(machine, layout, inputs, outputs, machine.aim.registers);
}

/// Element-wise product of as many columns in each bank.
double element_wise(const Machine& machine, std::int64_t columns) {
  return real(columns * machine.aim.timing.nCCD) + machine.trace.element_wise;
}

/// The four copies between banks of a channel's bank groups.
double copies(const Machine& machine, std::int64_t columns) {
  const auto groups = real(machine.aim.banks / 4);
  return groups * (machine.trace.copy_column * real(columns) + machine.trace.copy);
}

/// Gate with its activation function, half of whose registers hold results; and up.
double gate_up_clocks(const Shape& shape, const Machine& machine, const Layout& layout) {
  const std::int64_t rows = ceil_div(shape.ffn, layout.all_banks);
  return matrix_clocks(machine, layout, shape.hidden, shape.ffn, machine.aim.registers / 2) +
         machine.trace.function * real(rows) + machine.trace.function_start +
         matrix_clocks(machine, layout, shape.hidden, shape.ffn);
}

double query_key_value_clocks(const Shape& shape, const Machine& machine, const Layout& layout) {
  return matrix_clocks(machine, layout, shape.hidden, shape.query_size()) +
         2 * matrix_clocks(machine, layout, shape.hidden, shape.key_size());
}

double norm_clocks(const Shape& shape, const Machine& machine, const Layout& layout) {
  const Spread pairs = spread(machine, layout, shape.hidden, 2);
  const Spread quarters = spread(machine, layout, shape.hidden, 4);
  const Count bursts = 2 * pairs.bursts() + 3 * quarters.bursts();
  return real(layout.side_by_side * bursts) + machine.trace.norm + 2 * element_wise(machine, quarters.columns) +
         copies(machine, quarters.columns);
}

double rotary_clocks(const Shape& shape, const Machine& machine, const Layout& layout) {
  const Spread quarters = spread(machine, layout, shape.query_size(), 4);
  const std::int64_t lanes = machine.aim.lanes;
  const std::int64_t queries = shape.queries_of_head();
  const Count columns = ceil_div(2 * quarters.length, lanes) + ceil_div(2 * (quarters.length / queries), lanes);
  return real(2 * layout.side_by_side * quarters.parts * columns) + element_wise(machine, shape.query_size() / lanes) +
         element_wise(machine, shape.query_size() / queries / lanes);
}

/// Twice: scores and factors to the banks, an element-wise product for each row of a head, results back.
double softmax_clocks(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context) {
  const std::int64_t row = machine.aim.row_elements;
  const std::int64_t full = context / row;
  const std::int64_t rest = ceil_div(context % row, machine.aim.lanes);
  const Count columns = full * ceil_div(row, machine.aim.lanes) + rest;
  const std::int64_t rows = ceil_div(context, row);
  const std::int64_t heads_of_bank = ceil_div(shape.heads, layout.channels * (machine.aim.banks / 4));
  const double products = real(columns * machine.aim.timing.nCCD) + real(rows) * machine.trace.element_wise;
  return real(6 * layout.side_by_side * shape.heads * columns) + machine.trace.softmax +
         2 * real(heads_of_bank) * products;
}

/// Keys lie over all banks of a block, a row of heads after the other; values in the first device alone, each head in
/// one channel.
void add_attention(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                   StepClocks& steps) {
  const hardware::aim::Device& aim = machine.aim;
  const std::int64_t queries = shape.queries_of_head();
  const std::int64_t key_rows = ceil_div(shape.key_size(), aim.row_elements);
  const std::int64_t heads_of_channel = ceil_div(shape.kv_heads, layout.channels);
  const std::int64_t dimensions = shape.head_size / aim.banks;
  steps.store_keys =
      real(key_rows) * std::max(machine.trace.key_row * real(layout.side_by_side), machine.trace.key_row_gap);
  steps.store_values = machine.trace.value * real(dimensions * heads_of_channel);
  const Count rounds = Count{key_rows} * ceil_div(context, layout.all_banks);
  const hardware::aim::Product scores = hardware::aim::score_rows(
      aim, {.rows = rounds, .heads_of_row = aim.row_elements / shape.head_size, .queries = queries});
  steps.scores = std::max(0.0, real(scores.clocks) - machine.trace.scores_overlap);
  steps.softmax = softmax_clocks(shape, machine, layout, context);
  const std::int64_t head =
      hardware::aim::bank_rows(aim, {.inputs = context, .rows = dimensions, .registers = 1}).clocks;
  steps.values = machine.trace.end + real(heads_of_channel * queries * Count{head});
}

/// The sigmoid of the gate times the gate, copied, times the output of the up projection.
double activation_clocks(const Shape& shape, const Machine& machine, const Layout& layout) {
  const Spread quarters = spread(machine, layout, shape.ffn, 4);
  const TraceClocks& trace = machine.trace;
  const double wait = trace.activation_wait * real(quarters.columns) - trace.activation_hidden;
  return real(4 * layout.side_by_side * Count{quarters.bursts()}) + element_wise(machine, quarters.columns) +
         std::max(0.0, wait) + trace.activation + trace.activation_column * real(quarters.columns);
}

/// Seconds of a message of `flits` flits.
double transfer(const Machine& machine, double flits, bool halved) {
  const Link& link = machine.link;
  const double lanes = real(link.lanes / machine.devices);
  const double rate = lanes * link.lane_bandwidth * (halved ? link.multicast_share : 1);
  return link.latency + link.flit_bytes * flits / rate;
}

double flits_of(const Machine& machine, double elements) {
  constexpr double bytes = 2;
  return std::ceil(elements * bytes / machine.link.flit_payload);
}

}  // namespace

double StepClocks::total() const {
  return norm + query_key_value + rotary + store_keys + store_values + scores + softmax + values + output + gate_up +
         activation + down;
}

StepClocks step_clocks(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context) {
  StepClocks steps;
  steps.norm = 2 * norm_clocks(shape, machine, layout);
  steps.query_key_value = query_key_value_clocks(shape, machine, layout) + machine.trace.end;
  steps.rotary = rotary_clocks(shape, machine, layout);
  add_attention(shape, machine, layout, context, steps);
  steps.output = matrix_clocks(machine, layout, shape.query_size(), shape.hidden);
  steps.gate_up = gate_up_clocks(shape, machine, layout) + machine.trace.end;
  steps.activation = activation_clocks(shape, machine, layout);
  steps.down = matrix_clocks(machine, layout, shape.ffn, shape.hidden) + machine.trace.end;
  return steps;
}

double product_clocks(const Shape& shape, const Machine& machine, const Layout& layout) {
  return query_key_value_clocks(shape, machine, layout) +
         matrix_clocks(machine, layout, shape.query_size(), shape.hidden) + gate_up_clocks(shape, machine, layout) +
         matrix_clocks(machine, layout, shape.ffn, shape.hidden);
}

double embedding_clocks(const Shape& shape, const Machine& machine, const Layout& layout) {
  const Spread quarters = spread(machine, layout, shape.hidden, 4);
  const double norm = machine.trace.embedding_norm + real(2 * layout.side_by_side * Count{quarters.bursts()}) +
                      2 * element_wise(machine, quarters.columns) + copies(machine, quarters.columns);
  return matrix_clocks(machine, layout, shape.vocabulary, shape.hidden) + norm +
         matrix_clocks(machine, layout, shape.hidden, shape.vocabulary);
}

double link_seconds(const Shape& shape, const Machine& machine, const Layout& layout, const Faults& faults) {
  const auto hidden = real(shape.hidden);
  const bool halved = faults.multicast_rate_for_all;
  if (layout.mapping == Mapping::pipeline) {
    const double hop = transfer(machine, flits_of(machine, hidden), halved);
    return faults.transfers_within_device ? hop : hop * real(layout.used_devices) / real(shape.blocks);
  }
  const auto devices = real(layout.devices_of_block);
  if (layout.devices_of_block == 1 && !faults.transfers_of_one_device) {
    // Transfer of a stage's input from the previous stage.
    const double hop = transfer(machine, flits_of(machine, hidden), halved);
    return hop * real(layout.stages) / real(shape.blocks);
  }
  const auto ffn = real(shape.ffn);
  const auto broadcast = [&](double elements) { return transfer(machine, flits_of(machine, elements), true); };
  const auto gather = [&](double elements) {
    return transfer(machine, (devices - 1) * flits_of(machine, elements / devices), halved);
  };
  return 5 * broadcast(hidden) + 5 * gather(hidden) + gather(ffn) + broadcast(ffn);
}

NearMemoryClocks near_memory_clocks(const Shape& shape, const Machine& machine, std::int64_t context,
                                    const Faults& faults) {
  const NearMemory& near = machine.near_memory;
  const auto units = real(near.units);
  const auto lanes = real(near.lanes);
  const auto rounds = [&](double vectors) {
    return faults.fractional_rounds ? vectors / units : std::ceil(vectors / units);
  };
  // A round fills all units sequentially from the shared buffer.
  const double add = 2 * units * near.buffer_read + 1 + near.buffer_write;
  const double exponent = units * near.buffer_read + near.exponent + near.buffer_write;
  const auto hidden = real(shape.hidden);
  const auto heads = real(shape.heads);
  const double reduce = near.buffer_read + near.buffer_write + 1;
  NearMemoryClocks clocks;
  clocks.norm = 2 * (rounds(hidden / lanes / real(machine.aim.banks)) * add + reduce + near.core_norm);
  clocks.softmax =
      rounds(real(context) * heads / lanes) * (add + exponent) + heads * near.buffer_read +
      heads * (near.core_softmax_write * near.buffer_write + near.core_softmax / real(near.cores) + near.buffer_read);
  clocks.rotary = (1 + real(shape.kv_heads) / heads) * real(shape.query_size()) * near.core_rotation / real(near.cores);
  return clocks;
}

}  // namespace pimsweep::systems::llm::step::cent
