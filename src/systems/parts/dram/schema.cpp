#include "systems/parts/dram/schema.h"

#include <fmt/format.h>

#include "hardware/dram/address_mapping.h"
#include "hardware/dram/pattern.h"
#include "systems/axes.h"
#include "systems/parts/dram/constants.h"
#include "systems/preset_axes.h"

namespace pimsweep::systems::parts::dram {

namespace {

namespace hw = hardware::dram;

constexpr double max_requests = 1e12;
constexpr double max_queue = 1 << 14;

Value text(std::string_view value) { return Value{std::string(value)}; }
Value count(std::int64_t value) { return Value{value}; }

template <std::size_t n>
std::vector<std::string> list(const std::array<std::string_view, n>& names) {
  return {names.begin(), names.end()};
}

std::vector<Axis> make_axes(const PresetLibrary& presets) {
  std::vector<std::string> names{preset_from_hardware};
  for (const Preset& known : presets.presets()) {
    names.push_back(known.name);
    if (known.long_name != known.name) names.push_back(known.long_name);
  }
  std::vector<std::string> standards{any_standard, "DDR4(custom)"};
  standards.insert(standards.end(), hw::standard_names.begin(), hw::standard_names.end());
  // In the order of AxisIndex.
  std::vector<Axis> axes{
      text_axis("fidelity", text("cycle"), {"analytic", "cycle"},
                "arithmetic whose time does not depend on the number of requests, or command by command"),
      text_axis("standard", text(any_standard), standards,
                "checked against the DRAM's own; DDR4(custom) is DDR4's rules with any timing"),
      text_axis("preset", text(preset_from_hardware), names,
                "DRAM preset; 'hardware' takes the hardware constants of the study"),
      text_axis("pattern", text("seq"), list(hw::pattern_names), "which bank, row and column each request goes to"),
      count_axis("requests", count(10000), 1, max_requests, "requests, one access each"),
      text_axis("read_fraction", text("1"), {},
                "share of reads: 0 to 1, '0.5 (alternate R,W)' or '0.5 (64 reads then 64 writes, repeating)'"),
      text_axis("mapping", text("RoBaRaCoCh"), list(hw::mapping_names),
                "order of address bits, high to low; matters to seq and random"),
      text_axis("scheduler", text("FRFCFS"), {"FRFCFS", "FRFCFS-RowHit"},
                "oldest ready command first; RowHit keeps a row open for older requests"),
      text_axis("refresh", text("AllBank"), {"AllBank", "No"}, "refresh of all banks each tREFI, or none"),
      text_axis("row_policy", text("Open"), {"Open"}, "rows stay open until another is wanted"),
      count_axis("read_queue", count(32), 1, max_queue, "requests that the read queue holds"),
      count_axis("write_queue", count(32), 1, max_queue, "requests that the write queue holds"),
      count_axis("seed", count(1234), 0, 9e18, "of random patterns and mixes"),
  };
  append_preset_axes(axes, "", constants(), presets.standard());
  return axes;
}

}  // namespace

Schema make_schema(const PresetLibrary& presets) {
  Schema schema;
  schema.name = "dram";
  schema.doc = "One DRAM channel with its controller under a pattern of requests (beside Ramulator 2.1)";
  schema.version = 1;
  schema.axes = make_axes(presets);
  schema.metrics = {
      {"cycles", "1", "clocks until every read has its data and every write was issued"},
      {"cycles_last_accept", "1", "clocks before the last request entered a queue; cycle only"},
      {"row_hits", "1", "requests whose first command found their row open"},
      {"row_misses", "1", "requests whose first command found the bank closed"},
      {"row_conflicts", "1", "requests whose first command found another row open"},
      {"avg_read_latency", "1", "clocks from entering the queue to data, mean of the reads from DRAM; cycle only"},
      {"n_ACT", "1", "activations"},
      {"n_PREpb", "1", "precharges of one bank"},
      {"n_PREab", "1", "precharges of all banks, before refreshes"},
      {"n_RD", "1", "reads"},
      {"n_WR", "1", "writes"},
      {"n_REFab", "1", "refreshes of all banks"},
      {"reads_forwarded", "1", "reads answered by the write queue; cycle only"},
      {"writes_coalesced", "1", "writes to what the write queue holds already; cycle only"},
      {"time", "s", "cycles in seconds"},
      {"bandwidth", "B/s", "data of all requests by time"},
      {"bandwidth_share", "1", "of what the data buses could carry"},
      {"energy", "J", "of all commands, background and data (docs/dram.md)"},
      {"energy_activate", "J", "ACT and PRE"},
      {"energy_read", "J", "RD"},
      {"energy_write", "J", "WR"},
      {"energy_refresh", "J", "REF"},
      {"energy_background", "J", "open and closed banks waiting"},
      {"energy_data", "J", "moving data beyond the currents"},
      {"energy_per_byte", "J/B", "energy by data of all requests"},
  };
  return schema;
}

}  // namespace pimsweep::systems::parts::dram
