#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/neupims/attention.h"
#include "systems/llm/step/channels.h"
#include "systems/llm/step/pim_units.h"

namespace pimsweep::systems::llm::step::pim {

/// Channels of NeuPIMs (ASPLOS 2024; hardware/neupims), each of which holds whole sequences and computes their
/// attention, which ends when the most loaded channel does. A channel counts the commands of NeuPIMs, or takes a time
/// that grows linearly with the context, as LLMServingSim has it.
class ChannelUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "channels";

  void add_axes(AxisList& axes) override {
    axes.choice(assignment_, "channel_assignment", channel_assignment_words,
                "rule by which sequences come to the PIM channels that hold their KV caches",
                ChannelAssignment::greedy);
    const auto number = [&](std::int64_t& place, const char* key, double min, double max, const char* doc,
                            const char* unit) {
      axes.count(place, "hardware.pim.channel." + std::string(key), min, max, doc, 1, unit);
    };
    hardware::neupims::Device& d = device_;
    number(d.channels, "count", 1, 1 << 16, "channels of a device whose PIM computes whole sequences", "1");
    number(d.banks, "banks", 1, 1 << 16, "banks of a channel that computes whole sequences", "1");
    number(d.page_bytes, "page", 1, 1 << 20, "bytes of a DRAM page of a channel that computes whole sequences", "B");
    number(d.write_cycles, "write", 0, 1e9, "cycles of writing a page's vector into a channel's buffer", "cycle");
    number(d.tile_cycles, "tile", 0, 1e9, "cycles of a page of each bank times a vector in a channel", "cycle");
    axes.quantity(slope_, "hardware.pim.channel.slope", "s", 0, 1,
                  "time of a cached position in a channel's attention, in place of counted commands; 0: these", 0)
        .quantity(intercept_, "hardware.pim.channel.intercept", "s", 0, 1,
                  "time of a sequence in a channel's attention, besides that of its positions", 0);
    axes.quantity(d.clock, "hardware.pim.channel.clock", "Hz", 1e3, 1e12,
                  "clock of channels that compute whole sequences", 1e9);
  }

  Cost attention(const PimDevices& pim, const Work& work, std::optional<double> fullest) const override {
    using workload::decoder::Sequences;
    const std::vector<Sequences>& sequences = work.step.sequences;
    const double bytes = work.op.operations * work.bits.cache / 16;
    Cost cost{.bytes = bytes, .energy = bytes * pim.memory_energy + work.op.operations * pim.operation_energy};
    if (fullest) {
      cost.seconds = *fullest;
      return cost;
    }
    if (std::ranges::count_if(sequences, &Sequences::generates) == 1) {
      // Sequences of one group come to channels evenly under any rule.
      const Sequences& some = *std::ranges::find_if(sequences, &Sequences::generates);
      cost.seconds = std::ceil(some.count / static_cast<double>(sequence_channels(pim))) * seconds_of(some, work);
      return cost;
    }
    std::vector<double> loads;
    channel_loads(pim, work, loads);
    std::vector<std::int32_t> channels;
    assign_channels(pim, loads, channels);
    cost.seconds = largest_load(loads, channels, sequence_channels(pim));
    return cost;
  }

  std::int64_t sequence_channels(const PimDevices& pim) const override { return pim.count * device_.channels; }
  bool holds_whole_sequences() const override { return true; }

  void channel_loads(const PimDevices& /*pim*/, const Work& work, std::vector<double>& loads) const override {
    loads.clear();
    for (const workload::decoder::Sequences& some : work.step.sequences) {
      if (some.is_prompt) continue;
      loads.insert(loads.end(), static_cast<std::size_t>(some.count), seconds_of(some, work));
    }
  }
  void assign_channels(const PimDevices& pim, std::span<const double> loads,
                       std::vector<std::int32_t>& channels) const override {
    step::assign_channels(assignment_, loads, sequence_channels(pim), channels);
  }
  void use_best_assignment() override { assignment_ = ChannelAssignment::optimal; }

 private:
  /// One sequence of a group on its channel.
  double seconds_of(const workload::decoder::Sequences& some, const Work& work) const {
    const workload::decoder::AttentionShape& a = work.step.attention;
    if (slope_ > 0) return some.new_tokens * (slope_ * mean_positions(some, work.step) + intercept_);
    const double cycles = hardware::neupims::attention_cycles(
        device_, {.heads = a.heads,
                  .head_size = (a.key_size + a.value_size) / 2,
                  .context = std::max(1.0, std::round(mean_positions(some, work.step))),
                  .value_bytes = work.bits.cache / 8});
    return some.new_tokens * cycles / device_.clock;
  }

  hardware::neupims::Device device_;
  double slope_ = 0;
  double intercept_ = 0;
  ChannelAssignment assignment_ = ChannelAssignment::greedy;
};

}  // namespace pimsweep::systems::llm::step::pim
