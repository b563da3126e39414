#include "systems/llm/halves.h"

#include <algorithm>
#include <cmath>

#include "systems/llm/channel_attention.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Bits;
using workload::decoder::Sequences;
using workload::decoder::Step;

/// Sequences of the first batch, of so many equal ones that come to channels in turn: the first half of each channel.
double first_half(double count, double channels) {
  const double each = std::floor(count / channels);
  const double longer = count - each * channels;
  const double shorter = channels - longer;
  const bool is_odd = std::fmod(each, 2) == 1;
  const double odd_channels = is_odd ? shorter : longer;
  return (count - odd_channels) / 2 + std::ceil(odd_channels / 2);
}

void divide_equal(const Pim& pim, const Sequences& some, Halves& halves) {
  const double first = first_half(some.count, static_cast<double>(pim.request_channels()));
  for (Halves::Half& half : halves.parts) half.sequences.push_back(some);
  halves.parts[0].sequences.back().count = first;
  halves.parts[1].sequences.back().count = some.count - first;
}

void divide_by_channels(const Pim& pim, const Bits& bits, const Step& step, Halves& halves) {
  const std::int64_t channels = pim.request_channels();
  if (pim.kind == PimKind::channels) {
    channel_loads(pim, step, bits, halves.loads);
    assign_channels(pim.assignment, halves.loads, channels, halves.plan);
  } else {
    double count = 0;
    for (const Sequences& some : step.sequences) count += some.generates() ? some.count : 0;
    halves.plan.channels.assign(static_cast<std::size_t>(count), 0);
  }
  halve_channels(halves.plan.channels, channels, halves.is_second);
  std::size_t next = 0;
  for (const Sequences& some : step.sequences) {
    if (!some.generates()) continue;
    const std::size_t end = next + static_cast<std::size_t>(some.count);
    for (; next < end; ++next) {
      Halves::Half& half = halves.parts[halves.is_second[next] ? 1 : 0];
      half.sequences.push_back(some);
      half.sequences.back().count = 1;
      half.channels.push_back(halves.plan.channels[next]);
    }
  }
}

}  // namespace

bool divide_sequences(const Pim& pim, const Bits& bits, const Step& step, Halves& halves) {
  for (Halves::Half& half : halves.parts) {
    half.sequences.clear();
    half.channels.clear();
  }
  if (std::ranges::count_if(step.sequences, &Sequences::generates) == 1) {
    divide_equal(pim, *std::ranges::find_if(step.sequences, &Sequences::generates), halves);
  } else {
    divide_by_channels(pim, bits, step, halves);
  }
  const auto has_some = [](const Halves::Half& half) {
    return std::ranges::any_of(half.sequences, [](const Sequences& some) { return some.count > 0; });
  };
  if (!std::ranges::all_of(halves.parts, has_some)) return false;
  for (const Sequences& some : step.sequences) {
    if (!some.generates()) halves.parts[0].sequences.push_back(some);
  }
  return true;
}

}  // namespace pimsweep::systems::llm
