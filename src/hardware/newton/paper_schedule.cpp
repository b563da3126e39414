#include "hardware/newton/paper_schedule.h"

#include <algorithm>

#include "hardware/integer_math.h"

namespace pimsweep::hardware::newton {

namespace {

void append(const PaperWork& work, std::int64_t pixels, std::int64_t sets, std::vector<Burst>& bursts) {
  if (pixels == 0 || sets == 0) return;
  const auto add = [&](std::int64_t rounds, std::int64_t results) {
    if (rounds == 0 || results == 0) return;
    Burst burst{rounds, sets, results, work.comps, work.packed};
    if (!bursts.empty()) {
      std::swap(burst.rounds, bursts.back().rounds);
      const bool same = burst == bursts.back();
      std::swap(burst.rounds, bursts.back().rounds);
      if (same) {
        bursts.back().rounds += rounds;
        return;
      }
    }
    bursts.push_back(burst);
  };
  const std::int64_t in_round = work.packed * work.buffers;
  add(pixels / in_round, in_round);
  add(1, pixels % in_round);
}

/// Results [first, last) of one chunk, ordered by set and pixel. Pixels that several sets share are written once.
void append_chunk(const PaperWork& work, std::int64_t first, std::int64_t last, std::vector<Burst>& bursts) {
  const std::int64_t sets = (last - 1) / work.pixels - first / work.pixels + 1;
  const std::int64_t begin = first % work.pixels;
  const std::int64_t end = (last - 1) % work.pixels + 1;
  if (sets == 1) {
    append(work, end - begin, 1, bursts);
  } else if (end <= begin) {
    append(work, end, sets - 1, bursts);
    append(work, begin - end, sets - 2, bursts);
    append(work, work.pixels - begin, sets - 1, bursts);
  } else {
    append(work, begin, sets - 1, bursts);
    append(work, end - begin, sets, bursts);
    append(work, work.pixels - end, sets - 1, bursts);
  }
}

}  // namespace

void paper_work(const Layer& layer, const Dram& dram, std::int64_t channels, std::int64_t n_gwrite,
                std::vector<PaperWork>& works) {
  works.clear();
  const std::int64_t columns = ceil_div(layer.filter(), dram.lanes);
  const auto add = [&](std::int64_t chunks, std::int64_t comps) {
    if (chunks == 0 || comps == 0) return;
    PaperWork work;
    work.chunks = chunks;
    work.sets = ceil_div(layer.outputs, dram.banks);
    work.pixels = layer.pixels();
    work.comps = comps;
    work.packed = dram.columns / comps;
    work.buffers = n_gwrite;
    if (const std::int64_t ways = channels / work.results(); ways > 1 && comps > 1) {
      work.comps = ceil_div(comps, std::min(ways, comps));
      work.chunks *= ceil_div(comps, work.comps);
      work.granularity = Granularity::comp;
    } else if (ceil_div(work.results(), channels) < work.pixels) {
      work.granularity = Granularity::readres;
    }
    works.push_back(work);
  };
  add(columns / dram.columns, dram.columns);
  add(1, columns % dram.columns);
}

void append_bursts(const PaperWork& work, std::int64_t channel, std::int64_t channels, std::vector<Burst>& bursts) {
  // The first channels get one more result if the results do not divide evenly.
  const std::int64_t each = work.results() / channels;
  const std::int64_t more = work.results() % channels;
  const std::int64_t first = channel * each + std::min(channel, more);
  const std::int64_t last = first + each + (channel < more ? 1 : 0);
  const std::int64_t in_chunk = work.sets * work.pixels;
  for (std::int64_t at = first; at < last;) {
    const std::int64_t chunk_end = std::min((at / in_chunk + 1) * in_chunk, last);
    append_chunk(work, at % in_chunk, at % in_chunk + chunk_end - at, bursts);
    at = chunk_end;
  }
}

}  // namespace pimsweep::hardware::newton
