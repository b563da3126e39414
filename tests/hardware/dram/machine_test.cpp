#include "hardware/dram/machine.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "channels.h"
#include "hardware/dram/analytic.h"
#include "hardware/dram/energy.h"
#include "hardware/dram/rules.h"
#include "hardware/dram/simulation.h"
#include "random_channels.h"

using namespace pimsweep::hardware::dram;
using namespace pimsweep;
using pimsweep::test::Dice;
using pimsweep::test::random_dram;
using pimsweep::test::random_options;
using pimsweep::test::random_traffic;
using pimsweep::test::regular_traffic;
using pimsweep::test::requests_of;

namespace {

/// Reads or writes of a pattern that draws nothing.
Traffic random_stream(Dice& dice) {
  Traffic traffic = regular_traffic(dice, 1);
  traffic.mix = dice(0, 1) == 0 ? ReadMix{} : ReadMix{ReadMix::Kind::writes, 0};
  return traffic;
}

std::vector<std::vector<Request>> requests_by_channel(const Organization& organization, const Traffic& traffic) {
  std::vector<std::vector<Request>> channels;
  for (std::int64_t channel = 0; channel < traffic.channels; ++channel) {
    channels.push_back(requests_of(organization, traffic, channel));
  }
  return channels;
}

void sum_up(Result& sum, const Result& channel) {
  sum.cycles = std::max(sum.cycles, channel.cycles);
  sum.cycles_last_accept = std::max(sum.cycles_last_accept, channel.cycles_last_accept);
  for (auto count : {&Result::row_hits, &Result::row_misses, &Result::row_conflicts, &Result::reads_forwarded,
                     &Result::writes_coalesced, &Result::read_latency, &Result::open_clocks}) {
    sum.*count += channel.*count;
  }
  for (auto count : {&Commands::act, &Commands::pre, &Commands::preab, &Commands::rd, &Commands::wr, &Commands::ref,
                     &Commands::refpb}) {
    sum.commands.*count += channel.commands.*count;
  }
}

}  // namespace

TEST_CASE("numbers dealt out to channels come back to one each") {
  Dice dice(1);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t channels = dice(1, 20);
    const Interleaving dealt(channels, dice.power_of_two(5));
    const std::int64_t count = dice(0, 1000);
    std::vector<int> owners(static_cast<std::size_t>(count));
    for (std::int64_t channel = 0; channel < channels; ++channel) {
      std::int64_t before = -1;
      for (std::int64_t own = 0; own < dealt.share(count, channel); ++own) {
        const std::int64_t number = dealt.number(channel, own);
        REQUIRE(number > before);
        ++owners.at(static_cast<std::size_t>(number));
        before = number;
      }
      const std::int64_t modulus = dice.power_of_two(7);
      const std::int64_t repeats = dealt.repeats(modulus);
      const std::int64_t own = dice(0, 500);
      CHECK(dealt.number(channel, own) % modulus == dealt.number(channel, own + repeats) % modulus);
    }
    CHECK(std::ranges::all_of(owners, [](int owner) { return owner == 1; }));
  }
}

TEST_CASE("a stream goes to the channels that its mapping names") {
  const Organization o{1, 2, 2, 4, 8, 64};
  for (Mapping mapping : {Mapping::ro_ba_ra_co_ch, Mapping::ch_ra_ba_ro_co, Mapping::mop4clxor}) {
    for (std::int64_t n : {1, 2, 3, 4, 7}) {
      Traffic traffic;
      traffic.mapping = mapping;
      traffic.channels = n;
      traffic.requests = 1001;
      traffic.mix = {ReadMix::Kind::runs_of_64, 50};
      std::vector<std::vector<Request>> expected(static_cast<std::size_t>(n));
      const AddressMapping map(o, mapping);
      for (std::int64_t i = 0; i < traffic.requests; ++i) {
        std::int64_t channel = i % n;
        std::int64_t access = i / n;
        if (mapping == Mapping::ch_ra_ba_ro_co) {
          channel = i / o.accesses() % n;
          access = i % o.accesses();
        } else if (mapping == Mapping::mop4clxor) {
          channel = i / 4 % n;
          access = i / 4 / n * 4 + i % 4;
        }
        Request request = map(access % o.accesses());
        request.write = i % 128 >= 64;
        expected[static_cast<std::size_t>(channel)].push_back(request);
      }
      CHECK(requests_by_channel(o, traffic) == expected);
    }
  }
}

TEST_CASE("one channel is what a channel alone is") {
  Dice dice(2);
  for (int round = 0; round < 100; ++round) {
    const Dram dram = random_dram(dice);
    const ControllerOptions options = random_options(dice);
    const Traffic traffic = random_traffic(dice, 1000);
    CHECK(simulate_machine(dram, options, traffic) == simulate(dram, options, traffic));
    CHECK(estimate_machine(dram, options, traffic) == estimate(dram, options, traffic));
  }
}

TEST_CASE("channels are what each of them is with the list of its requests") {
  Dice dice(3);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const Dram dram = random_dram(dice);
    const ControllerOptions options = random_options(dice);
    Traffic traffic = random_traffic(dice, 3000);
    traffic.channels = dice(0, 2) == 0 ? std::int64_t{64} << dice(0, 3) : dice(2, 12);
    CAPTURE(word_of(pattern_words, traffic.pattern), traffic.requests, traffic.channels);
    Result sum;
    std::int64_t requests = 0;
    for (const std::vector<Request>& list : requests_by_channel(dram.organization, traffic)) {
      sum_up(sum, simulate(dram, options, list));
      requests += std::ssize(list);
    }
    const Result machine = simulate_machine(dram, options, traffic);
    REQUIRE(machine == sum);
    CHECK(requests == traffic.requests);
    const Commands& c = machine.commands;
    CHECK(c.rd + c.wr + machine.reads_forwarded + machine.writes_coalesced == traffic.requests);
  }
}

TEST_CASE("energy of channels is the sum of theirs and of the waiting for the latest") {
  Dice dice(4);
  const Dram dram = test::ddr4_2400();
  for (int round = 0; round < 40; ++round) {
    Traffic traffic = random_traffic(dice, 2000);
    traffic.channels = dice(2, 9);
    const Result machine = simulate_machine(dram, {}, traffic);
    double sum = 0;
    for (std::int64_t channel = 0; channel < traffic.channels; ++channel) {
      const Result r = simulate(dram, {}, traffic, channel);
      const double waiting = static_cast<double>(machine.cycles - r.cycles) * dram.tCK;
      sum += energy(r, dram).total() + waiting * dram.power.voltage * dram.power.idd2n * 8;
    }
    CHECK(energy(machine, dram, traffic.channels).total() == Approx(sum).epsilon(1e-12));
  }
}

TEST_CASE("channels of a stream that divides evenly take the time of one with its part") {
  Dice dice(5);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const Dram dram = random_dram(dice);
    const ControllerOptions options = random_options(dice);
    Traffic part = random_stream(dice);
    // Blocks of a mapping are shared out whole.
    part.requests = dice(1, 200);
    if (part.pattern == Pattern::seq) part.requests *= channel_block(dram.organization, part.mapping);
    Traffic whole = part;
    whole.channels = dice(1, 40);
    whole.requests = part.requests * whole.channels;
    CAPTURE(word_of(pattern_words, part.pattern), part.requests, whole.channels);
    for (auto [one, all] : {std::pair{simulate(dram, options, part), simulate_machine(dram, options, whole)},
                            std::pair{estimate(dram, options, part), estimate_machine(dram, options, whole)}}) {
      Result expected;
      for (std::int64_t channel = 0; channel < whole.channels; ++channel) sum_up(expected, one);
      REQUIRE(all == expected);
    }
    CHECK(equal_streams(dram.organization, whole).size() == 1);
  }
}

// By arithmetic never. Simulated, a scheduler that takes the oldest ready command may lose with fewer requests (Graham
// 1969), which is rare and costs less than a refresh.
TEST_CASE("more channels are not slower for a stream") {
  Dice dice(6);
  int slower = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    const Dram dram = random_dram(dice);
    const ControllerOptions options = random_options(dice);
    Traffic traffic = random_stream(dice);
    traffic.requests = dice(1, 3000);
    CAPTURE(word_of(pattern_words, traffic.pattern), word_of(mapping_words, traffic.mapping), traffic.requests);
    std::int64_t simulated = simulate(dram, options, traffic).cycles;
    std::int64_t estimated = estimate(dram, options, traffic).cycles;
    for (std::int64_t channels : {2, 3, 4, 5, 8, 16, 100}) {
      traffic.channels = channels;
      CAPTURE(channels);
      const std::int64_t now = simulate_machine(dram, options, traffic).cycles;
      CHECK(now <= simulated + Rules(dram).refresh_blocks());
      slower += now > simulated ? 1 : 0;
      simulated = now;
      const std::int64_t arithmetic = estimate_machine(dram, options, traffic).cycles;
      CHECK(arithmetic <= estimated);
      estimated = arithmetic;
    }
  }
  CHECK(slower <= 3);
}

TEST_CASE("drawn channels get their part, and arithmetic knows the largest") {
  const Dram dram = test::ddr4_2400();
  for (std::int64_t channels : {2, 5, 16}) {
    Traffic traffic;
    traffic.pattern = Pattern::random;
    traffic.channels = channels;
    traffic.requests = 200 * channels;
    double most = 0;
    constexpr int seeds = 100;
    for (traffic.seed = 0; traffic.seed < seeds; ++traffic.seed) {
      std::size_t largest = 0;
      std::size_t sum = 0;
      for (const auto& list : requests_by_channel(dram.organization, traffic)) {
        largest = std::max(largest, list.size());
        sum += list.size();
      }
      REQUIRE(sum == static_cast<std::size_t>(traffic.requests));
      most += static_cast<double>(largest) / seeds;
    }
    Traffic latest = traffic;
    latest.channels = 1;
    latest.requests = std::llround(most);
    const Result all = estimate_machine(dram, {}, traffic);
    CHECK(static_cast<double>(all.cycles) ==
          Approx(static_cast<double>(estimate(dram, {}, latest).cycles)).epsilon(0.01));
    CHECK(all.commands.rd + all.commands.wr == traffic.requests);
    CHECK(all.row_hits + all.row_misses + all.row_conflicts == traffic.requests);
  }
}
