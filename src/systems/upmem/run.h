#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/words.h"
#include "systems/upmem/kernel.h"
#include "systems/upmem/machine.h"

namespace pimsweep::systems::upmem {

/// Resource that limits a kernel: issue slots of the core, the DMA engine, the shared mutex, or the chain of
/// instructions and transfers of one tasklet.
enum class Bound : std::uint8_t { issue, dma, mutex, latency };
inline constexpr Words<Bound, 4> bound_words{
    {{"issue", Bound::issue}, {"dma", Bound::dma}, {"mutex", Bound::mutex}, {"latency", Bound::latency}}};

/// Use of the DPUs that a point chooses. Zeros and `own` stand for what the kernel has itself.
struct Choices {
  std::int64_t dpus = 1;
  std::int64_t tasklets = 16;
  std::int64_t block_bytes = 0;
  DataType type = DataType::own;
  TransferMode transfer = TransferMode::own;
  double launches = 0;
};

/// Seconds of a kernel and of its transfers.
struct Run {
  double elements = 0;
  /// Bytes of the fullest DPU.
  double to_bytes = 0;
  double from_bytes = 0;
  double from_calls = 0;
  double mram_bytes = 0;
  double wram_bytes = 0;
  double launches = 0;
  double instructions = 0;
  /// Cycles of each bound, indexed by Bound, and those in series.
  std::array<double, bound_words.size()> bounds{};
  double extra_cycles = 0;
  Bound bound = Bound::issue;
  double kernel = 0;
  /// The same at both ends of the range of the kernel's cycles.
  double kernel_low = 0;
  double kernel_high = 0;
  double to = 0;
  double between = 0;
  double from = 0;

  double total() const { return to + kernel + between + from; }
  double kernel_cycles() const { return bounds[static_cast<std::size_t>(bound)] + extra_cycles; }
};

/// Bandwidths of parallel transfers.
struct Bandwidths {
  double to = 0;
  double from = 0;
};

/// Between the numbers of DPUs for which they are known, straight lines in logarithms. `host` is nullptr for one that
/// was not measured.
Bandwidths bandwidths(const Machine& machine, const Host* host, std::int64_t dpus);

/// Bandwidths of an unmeasured host by the number of DPUs. Points of one machine, and most of their placements, ask for
/// the same ones, each of which takes two powers and two logarithms.
class BandwidthTable {
 public:
  /// Forgets the bandwidths of the last machine if they differ from this one's.
  void set(const Machine& machine);
  const Bandwidths& on(std::int64_t dpus);

 private:
  struct Entry {
    std::uint64_t round = 0;
    Bandwidths rates;
  };

  Machine machine_;
  /// Entries of earlier rounds are those of other machines.
  std::uint64_t round_ = 1;
  std::vector<Entry> entries_;
};

/// Time of `calls` transfers that move `bytes` to or from each DPU altogether, at this bandwidth of parallel ones.
double transfer_time(const Machine& machine, double bandwidth, TransferMode mode, std::int64_t dpus, double bytes,
                     double calls);

/// The kernel at the sizes among its variables (set_problem). Throws PointError for a formula without a value.
Run run(const Machine& machine, const Host* host, const Kernel& kernel, const Choices& choices);

}  // namespace pimsweep::systems::upmem
