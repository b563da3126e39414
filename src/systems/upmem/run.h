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

/// Seconds of a byte in parallel transfers.
struct ByteTimes {
  double to = 0;
  double from = 0;
};

/// Times of a byte of an unmeasured host by the number of DPUs, which most placements of a point ask for several times.
/// Points of one machine share them; points whose machines differ only by their bandwidths share the positions.
class BandwidthTable {
 public:
  void set(const Machine& machine);
  const ByteTimes& on(std::int64_t dpus);

 private:
  struct Entry {
    std::uint64_t shape = 0;
    std::uint64_t round = 0;
    double position = 0;
    ByteTimes times;
  };
  /// From a number of DPUs with a known bandwidth to the next: seconds of a byte at the first, binary logarithm of the
  /// step.
  struct Segment {
    double byte_time = 0;
    double step = 0;
  };

  Machine machine_;
  std::array<Segment, 3> to_{};
  std::array<Segment, 3> from_{};
  /// Entries with other numbers are of earlier machines: of other sizes, and of other bandwidths or sizes.
  std::uint64_t shape_ = 1;
  std::uint64_t round_ = 1;
  std::vector<Entry> entries_;
};

/// Time of `calls` transfers that move `bytes` to or from each DPU altogether, with `byte_time` of parallel ones.
inline double transfer_time(const Machine& m, double byte_time, TransferMode mode, std::int64_t dpus, double bytes,
                            double calls) {
  if (bytes == 0 || calls == 0) return 0;
  const auto count = static_cast<double>(dpus);
  if (mode == TransferMode::serial) byte_time = 1 / m.serial;
  if (mode == TransferMode::broadcast) byte_time /= m.broadcast;
  return m.transfer_fixed + count * m.transfer_per_dpu + (calls - 1) * (m.call_fixed + count * m.call_per_dpu) +
         bytes * count * byte_time;
}

/// The kernel at the sizes among its variables (set_problem). `host` is nullptr for one that was not measured. Throws
/// PointError for a formula without a value.
Run run(const Machine& machine, const Host* host, const Kernel& kernel, const Choices& choices);

}  // namespace pimsweep::systems::upmem
