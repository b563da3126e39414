#include "hardware/newton/artifact_schedule.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include "hardware/integer_math.h"

namespace pimsweep::hardware::newton {

namespace {

/// Number of characters of a decimal number, including a minus sign.
std::int64_t digits(std::int64_t number) {
  char text[std::numeric_limits<std::int64_t>::digits10 + 2];
  return std::to_chars(std::begin(text), std::end(text), number).ptr - text;
}

/// Characters that the three numbers of a strided GWRITE add to its line of the trace.
std::int64_t stride_text(const Layer& layer) {
  const std::int64_t kernel = layer.inputs * layer.kernel_height;
  return 2 * digits(kernel) + digits(layer.inputs * (layer.height - layer.kernel_height)) + 2;
}

/// Characters of the trace's lines, by which the artifact breaks ties between groupings.
namespace line {
constexpr std::int64_t gwrite = 21;
constexpr std::int64_t g_act = 18;
constexpr std::int64_t comp = 16;
constexpr std::int64_t readres = 8;
}  // namespace line

/// A segment before its distribution over channels: `gwrites` GWRITEs, each followed by `sets` G_ACT sets with
/// `results` results of `comps` COMPs.
struct Work {
  std::int64_t gwrites = 0;
  std::int64_t sets = 0;
  std::int64_t results = 0;
  std::int64_t comps = 0;
  std::int64_t stride_text = 0;
};

/// Cuts the COMPs of each result into f pieces as long as that leaves at most half as many pieces as a group has
/// channels. As in the artifact, the remainder of a division is lost, and later results lose COMPs of their last
/// pieces.
void split_comps(Units& units, std::int64_t sets, std::int64_t channels) {
  while (sets * static_cast<std::int64_t>(units.size()) <= channels / 2) {
    const std::int64_t pieces = channels / (sets * static_cast<std::int64_t>(units.size()));
    Units cut;
    for (std::size_t i = 0; i < units.size(); ++i) {
      const std::int64_t comps = units[i];
      const std::int64_t piece = comps / pieces;
      for (std::int64_t j = 0; j < pieces; ++j) {
        const std::int64_t left = comps - static_cast<std::int64_t>(i) - j * piece;
        cut.push_back(static_cast<std::int32_t>(std::clamp<std::int64_t>(left, 0, piece)));
      }
    }
    units = cut;
  }
}

/// Distributes the work over `groups` groups of channels. Changes `units` as the artifact changes its lists, from which
/// the next candidate starts.
Segment deal(const Work& work, Units& units, std::int64_t channels, std::int64_t groups, const Dram& dram) {
  Segment segment;
  segment.groups = groups;
  const std::int64_t in_group = channels / groups;
  segment.gwrites = std::min(ceil_div(work.gwrites, groups), work.gwrites);
  split_comps(units, work.sets, in_group);
  const auto results = static_cast<std::int64_t>(units.size());
  const std::int64_t total = Count{work.sets} * results;
  const std::int64_t step = std::min(std::max<std::int64_t>(ceil_div(total, in_group), 1), results);
  const std::int64_t steps = ceil_div(total, step);
  segment.granularity = results > work.results ? Granularity::comp
                        : step == results      ? Granularity::g_act
                                               : Granularity::readres;
  // Each step emits the list from its front. Before a unit is emitted the last entry is overwritten with it, so a step
  // that reaches the last entry emits the previous unit again.
  const std::int64_t last_step = total - (steps - 1) * step;
  if (results > 1 && step == results) units.back() = units[static_cast<std::size_t>(results - 2)];
  segment.units.assign(units.begin(), units.begin() + step);
  if (last_step < results) units.back() = units[static_cast<std::size_t>(last_step - 1)];

  // Only the last step may be shorter than the others, and then there are several steps, but at most as many as
  // channels: the first channel has only full ones.
  segment.sets = ceil_div(steps, in_group);

  const std::int64_t full_comps = std::accumulate(segment.units.begin(), segment.units.end(), std::int64_t{0});
  const std::int64_t last_comps =
      std::accumulate(segment.units.begin(), segment.units.begin() + last_step, std::int64_t{0});
  segment.all_channels.gwrite = Count{work.gwrites} * in_group;
  segment.all_channels.buffers = segment.all_channels.gwrite;
  segment.all_channels.g_act = Count{work.gwrites} * steps * dram.activations();
  segment.all_channels.comp = work.gwrites * (Count{steps - 1} * full_comps + last_comps);
  segment.all_channels.readres = Count{work.gwrites} * total;
  return segment;
}

std::int64_t text_bytes(const Counts& counts, std::int64_t stride_text) {
  return counts.gwrite * (line::gwrite + stride_text) + counts.g_act * line::g_act + counts.comp * line::comp +
         counts.readres * line::readres;
}

/// The grouping with the fewest G_ACTs on the first channel, then the shortest trace, then the fewest groups.
Segment choose(const Work& work, const Dram& dram, std::int64_t channels, std::int64_t n_gwrite) {
  Units units(static_cast<std::size_t>(work.results), static_cast<std::int32_t>(work.comps));
  Segment best = deal(work, units, channels, 1, dram);
  Counts best_counts = best.first_channel(dram);
  for (std::int64_t groups = 2; groups <= n_gwrite; groups *= 2) {
    Segment segment = deal(work, units, channels, groups, dram);
    const Counts counts = segment.first_channel(dram);
    const bool better = counts.g_act != best_counts.g_act
                            ? counts.g_act < best_counts.g_act
                            : text_bytes(counts, work.stride_text) < text_bytes(best_counts, work.stride_text);
    if (!better) continue;
    best = segment;
    best_counts = counts;
  }
  return best;
}

}  // namespace

Counts Segment::first_channel(const Dram& dram) const {
  const Count all_sets = Count{gwrites} * sets;
  Counts counts;
  counts.gwrite = gwrites;
  counts.buffers = gwrites;
  counts.g_act = all_sets * dram.activations();
  counts.comp = all_sets * std::accumulate(units.begin(), units.end(), std::int64_t{0});
  counts.readres = all_sets * static_cast<std::int64_t>(units.size());
  return counts;
}

bool artifact_groups_fit(std::int64_t channels, std::int64_t n_gwrite) {
  std::int64_t groups = 1;
  while (2 * groups <= n_gwrite) groups *= 2;
  return channels >= groups;
}

ArtifactSchedule artifact_schedule(const Layer& layer, const Dram& dram, std::int64_t channels, std::int64_t n_gwrite) {
  const std::int64_t pixels = layer.pixels();
  const std::int64_t sets = ceil_div(layer.outputs, dram.banks);
  // Elements of a filter, rounded up to whole columns.
  const std::int64_t filter = ceil_div(layer.filter(), dram.lanes) * dram.lanes;
  const std::int64_t row = dram.row_elements();
  ArtifactSchedule schedule;
  // `packed` results share a GWRITE if each has fewer elements than a row.
  const auto add = [&](std::int64_t gwrites, std::int64_t elements, std::int64_t text) {
    const std::int64_t packed = row / elements;
    const Work work{ceil_div(gwrites, packed), sets, packed, elements / dram.lanes, text};
    schedule.push_back(choose(work, dram, channels, n_gwrite));
  };
  if (filter <= row) {
    add(pixels, filter, layer.pointwise() ? 0 : stride_text(layer));
  } else {
    add(Count{filter / row} * pixels, row, 0);
    if (filter % row > 0) add(pixels, filter % row, 0);
  }
  return schedule;
}

}  // namespace pimsweep::hardware::newton
