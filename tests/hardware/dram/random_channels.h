#pragma once

#include <array>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "channels.h"
#include "hardware/dram/controller.h"
#include "hardware/dram/pattern.h"
#include "hardware/dram/request.h"
#include "hardware/dram/rules.h"

namespace pimsweep::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  std::int64_t operator()(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(engine_);
  }
  std::int64_t power_of_two(int max_bits) { return std::int64_t{1} << (*this)(0, max_bits); }

 private:
  std::mt19937_64 engine_;
};

/// Any channel, of any timing in which refreshes leave time for requests.
inline hardware::dram::Dram random_dram(Dice& dice) {
  hardware::dram::Dram dram;
  constexpr std::array standards{"dram-DDR4_2400R",  "dram-GDDR6_14000", "dram-HBM2_2000",
                                 "dram-DDR5_4800AN", "dram-LPDDR5_6400", "dram-HBM3_6400"};
  follow(dram, standards[static_cast<std::size_t>(dice(0, std::ssize(standards) - 1))]);
  dram.constraints = hardware::dram::parse_constraints(dram.constraints->text +
                                                       "domain | REFpb | REFpb | nPBR2PBR\n"
                                                       "domain | REFpb | ACT | nRREFD\n"
                                                       "bank | REFpb | ACT | nRFCpb\n"
                                                       "ranks | RD | RD WR | nBL + nRTRS\n"
                                                       "ranks | WR | RD WR | nCWL + nRTRS\n"
                                                       "stacks | RD | RD | nCCDR\n"
                                                       "stacks | WR | RD | nRTRS\n");
  hardware::dram::Timing& t = dram.timing;
  for (auto clocks : {&hardware::dram::Timing::nCL, &hardware::dram::Timing::nCWL, &hardware::dram::Timing::nRCDRD,
                      &hardware::dram::Timing::nRCDWR, &hardware::dram::Timing::nRP, &hardware::dram::Timing::nRAS,
                      &hardware::dram::Timing::nWR, &hardware::dram::Timing::nRTP, &hardware::dram::Timing::nWTRS,
                      &hardware::dram::Timing::nRRDS}) {
    t.*clocks = dice(1, 20);
  }
  t.nBL = dice(1, 5);
  t.nCCDS = dice(1, 5);
  t.nCCDL = t.nCCDS + dice(0, 4);
  t.nWTRL = t.nWTRS + dice(0, 4);
  t.nRRDL = t.nRRDS + dice(0, 4);
  t.nRC = t.nRAS + dice(0, 20);
  t.nFAW = dice(1, 80);
  t.nRFC = dice(2, 100);
  t.nPPD = dice(0, 4);
  t.nCCDS_WR = dice(1, 5);
  t.nCCDL_WR = t.nCCDS_WR + dice(0, 8);
  t.nRTW = dice(1, 20);
  t.nRPab = t.nRP + dice(0, 4);
  dram.organization = {.domains = dram.commands.buses == 2 ? dice.power_of_two(1) : 1,
                       .groups = dice.power_of_two(2),
                       .banks = dice.power_of_two(2),
                       .rows = dice.power_of_two(4),
                       .columns = dice.power_of_two(3),
                       .access_bytes = 64};
  dram.organization.stacks = std::min(dram.organization.groups, dice.power_of_two(1));
  if (dram.commands.buses == 1) dram.organization.domains = dram.organization.ranks = dice.power_of_two(1);
  dram.commands.refreshed_groups = std::min(dram.organization.groups, dice.power_of_two(2));
  t.nAAD = dram.commands.activate == 2 && dram.commands.access == 1 && dram.commands.buses == 1 ? dice(0, 4) : 0;
  t.nRTRS = dice(0, 8);
  t.nCCDR = dice(0, 8);
  t.nRFCpb = dice(2, 100);
  t.nRREFD = dice(0, 20);
  t.nPBR2PBR = dice(0, 40);
  const std::int64_t waits = hardware::dram::Rules(dram).bank_refresh_blocks() * dram.organization.domains;
  t.nREFIpb = waits + t.nRFCpb + dice(1, 100);
  t.nREFI = hardware::dram::Rules(dram).refresh_blocks() * dram.organization.domains + dice(1, 600);
  return dram;
}

inline hardware::dram::ControllerOptions random_options(Dice& dice) {
  hardware::dram::ControllerOptions options;
  options.scheduler = static_cast<hardware::dram::Scheduler>(dice(0, 2));
  options.refresh = static_cast<hardware::dram::Refresh>(dice(0, 3) % 3);
  options.read_queue = dice(1, 24);
  options.write_queue = dice(1, 24);
  options.write_low = static_cast<double>(dice(0, 10)) / 10;
  options.write_high = options.write_low + static_cast<double>(dice(0, 10)) / 10 * (1 - options.write_low);
  if (dice(0, 2) == 0) options.row_policy = hardware::dram::RowPolicy::closed;
  if (dice(0, 2) == 0) options.hit_cap = dice(1, 3);
  return options;
}

/// Any pattern and mix.
inline hardware::dram::Traffic random_traffic(Dice& dice, std::int64_t max_requests) {
  using namespace hardware::dram;
  Traffic traffic;
  traffic.pattern = pattern_words[static_cast<std::size_t>(dice(0, std::ssize(pattern_words) - 1))].value;
  constexpr std::array mappings{"RoBaRaCoCh", "ChRaBaRoCo", "MOP4CLXOR", "RoBaCoBgRaChCo1 BaBg^Ro"};
  traffic.mapping = parse_mapping(mappings[static_cast<std::size_t>(dice(0, std::ssize(mappings) - 1))]);
  traffic.mix = {static_cast<ReadMix::Kind>(dice(0, 4)), dice(0, 100)};
  traffic.requests = dice(1, max_requests);
  traffic.seed = static_cast<std::uint64_t>(dice(0, 1000));
  return traffic;
}

/// Any pattern and mix without draws.
inline hardware::dram::Traffic regular_traffic(Dice& dice, std::int64_t max_requests) {
  using namespace hardware::dram;
  Traffic traffic = random_traffic(dice, max_requests);
  while (draws_places(traffic.pattern) || traffic.mix.kind == ReadMix::Kind::random) {
    traffic = random_traffic(dice, max_requests);
  }
  return traffic;
}

/// Requests to a channel, one at a time.
inline std::vector<hardware::dram::Request> requests_of(const hardware::dram::Organization& organization,
                                                        const hardware::dram::Traffic& traffic,
                                                        std::int64_t channel = 0) {
  std::vector<hardware::dram::Request> requests;
  for (hardware::dram::TrafficSource source(organization, traffic, channel); source.more();) {
    requests.push_back(source.next());
  }
  return requests;
}

}  // namespace pimsweep::test
