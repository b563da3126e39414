#include "systems/llm/step/cent/device_work.h"

#include <algorithm>

#include "hardware/aim/product.h"
#include "hardware/integer_math.h"
#include "systems/llm/step/cent/block_time.h"

namespace pimsweep::systems::llm::step::cent {

using hardware::ceil_div;

namespace {

/// Adds up the work of a device.
class Tally {
 public:
  Tally(const Machine& machine, const Layout& layout, const Faults& faults)
      : machine_(machine), layout_(layout), faults_(faults) {}

  DeviceWork& work() { return work_; }

  /// Channels of a device that a step uses which needs `needed` of a block's channels, in all devices.
  std::int64_t channels_for(std::int64_t needed) const {
    if (faults_.idle_channels_work) {
      const std::int64_t all = machine_.aim.channels;
      return needed > all ? all : all / needed * needed;
    }
    return ceil_div(needed, layout_.devices_of_block) * layout_.side_by_side;
  }

  /// Adds the commands of one channel, on `channels` channels.
  void add(const hardware::aim::Commands& commands, std::int64_t channels) {
    work_.commands += commands * channels;
    work_.channels = std::max(work_.channels, channels);
  }

  void add_matrix(std::int64_t inputs, std::int64_t outputs, std::int64_t registers) {
    const hardware::aim::Device& aim = machine_.aim;
    const std::int64_t rows = ceil_div(outputs, layout_.all_banks);
    const std::int64_t used_banks = ceil_div(outputs, rows);
    const hardware::aim::Product product =
        hardware::aim::bank_rows(aim, {.inputs = inputs, .rows = rows, .registers = registers});
    add(product.commands, channels_for(ceil_div(used_banks, aim.banks)));
    work_.instructions += ceil_div(inputs, aim.row_elements) * (1 + 3 * Count{rows});
  }
  void add_matrix(std::int64_t inputs, std::int64_t outputs) { add_matrix(inputs, outputs, machine_.aim.registers); }

  /// The activation function of the gate's results: a row of its table in each bank, opened for each group of
  /// registers.
  void add_function(std::int64_t outputs) {
    const hardware::aim::Device& aim = machine_.aim;
    const std::int64_t rows = ceil_div(outputs, layout_.all_banks);
    const std::int64_t channels = channels_for(ceil_div(ceil_div(outputs, rows), aim.banks));
    add({.act16 = ceil_div(rows, aim.registers / 2), .af16 = rows, .rdaf16 = rows}, channels);
    work_.instructions += 2 * Count{rows};
  }

 private:
  const Machine& machine_;
  const Layout& layout_;
  const Faults& faults_;
  DeviceWork work_;
};

void add_products(const Shape& shape, const Machine& machine, Tally& tally) {
  tally.add_matrix(shape.hidden, shape.query_size());
  tally.add_matrix(shape.hidden, shape.key_size());
  tally.add_matrix(shape.hidden, shape.key_size());
  tally.add_matrix(shape.query_size(), shape.hidden);
  tally.add_matrix(shape.hidden, shape.ffn, machine.aim.registers / 2);
  tally.add_function(shape.ffn);
  tally.add_matrix(shape.hidden, shape.ffn);
  tally.add_matrix(shape.ffn, shape.hidden);
}

/// Each round has a key for every bank; the last one may leave channels without any.
void add_scores(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                const Faults& faults, Tally& tally) {
  const hardware::aim::Device& aim = machine.aim;
  const std::int64_t key_rows = ceil_div(shape.key_size(), aim.row_elements);
  const std::int64_t heads_of_row = aim.row_elements / shape.head_size;
  const hardware::aim::Product row = hardware::aim::score_rows(
      aim, {.rows = key_rows, .heads_of_row = heads_of_row, .queries = shape.queries_of_head()});
  const std::int64_t rounds = ceil_div(context, layout.all_banks);
  const std::int64_t last = ceil_div(context - (rounds - 1) * layout.all_banks, aim.banks);
  const bool many_devices = layout.all_banks > aim.banks * aim.channels;
  tally.add(row.commands * (rounds - 1), layout.working_channels());
  tally.add(row.commands, faults.idle_channels_work && many_devices ? aim.channels : tally.channels_for(last));
  tally.work().instructions += Count{key_rows} * rounds * shape.queries_of_head() * (1 + 3 * heads_of_row);
}

void add_values(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context, Tally& tally) {
  const hardware::aim::Device& aim = machine.aim;
  const std::int64_t dimensions = shape.head_size / aim.banks;
  const Count heads = ceil_div(shape.kv_heads, layout.channels) * shape.queries_of_head();
  const hardware::aim::Product head =
      hardware::aim::bank_rows(aim, {.inputs = context, .rows = dimensions, .registers = 1});
  tally.add(head.commands * heads, layout.working_channels());
  tally.work().instructions += heads * ceil_div(context, aim.row_elements) * (1 + 3 * dimensions);
}

/// Bursts into single banks and out of them, by step; `rows`: rows of scores of a head.
void add_bursts(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t score_columns,
                std::int64_t rows, hardware::aim::Commands& commands) {
  const hardware::aim::Device& aim = machine.aim;
  const std::int64_t side = layout.side_by_side;
  const Spread pairs = spread(machine, layout, shape.hidden, 2);
  const Spread quarters = spread(machine, layout, shape.hidden, 4);
  const Spread heads = spread(machine, layout, shape.query_size(), 4);
  const Spread wide = spread(machine, layout, shape.ffn, 4);
  const std::int64_t row_columns = ceil_div(aim.row_elements, aim.lanes);
  const std::int64_t key_rows = ceil_div(shape.key_size(), aim.row_elements);
  const Count rotated = heads.parts * Count{ceil_div(2 * heads.length, aim.lanes) +
                                            ceil_div(2 * (heads.length / shape.queries_of_head()), aim.lanes)};
  const Count scores = Count{shape.heads} * score_columns;
  commands.rd += side * (2 * Count{quarters.bursts()} + 2 * scores + wide.bursts());
  commands.wr += side * (4 * Count{pairs.bursts()} + 4 * Count{quarters.bursts()} + 2 * rotated +
                         Count{row_columns} * key_rows + 4 * scores + 3 * Count{wide.bursts()});
  // Rows that these open: one for each step and bank, but those of short scores stay open.
  const std::int64_t heads_of_bank = ceil_div(shape.heads, layout.channels * (aim.banks / 4));
  const Count score_rows = heads_of_bank * rows == 1 ? 2 * Count{shape.heads} : 6 * Count{shape.heads} * rows;
  commands.act +=
      side * (4 * Count{pairs.parts} + 6 * Count{quarters.parts} + 4 * Count{heads.parts} + key_rows + score_rows);
}

/// Work on vectors in all banks: sums of squares, element-wise products and copies.
void add_vectors(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t score_columns,
                 std::int64_t rows, Tally& tally) {
  const hardware::aim::Device& aim = machine.aim;
  const Spread pairs = spread(machine, layout, shape.hidden, 2);
  const Spread quarters = spread(machine, layout, shape.hidden, 4);
  const Spread wide = spread(machine, layout, shape.ffn, 4);
  const std::int64_t groups = aim.banks / 4;
  const std::int64_t heads_of_bank = ceil_div(shape.heads, layout.channels * groups);
  const Count score_rows = Count{heads_of_bank} * rows;
  const std::int64_t copied = groups * (2 * quarters.columns + wide.columns);
  hardware::aim::Commands commands;
  commands.mac16 = 2 * pairs.columns;
  commands.rdmac16 = 2;
  commands.wrmac16 = 2;
  commands.rdcp = copied;
  commands.wrcp = copied;
  commands.ewmul16 = 4 * quarters.columns + shape.query_size() / aim.lanes +
                     shape.query_size() / shape.queries_of_head() / aim.lanes +
                     2 * Count{heads_of_bank} * score_columns + 2 * wide.columns;
  commands.act16 = 6 + 2 * score_rows - (score_rows == 1 ? 1 : 0);
  commands.tmod = 19;
  tally.add(commands, layout.working_channels());
  // Values of the token: one column in all banks, channel by channel.
  const Count values = Count{shape.head_size / aim.banks} * shape.kv_heads;
  tally.work().commands += hardware::aim::Commands{.act16 = values, .wra16 = values};
  // Per norm: three commands for the sum, two products, copies, the end, and an addition after each half of the block.
  const std::int64_t norm = 3 + 2 + 2 * groups + 1 + 1;
  const std::int64_t activation = 2 + 2 * groups + 1;
  tally.work().instructions += 2 * norm + 2 + values + 2 + 2 * score_rows + activation;
}

}  // namespace

DeviceWork first_device_work(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                             const Faults& faults) {
  const hardware::aim::Device& aim = machine.aim;
  Tally tally(machine, layout, faults);
  add_products(shape, machine, tally);
  add_scores(shape, machine, layout, context, faults, tally);
  add_values(shape, machine, layout, context, tally);
  const std::int64_t rows = ceil_div(context, aim.row_elements);
  const std::int64_t score_columns = context / aim.row_elements * ceil_div(aim.row_elements, aim.lanes) +
                                     ceil_div(context % aim.row_elements, aim.lanes);
  add_bursts(shape, machine, layout, score_columns, rows, tally.work().commands);
  add_vectors(shape, machine, layout, score_columns, rows, tally);
  DeviceWork work = tally.work();
  work.clocks = step_clocks(shape, machine, layout, context).total();
  return work;
}

DeviceWork other_device_work(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                             const Faults& faults) {
  Tally tally(machine, layout, faults);
  add_products(shape, machine, tally);
  tally.work().clocks = product_clocks(shape, machine, layout);
  if (!faults.scores_of_first_device) {
    add_scores(shape, machine, layout, context, faults, tally);
    tally.work().clocks += step_clocks(shape, machine, layout, context).scores;
  }
  return tally.work();
}

DeviceWork embedding_work(const Shape& shape, const Machine& machine, const Layout& layout) {
  // One token at a time: no other block works at the same time.
  Layout alone = layout;
  alone.side_by_side = 1;
  const Faults none;
  Tally tally(machine, alone, none);
  tally.add_matrix(shape.vocabulary, shape.hidden);
  tally.add_matrix(shape.hidden, shape.vocabulary);
  DeviceWork work = tally.work();
  work.clocks = embedding_clocks(shape, machine, layout);
  return work;
}

}  // namespace pimsweep::systems::llm::step::cent
