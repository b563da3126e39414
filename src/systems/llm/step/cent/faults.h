#pragma once

#include "base/words.h"

namespace pimsweep::systems::llm::step::cent {

/// Differences between the accounting of CENT's artifact (cent_simulation, commit 8c79786) and the machine that the
/// paper describes, each separately; without any of them, the accounting is ours.
struct Faults {
  /// Times at rest are divided by the number of channels twice (cent_power_calculator.py:167-176).
  bool standby_divided_twice = false;
  /// The energy of CXL is that of one bit for each 16-bit element (run_sim.py:208).
  bool link_elements_as_bits = false;
  /// Energy over the time in PIM, not over the time of the token (run_sim.py:217, 221).
  bool power_by_pim_time = false;
  /// A pipeline's transfer is charged for every block, also between two of one device (run_sim.py:198).
  bool transfers_within_device = false;
  /// Broadcasts and gathers are charged where a single device has the block (cxl_latency.py:15-37).
  bool transfers_of_one_device = false;
  /// Gathers and transfers to a single device have a multicast's bandwidth (cxl_latency.py:9-12).
  bool multicast_rate_for_all = false;
  /// Channels without work repeat that of others (TransformerBlock.py:701, 796).
  bool idle_channels_work = false;
  /// Scores are computed in all devices of a block, but charged in the first one (Llama.py:938-967).
  bool scores_of_first_device = false;
  /// Near-memory units are charged in every device of a block, although only one of them works (run_sim.py:214).
  bool near_memory_everywhere = false;
  /// The last device of a pipeline is charged as full (run_sim.py:220).
  bool last_device_full = false;
  /// Waiting devices are free, whether they wait for CXL, near-memory units, embedding, the host, or work.
  bool free_waiting = false;
  /// The embedding and the head take time, but no energy.
  bool free_embedding = false;
  /// Near-memory units work on fractions of a round (run_sim.py:166-180).
  bool fractional_rounds = false;
  /// DRAM is never refreshed (aim_simulator, all_bank_refresh.cpp:33-46).
  bool no_refresh = false;
  /// Weights and KV caches that do not fit the memory of the devices run all the same.
  bool unlimited_memory = false;

  bool operator==(const Faults&) const = default;
};

inline constexpr Faults artifact_faults{.standby_divided_twice = true,
                                        .link_elements_as_bits = true,
                                        .power_by_pim_time = true,
                                        .transfers_within_device = true,
                                        .transfers_of_one_device = true,
                                        .multicast_rate_for_all = true,
                                        .idle_channels_work = true,
                                        .scores_of_first_device = true,
                                        .near_memory_everywhere = true,
                                        .last_device_full = true,
                                        .free_waiting = true,
                                        .free_embedding = true,
                                        .fractional_rounds = true,
                                        .no_refresh = true,
                                        .unlimited_memory = true};

/// The artifact's faults but for one.
constexpr Faults artifact_faults_without(bool Faults::*fixed) {
  Faults faults = artifact_faults;
  faults.*fixed = false;
  return faults;
}

/// The artifact's faults that are left where none of them is fixed, one alone, or all.
inline constexpr Words<Faults, 17> fixes_words{
    {{"none", artifact_faults},
     {"standby", artifact_faults_without(&Faults::standby_divided_twice)},
     {"link-elements", artifact_faults_without(&Faults::link_elements_as_bits)},
     {"power", artifact_faults_without(&Faults::power_by_pim_time)},
     {"transfers-within-device", artifact_faults_without(&Faults::transfers_within_device)},
     {"transfers-of-one-device", artifact_faults_without(&Faults::transfers_of_one_device)},
     {"multicast-rate", artifact_faults_without(&Faults::multicast_rate_for_all)},
     {"idle-channels", artifact_faults_without(&Faults::idle_channels_work)},
     {"scores", artifact_faults_without(&Faults::scores_of_first_device)},
     {"near-memory", artifact_faults_without(&Faults::near_memory_everywhere)},
     {"last-device", artifact_faults_without(&Faults::last_device_full)},
     {"waiting", artifact_faults_without(&Faults::free_waiting)},
     {"embedding", artifact_faults_without(&Faults::free_embedding)},
     {"rounds", artifact_faults_without(&Faults::fractional_rounds)},
     {"refresh", artifact_faults_without(&Faults::no_refresh)},
     {"memory", artifact_faults_without(&Faults::unlimited_memory)},
     {"all", Faults{}}}};

}  // namespace pimsweep::systems::llm::step::cent
