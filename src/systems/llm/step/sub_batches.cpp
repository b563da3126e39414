#include "systems/llm/step/sub_batches.h"

#include <algorithm>
#include <cmath>

#include "systems/llm/step/channels.h"

namespace pimsweep::systems::llm::step {

namespace {

using workload::decoder::Kind;
using workload::decoder::Sequences;
using workload::decoder::Step;

/// Sequences of the first sub-batch, of so many equal ones that come to channels round-robin: half of each channel.
double first_half(double count, double channels) {
  const double each = std::floor(count / channels);
  const double longer = count - each * channels;
  const double shorter = channels - longer;
  const bool is_odd = std::fmod(each, 2) == 1;
  const double odd_channels = is_odd ? shorter : longer;
  return (count - odd_channels) / 2 + std::ceil(odd_channels / 2);
}

void divide_equal(const Pim& pim, const Sequences& some, SubBatches& halves) {
  const double first = first_half(some.count, static_cast<double>(pim.sequence_channels()));
  for (SubBatches::Part& part : halves.parts) part.sequences.push_back(some);
  halves.parts[0].sequences.back().count = first;
  halves.parts[1].sequences.back().count = some.count - first;
}

/// Divides sequences that lie in channels. Each half has as many of each group as the others.
void divide_groups(const Step& step, const ChannelTimes& times, SubBatches& halves) {
  const double all = times.sequences_of_half[0] + times.sequences_of_half[1];
  for (std::size_t i = 0; i < halves.parts.size(); ++i) {
    SubBatches::Part& part = halves.parts[i];
    part.fullest = times.fullest_of_half[i];
    for (const Sequences& some : step.sequences) {
      if (!some.generates()) continue;
      part.sequences.push_back(some);
      part.sequences.back().count *= times.sequences_of_half[i] / all;
    }
  }
}

/// Halves the sequences of channels, which are assigned by the rule of the machine.
void divide_by_channels(const StepContext& context, const Step& step, SubBatches& halves) {
  const Pim& pim = context.machine->pim;
  const bool holds_whole = pim.units().holds_whole_sequences();
  std::vector<double> loads;
  if (holds_whole) {
    pim.units().channel_loads(pim, {step.operators.front(), step, context.bits}, loads);
  } else {
    double count = 0;
    for (const Sequences& some : step.sequences) count += some.generates() ? some.count : 0;
    loads.assign(static_cast<std::size_t>(count), 0);
  }
  std::vector<std::int32_t> channels;
  pim.units().assign_channels(pim, loads, channels);
  std::vector<bool> is_second;
  halve_channels(channels, pim.sequence_channels(), is_second);
  std::array<std::vector<double>, 2> loads_of_half;
  std::array<std::vector<std::int32_t>, 2> channels_of_half;
  std::size_t next = 0;
  for (const Sequences& some : step.sequences) {
    if (!some.generates()) continue;
    const std::size_t end = next + static_cast<std::size_t>(some.count);
    for (; next < end; ++next) {
      const std::size_t half = is_second[next] ? 1 : 0;
      halves.parts[half].sequences.push_back(some);
      halves.parts[half].sequences.back().count = 1;
      loads_of_half[half].push_back(loads[next]);
      channels_of_half[half].push_back(channels[next]);
    }
  }
  if (!holds_whole) return;
  for (std::size_t half = 0; half < halves.parts.size(); ++half) {
    halves.parts[half].fullest = largest_load(loads_of_half[half], channels_of_half[half], pim.sequence_channels());
  }
}

bool is_attention_on_pim(const OperatorRun& run) { return run.op->kind == Kind::attention && run.pim_share == 1; }

/// Seconds of an operator by itself, which is on one side.
double alone(const OperatorRun& run) { return run.gpu.seconds + run.pim.seconds + run.link.seconds; }

/// Seconds of a batch in a mean block: on the GPU before attention on PIM, in attention, and after it.
struct BlockParts {
  double before = 0;
  double attention = 0;
  double after = 0;

  double gpu() const { return before + after; }
};

BlockParts block_parts(std::span<const OperatorRun> runs, double blocks) {
  BlockParts parts;
  double* gpu = &parts.before;
  for (const OperatorRun& run : runs) {
    if (!run.is_in_block()) continue;
    const double seconds = run.op->times / blocks * alone(run);
    if (is_attention_on_pim(run)) {
      parts.attention = seconds;
      gpu = &parts.after;
    } else {
      *gpu += seconds;
    }
  }
  return parts;
}

/// Places of a batch's operators in a period of two stages: on the GPU from `start` on, first those that follow
/// attention, and attention on PIM from `attention_start` on.
void place_runs(std::span<OperatorRun> runs, double start, double attention_start) {
  const auto attention = std::ranges::find_if(runs, is_attention_on_pim);
  double clock = start;
  const auto place = [&](OperatorRun& run) {
    if (!run.is_in_block()) return;
    const bool on_pim = is_attention_on_pim(run);
    run.start = on_pim ? attention_start : clock;
    run.end = run.start + alone(run);
    if (!on_pim) clock = run.end;
  };
  for (auto run = attention; run != runs.end(); ++run) place(*run);
  for (auto run = runs.begin(); run != attention; ++run) place(*run);
}

}  // namespace

bool divide_sequences(const StepContext& context, const Step& step, const std::optional<ChannelTimes>& times,
                      SubBatches& halves) {
  for (SubBatches::Part& part : halves.parts) {
    part.sequences.clear();
    part.fullest.reset();
  }
  if (times) {
    divide_groups(step, *times, halves);
  } else if (std::ranges::count_if(step.sequences, &Sequences::generates) == 1) {
    divide_equal(context.machine->pim, *std::ranges::find_if(step.sequences, &Sequences::generates), halves);
  } else {
    divide_by_channels(context, step, halves);
  }
  const auto has_some = [](const SubBatches::Part& part) {
    return std::ranges::any_of(part.sequences, [](const Sequences& some) { return some.count > 0; });
  };
  if (!std::ranges::all_of(halves.parts, has_some)) return false;
  for (const Sequences& some : step.sequences) {
    if (!some.generates()) halves.parts[0].sequences.push_back(some);
  }
  return true;
}

double interleave_sub_batches(std::span<OperatorRun> first, std::span<OperatorRun> second, double blocks,
                              const Connections& connections) {
  const BlockParts one = block_parts(first, blocks);
  const BlockParts two = block_parts(second, blocks);
  const bool gpu_waits = connections.attention_stops_gpu;
  const auto stage = [&](double gpu, double pim) { return gpu_waits ? gpu + pim : std::max(gpu, pim); };
  const double begin = one.before + stage(two.before, one.attention);
  const double first_stage = stage(one.gpu(), two.attention);
  const double period = first_stage + stage(two.gpu(), one.attention);
  const double end = stage(one.after, two.attention) + two.after;
  const double seconds = begin + (blocks - 1) * period + end;
  place_runs(first, 0, first_stage + (gpu_waits ? two.gpu() : 0));
  place_runs(second, first_stage, gpu_waits ? one.gpu() : 0);
  const double sum = blocks * (one.gpu() + one.attention + two.gpu() + two.attention);
  for (const std::span<OperatorRun> runs : {first, second}) {
    for (OperatorRun& run : runs) {
      if (run.is_in_block()) run.seconds = alone(run) * seconds / sum;
    }
  }
  return seconds;
}

}  // namespace pimsweep::systems::llm::step
