#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "base/bounded_cache.h"
#include "base/checked.h"
#include "base/key_hash.h"
#include "systems/allspark/cycle/phase_times.h"
#include "systems/allspark/machine.h"
#include "systems/system.h"

namespace pimsweep::systems::allspark {

/// Remembers the mappings of GEMMs: stages and partitions of a model share most of their shapes.
class GemmCache {
 public:
  /// The best mapping of a GEMM on an array. The reference holds until the array changes or many thousand others were
  /// requested.
  const hardware::pe_array::GemmMapping& map(const hardware::pe_array::Gemm& gemm,
                                             const hardware::pe_array::PeArray& array);

 private:
  struct Hash {
    std::size_t operator()(const hardware::pe_array::Gemm& gemm) const { return combined_hash(gemm.m, gemm.n, gemm.k); }
  };
  hardware::pe_array::PeArray array_;
  /// Bounds the memory of a long sweep; a model needs a few hundred shapes.
  static constexpr std::size_t max_mappings = 1U << 16;
  BoundedCache<hardware::pe_array::Gemm, hardware::pe_array::GemmMapping, Hash> mappings_{max_mappings};
};

/// The four shares of a temporal layer's time, in cycles (Eq. 12: N_bt (T^c + T^t) + T^ws).
struct TimeShares {
  Count compute = 0;
  Count nonlinear = 0;
  Count transfer = 0;
  Count weight_sharing = 0;

  std::int64_t total() const { return compute + nonlinear + transfer + weight_sharing; }
  TimeShares& operator+=(const TimeShares& other);
  friend TimeShares operator*(std::int64_t times, const TimeShares& shares);
  friend bool operator==(const TimeShares&, const TimeShares&) = default;
};

/// Words that one node moves for one branch, by purpose.
struct WordVolume {
  /// Between DRAM and buffer, for GEMMs.
  Count gemms = 0;
  /// On chip, for GEMMs: reads and writes of the buffer, those to and from DRAM included; accesses to the weight
  /// registers of the PEs, and to the accumulators of the columns.
  Count buffer = 0;
  Count registers = 0;
  Count accumulators = 0;
  /// Received from other nodes: feature maps, and weights.
  Count transfer = 0;
  Count weight_sharing = 0;

  /// Over links. Nodes exchange with nearest neighbors, so that each word crosses one link.
  std::int64_t on_network() const { return transfer + weight_sharing; }
  /// Words of GEMMs, and each word moved between nodes twice: read from one DRAM, written to another.
  std::int64_t in_dram() const { return gemms + 2 * (transfer + weight_sharing); }
  WordVolume& operator+=(const WordVolume& other);
  friend WordVolume operator*(std::int64_t times, const WordVolume& volume);
  friend bool operator==(const WordVolume&, const WordVolume&) = default;
};

/// A part of the work of a temporal layer: the unit that it occupies, its cycles, and the words that a node receives.
struct Phase {
  enum class Unit : std::uint8_t { compute, nonlinear, transfer, weight_sharing };
  std::string_view name;
  Unit unit = Unit::compute;
  Count cycles = 0;
  Count words = 0;
};

/// A temporal layer, and the model that times its phases (null: peak rates).
struct TimedLayer {
  cycle::PhaseTimes* phases = nullptr;
  Partition partition;
  /// Active sub-arrays.
  std::int64_t branches = 0;
};

/// Adds up the work of one node for one branch, phase by phase, each rounded up to whole cycles. The layer's phase
/// model times GEMMs and movements; without one they take the cycles of the mapping and of Eq. (13) and (14). Every
/// phase is noted in `notes` and appended to `phases` if these are not null.
///
///     TimeLedger ledger(machine, gemms, layer, nullptr);
///     ledger.gemm("phase 2: Q", {p, q, channels});
///     ledger.nonlinear("softmax", heads * p * kv, machine.acu.softmax_passes);
///     const TimeShares cycles = ledger.shares();
class TimeLedger {
 public:
  TimeLedger(const Machine& machine, GemmCache& gemms, const TimedLayer& layer, Explanation::Section* notes,
             std::vector<Phase>* phases = nullptr)
      : machine_(machine),
        pe_array_(machine.pe_array()),
        gemms_(gemms),
        layer_(layer),
        notes_(notes),
        phases_(phases) {}

  /// `repeats` GEMMs on the PE array.
  void gemm(std::string_view phase, const hardware::pe_array::Gemm& gemm, std::int64_t repeats = 1);
  /// Multiply-accumulates outside of GEMMs, spread over all PEs.
  void macs(std::string_view phase, double count);
  void nonlinear(std::string_view phase, std::int64_t elements, std::int64_t passes);
  /// Feature maps that the node receives, one movement after another.
  void transfer(std::string_view phase, std::initializer_list<cycle::Movement> movements);
  void share_weights(std::string_view phase, const cycle::Movement& movement);

  const TimeShares& shares() const { return shares_; }
  const WordVolume& volume() const { return volume_; }

 private:
  std::int64_t transfer_cycles(std::int64_t words) const;
  std::int64_t movement_cycles(std::int64_t words, std::initializer_list<cycle::Movement> movements) const;
  /// Charges the cycles to their unit.
  void charge(const Phase& phase);
  void note(std::string_view phase, std::string_view value, std::int64_t cycles);

  const Machine& machine_;
  hardware::pe_array::PeArray pe_array_;
  GemmCache& gemms_;
  TimedLayer layer_;
  Explanation::Section* notes_;
  std::vector<Phase>* phases_;
  TimeShares shares_;
  WordVolume volume_;
};

}  // namespace pimsweep::systems::allspark
