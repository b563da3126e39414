#include "systems/llm/step/cent/token.h"

#include "hardware/aim/product.h"

namespace pimsweep::systems::llm::step::cent {

namespace {

double whole(std::int64_t count) { return static_cast<double>(count); }

/// Leakage power in W of a device's parts other than DRAM, busy or idle.
double leakage_power(const Machine& machine) {
  const DevicePower& power = machine.power;
  return whole(machine.aim.channels) * power.global_buffer + power.shared_buffer + power.instruction_buffer +
         whole(machine.near_memory.units) * (power.reduce_leakage + power.exponent_leakage + power.add_leakage) +
         power.control;
}

/// W of a device whose banks are closed.
double waiting_power(const Machine& machine) {
  return whole(machine.aim.channels) * machine.aim.power.standby_precharged + leakage_power(machine);
}

/// Power in W of all accesses to buffers and near-memory units, each for a clock (cent_power_calculator.py:224-247):
/// sums of squares and of exponents, exponents and their sums and factors, and rotations.
double near_memory_accesses(const Shape& shape, const Machine& machine, std::int64_t context) {
  const DevicePower& power = machine.power;
  const NearMemory& near = machine.near_memory;
  const auto lanes = whole(near.lanes);
  const auto heads = whole(shape.heads);
  const double squares = whole(shape.hidden) / lanes / whole(machine.aim.banks);
  const double exponents = whole(context) * heads / lanes;
  const double rotated = (1 + whole(shape.kv_heads) / heads) * whole(shape.query_size());
  const double reads = 4 * (squares + 2) + 3 * exponents + 2 * heads + rotated / lanes;
  const double writes = 2 * (squares + 2) + 2 * exponents + 2 * heads + 2 * rotated / lanes;
  const double instructions = 2 * (squares + 2) + 2 * exponents + 2 * heads + rotated;
  const double softmax = near.core_softmax_write * near.buffer_write + near.core_softmax + near.buffer_read;
  const double core = 2 * near.core_norm + heads * softmax + rotated * near.core_rotation / whole(near.cores);
  return power.shared_buffer_read * reads + power.shared_buffer_write * writes + power.instruction * instructions +
         power.core * core + power.reduce * (2 + heads) + power.exponent * exponents +
         power.add * (2 * squares + exponents);
}

/// Bytes that a device sends and receives for a block.
double link_bytes(const Shape& shape, const Layout& layout, const Faults& faults) {
  const double element = faults.link_elements_as_bits ? 1.0 / 8 : 2;
  const auto hidden = whole(shape.hidden);
  const bool alone = layout.devices_of_block == 1 && !faults.transfers_of_one_device;
  if (layout.mapping == Mapping::pipeline) return element * hidden;
  if (alone) return element * hidden * whole(layout.stages) / whole(shape.blocks);
  return element * (10 * hidden + 2 * whole(shape.ffn));
}

/// Commands through a controller, and its traffic to the banks.
double controller_energy(const Machine& machine, const hardware::aim::Commands& c) {
  const Count transactions = c.pin_columns() + c.mac16 + c.af16 + c.ewmul16 + c.rdcp + c.wrcp;
  const Count commands = transactions + c.tmod + 2 * (c.act16 + c.act);
  return (machine.power.transaction * whole(transactions) + machine.power.phy * whole(commands)) /
         whole(machine.power.channels_of_controller) / machine.aim.clock;
}

double standby_energy(const Machine& machine, const DeviceWork& work, const Faults& faults) {
  const hardware::aim::Device& aim = machine.aim;
  const double all = whole(aim.channels) * work.clocks;
  const double precharged =
      whole(work.commands.act16 * aim.timing.nRP) + whole(aim.channels - work.channels) * work.clocks;
  const double joules =
      (aim.power.standby_active * (all - precharged) + aim.power.standby_precharged * precharged) / aim.clock;
  return faults.standby_divided_twice ? joules / whole(aim.channels) : joules;
}

/// Energy of the GEMVs of embedding and head, in the devices that share them.
TokenEnergy embedding_energy(const Shape& shape, const Machine& machine, const Layout& layout) {
  const DeviceWork work = embedding_work(shape, machine, layout);
  const hardware::aim::Energy banks = hardware::aim::energy(work.commands, machine.aim);
  const TokenEnergy one{.banks = banks.total() - banks.pins,
                        .pins = banks.pins,
                        .controllers = controller_energy(machine, work.commands),
                        .near_memory = machine.power.instruction * whole(work.instructions) / machine.aim.clock};
  return one * whole(layout.devices_of_block);
}

/// Energy of a token from that of the first device of a block and that of each other one.
TokenEnergy token_energy(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                         const Faults& faults, double refresh) {
  DeviceWork first = first_device_work(shape, machine, layout, context, faults);
  first.clocks *= refresh;
  TokenEnergy block = device_energy(shape, machine, layout, first, context, faults, true);
  if (layout.mapping == Mapping::pipeline) {
    const double blocks = whole(shape.blocks) / whole(layout.side_by_side);
    return block * (faults.last_device_full ? whole(layout.used_devices) : blocks);
  }
  if (layout.devices_of_block > 1) {
    DeviceWork other = other_device_work(shape, machine, layout, context, faults);
    other.clocks *= refresh;
    block += device_energy(shape, machine, layout, other, context, faults, faults.near_memory_everywhere) *
             whole(layout.devices_of_block - 1);
  }
  return block * whole(shape.blocks);
}

/// Clocks that the devices of a token's blocks work, times devices.
double working_seconds(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                       const Faults& faults, double refresh, const Token& token) {
  if (layout.mapping == Mapping::pipeline) {
    return whole(shape.blocks) / whole(layout.side_by_side) * token.pim_time;
  }
  double one = token.pim_time;
  if (layout.devices_of_block > 1) {
    const DeviceWork other = other_device_work(shape, machine, layout, context, faults);
    one += whole(layout.devices_of_block - 1) * other.clocks * refresh / machine.aim.clock;
  }
  return one * whole(shape.blocks);
}

}  // namespace

double TokenEnergy::total() const {
  return banks + pins + link + controllers + standby + leakage + near_memory + waiting;
}

TokenEnergy& TokenEnergy::operator+=(const TokenEnergy& other) {
  banks += other.banks;
  pins += other.pins;
  link += other.link;
  controllers += other.controllers;
  standby += other.standby;
  leakage += other.leakage;
  near_memory += other.near_memory;
  waiting += other.waiting;
  return *this;
}

TokenEnergy operator*(TokenEnergy energy, double factor) {
  energy.banks *= factor;
  energy.pins *= factor;
  energy.link *= factor;
  energy.controllers *= factor;
  energy.standby *= factor;
  energy.leakage *= factor;
  energy.near_memory *= factor;
  energy.waiting *= factor;
  return energy;
}

TokenEnergy device_energy(const Shape& shape, const Machine& machine, const Layout& layout, const DeviceWork& work,
                          std::int64_t context, const Faults& faults, bool has_units) {
  const hardware::aim::Energy banks = hardware::aim::energy(work.commands, machine.aim);
  const DevicePower& power = machine.power;
  const hardware::aim::Commands& commands = work.commands;
  const double buffers = power.global_buffer_read * whole(commands.wrcp) +
                         power.global_buffer_write * whole(commands.wrgb + commands.rdcp) +
                         power.instruction * whole(work.instructions);
  const double units = has_units ? near_memory_accesses(shape, machine, context) : 0;
  return {.banks = banks.total() - banks.pins,
          .pins = banks.pins,
          .link = machine.link.byte * link_bytes(shape, layout, faults),
          .controllers = controller_energy(machine, commands),
          .standby = standby_energy(machine, work, faults),
          .leakage = leakage_power(machine) * work.clocks / machine.aim.clock,
          .near_memory = (buffers + units) / machine.aim.clock};
}

Token token(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
            const Faults& faults) {
  const double clock = machine.aim.clock;
  const double refresh = faults.no_refresh ? 1 : hardware::aim::refresh_factor(machine.aim);
  Token result;
  result.steps = step_clocks(shape, machine, layout, context);
  result.pim_time = result.steps.total() * refresh / clock;
  result.link_time = link_seconds(shape, machine, layout, faults);
  result.near_memory_time =
      near_memory_clocks(shape, machine, context, faults).total() / clock * whole(layout.blocks_of_device);
  result.block_time = result.pim_time + result.link_time + result.near_memory_time;
  result.embedding_time = embedding_clocks(shape, machine, layout) * refresh / clock;
  result.time = whole(shape.blocks) * result.block_time + result.embedding_time + machine.host_time;
  result.tokens_per_second = whole(layout.stages) / result.time;
  result.utilization = layout.utilization(machine);

  result.energy = token_energy(shape, machine, layout, context, faults, refresh);
  if (!faults.free_embedding) result.energy += embedding_energy(shape, machine, layout);
  if (!faults.free_waiting) {
    const double all = whole(machine.devices) / result.tokens_per_second;
    const double working = working_seconds(shape, machine, layout, context, faults, refresh, result);
    result.energy.waiting = waiting_power(machine) * (all - working);
  }
  result.power = result.energy.total() * result.tokens_per_second;
  if (faults.power_by_pim_time) {
    // For a pipeline, energy of one round of all devices; otherwise that of the groups that work on other blocks.
    const double rounds = layout.mapping == Mapping::pipeline ? 1 : whole(layout.stages) / whole(shape.blocks);
    result.power = result.energy.total() * rounds / result.pim_time;
  }
  return result;
}

Phase phase(const Shape& shape, const Machine& machine, const Layout& layout, const Positions& positions,
            const Faults& faults) {
  Phase sum;
  double tokens = 0;
  for (std::int64_t position = positions.from + positions.step; position <= positions.to; position += positions.step) {
    const Token one = token(shape, machine, layout, position, faults);
    const auto blocks = static_cast<double>(shape.blocks);
    sum.time += one.time;
    sum.tokens_per_second += one.tokens_per_second;
    sum.energy += one.energy.total();
    sum.power += one.power;
    sum.pim_time += blocks * one.pim_time;
    sum.link_time += blocks * one.link_time;
    sum.near_memory_time += blocks * one.near_memory_time;
    ++tokens;
  }
  return {.time = sum.time / tokens * static_cast<double>(positions.to - positions.from),
          .tokens_per_second = sum.tokens_per_second / tokens,
          .energy = sum.energy / tokens,
          .power = sum.power / tokens,
          .pim_time = sum.pim_time / tokens,
          .link_time = sum.link_time / tokens,
          .near_memory_time = sum.near_memory_time / tokens};
}

}  // namespace pimsweep::systems::llm::step::cent
