#include "hardware/dram/machine.h"

#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <numbers>

#include "hardware/dram/analytic.h"
#include "hardware/dram/simulation.h"

namespace pimsweep::hardware::dram {

namespace {

/// Adds the work of `channels` equal channels that run in parallel.
void add_channels(Result& machine, const Result& channel, std::int64_t channels) {
  machine.cycles = std::max(machine.cycles, channel.cycles);
  machine.cycles_last_accept = std::max(machine.cycles_last_accept, channel.cycles_last_accept);
  machine.open_clocks += channels * channel.open_clocks;
  for_each_count(machine, channel,
                 [&](std::int64_t& count, std::int64_t of_channel) { count += channels * of_channel; });
}

std::bitset<max_mix_cycle> writes_of(const Interleaving& dealt, const ReadMix& mix, std::int64_t channel) {
  std::bitset<max_mix_cycle> writes;
  const std::int64_t cycle = mix.cycle();
  if (cycle <= 1) return writes;
  const std::int64_t repeats = dealt.repeats(cycle);
  for (std::int64_t own = 0; own < repeats; ++own) {
    writes[static_cast<std::size_t>(own)] = dealt.number(channel, own) % cycle >= cycle / 2;
  }
  return writes;
}

/// The mix of one channel; for the estimate it does not matter which of its requests write.
ReadMix mix_of(const EqualStreams& streams, const Interleaving& dealt, const ReadMix& mix) {
  const std::int64_t cycle = mix.cycle();
  if (cycle <= 1) return mix;
  if (streams.writes.none()) return {ReadMix::Kind::reads, 100};
  if (static_cast<std::int64_t>(streams.writes.count()) == dealt.repeats(cycle)) return {ReadMix::Kind::writes, 0};
  return mix;
}

/// Expected maximum number of requests of a channel, if each receives `mean` on average. Minus their mean, the numbers
/// of a multinomial draw are independent normal numbers of variance `mean` minus their own mean; the expected maximum
/// of normal numbers is that of Blom, Statistical Estimates and Transformed Beta-Variables, 1958.
std::int64_t expected_max_requests(std::int64_t requests, std::int64_t channels) {
  const auto n = static_cast<double>(channels);
  const double mean = static_cast<double>(requests) / n;
  const double share = (n - 0.375) / (n + 0.25);
  const double largest = std::numbers::sqrt2 * boost::math::erf_inv(2 * share - 1);
  const double expected_max = std::min(std::ceil(mean + std::sqrt(mean) * largest), static_cast<double>(requests));
  return static_cast<std::int64_t>(expected_max);
}

/// Traffic of a single channel.
Traffic on_one_channel(Traffic traffic, std::int64_t requests) {
  traffic.requests = requests;
  traffic.channels = 1;
  return traffic;
}

}  // namespace

std::vector<EqualStreams> equal_streams(const Organization& organization, const Traffic& traffic) {
  const Interleaving dealt = interleaving(organization, traffic);
  // A mix of requests to random channels has no cycle on any of them.
  const ReadMix mix = draws_places(traffic.pattern) ? ReadMix{} : traffic.mix;
  std::vector<EqualStreams> groups;
  for (std::int64_t channel = 0; channel < traffic.channels; ++channel) {
    const std::int64_t requests = dealt.share(traffic.requests, channel);
    // Blocks are distributed in order: later channels have none either.
    if (requests == 0) break;
    const auto writes = writes_of(dealt, mix, channel);
    const auto same = std::ranges::find_if(
        groups, [&](const EqualStreams& group) { return group.requests == requests && group.writes == writes; });
    if (same != groups.end()) {
      ++same->channels;
    } else {
      groups.push_back({channel, 1, requests, writes});
    }
  }
  return groups;
}

std::vector<ChannelResult> simulate_channels(const Dram& dram, const ControllerOptions& options,
                                             const Traffic& traffic) {
  std::vector<ChannelResult> results;
  if (draws_places(traffic.pattern) || traffic.mix.kind == ReadMix::Kind::random) {
    for (std::int64_t channel = 0; channel < traffic.channels; ++channel) {
      const Result result = simulate(dram, options, traffic, channel);
      const Commands& c = result.commands;
      const std::int64_t requests = c.rd + c.wr + result.reads_forwarded + result.writes_coalesced;
      if (requests > 0) results.push_back({{channel, 1, requests, {}}, result});
    }
    return results;
  }
  for (const EqualStreams& streams : equal_streams(dram.organization, traffic)) {
    results.push_back({streams, simulate(dram, options, traffic, streams.channel)});
  }
  return results;
}

Result simulate_machine(const Dram& dram, const ControllerOptions& options, const Traffic& traffic) {
  Result machine;
  for (const auto& [streams, result] : simulate_channels(dram, options, traffic)) {
    add_channels(machine, result, streams.channels);
  }
  return machine;
}

Result simulate_trace(const Dram& dram, const ControllerOptions& options, const TraceReplay& replay, TraceLog& log) {
  Result machine;
  for (std::int64_t channel = 0; channel < replay.channels; ++channel) {
    TraceSource source(dram.organization, replay, channel);
    add_channels(machine, simulate(dram, options, source, log), 1);
  }
  return machine;
}

Result estimate_machine(const Dram& dram, const ControllerOptions& options, const Traffic& traffic) {
  if (traffic.channels == 1) return estimate(dram, options, traffic);
  Result machine;
  const Interleaving dealt = interleaving(dram.organization, traffic);
  const bool drawn = draws_places(traffic.pattern);
  for (const EqualStreams& streams : equal_streams(dram.organization, traffic)) {
    Traffic part = on_one_channel(traffic, streams.requests);
    if (!drawn) part.mix = mix_of(streams, dealt, traffic.mix);
    add_channels(machine, estimate(dram, options, part), streams.channels);
  }
  if (drawn) {
    const Traffic latest = on_one_channel(traffic, expected_max_requests(traffic.requests, traffic.channels));
    machine.cycles = std::max(machine.cycles, estimate(dram, options, latest).cycles);
  }
  return machine;
}

}  // namespace pimsweep::hardware::dram
