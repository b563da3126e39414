#pragma once

#include <cstdint>
#include <vector>

#include "hardware/newton/artifact_schedule.h"
#include "hardware/newton/dram.h"
#include "hardware/newton/layer.h"

namespace pimsweep::hardware::newton {

/// Equal rounds of a channel: one GWRITE fills the global buffers with the inputs of `results` results, then `sets`
/// G_ACT sets compute all of these results with their own filters. Each G_ACT set thus serves every filled buffer.
struct Burst {
  std::int64_t rounds = 0;
  std::int64_t sets = 0;
  std::int64_t results = 0;
  /// COMPs per result, and number of results whose inputs share a buffer.
  std::int64_t comps = 0;
  std::int64_t packed = 1;

  std::int64_t buffers() const { return (results + packed - 1) / packed; }
  friend bool operator==(const Burst&, const Burst&) = default;
};

/// Results that take the same number of COMPs. A filter is cut into chunks of a row; a row of all banks holds one chunk
/// of as many filters as there are banks (a set), and each pixel needs one result of every such row.
struct PaperWork {
  std::int64_t chunks = 0;
  std::int64_t sets = 0;
  std::int64_t pixels = 0;
  std::int64_t comps = 0;
  std::int64_t packed = 1;
  std::int64_t buffers = 1;
  Granularity granularity = Granularity::g_act;

  std::int64_t results() const { return Count{chunks} * sets * pixels; }
};

/// Work of a layer under the paper's controller: whole chunks, then the rest of the filters. Where fewer results than
/// channels are left, the COMPs of a result are divided among channels, rounded up (COMP granularity). Replaces the
/// contents of `works`.
void paper_work(const Layer& layer, const Dram& dram, std::int64_t channels, std::int64_t n_gwrite,
                std::vector<PaperWork>& works);

/// Appends the part of `work` that belongs to a channel (from 0): the results are distributed over the channels in
/// blocks as equal as possible, ordered by chunk, then set, then pixel.
void append_bursts(const PaperWork& work, std::int64_t channel, std::int64_t channels, std::vector<Burst>& bursts);

}  // namespace pimsweep::hardware::newton
