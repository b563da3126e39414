#include "systems/allspark/cycle/simulator_cache.h"

#include "base/key_hash.h"

namespace pimsweep::systems::allspark::cycle {

// Hashes cover what studies vary most; equality covers everything.
std::size_t SimulatorCache::Hash::operator()(const CycleSettings& key) const {
  return combined_hash(key.banks, key.word_bytes, key.nodes.node_rows, key.nodes.node_cols, key.pipelined);
}

std::size_t SimulatorCache::Hash::operator()(const Banks& key) const {
  return combined_hash(key.banks, key.word_bytes);
}

std::size_t SimulatorCache::Hash::operator()(const NodeNetwork& key) const {
  return combined_hash(key.node_rows, key.node_cols);
}

std::shared_ptr<PhaseSimulator> SimulatorCache::get(const CycleSettings& settings) {
  return simulators_.get(settings, [&] {
    const auto& dram = drams_.get({settings.bank, settings.banks, settings.word_bytes}, [&] {
      return std::make_shared<NodeDram>(settings.bank, settings.banks, settings.word_bytes);
    });
    const auto& rings = rings_.get(settings.nodes, [&] { return std::make_shared<RingTimes>(settings.nodes); });
    return std::make_shared<PhaseSimulator>(settings, dram, rings);
  });
}

}  // namespace pimsweep::systems::allspark::cycle
