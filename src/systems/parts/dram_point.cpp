#include "systems/parts/dram_point.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.h"

namespace pimsweep::systems::parts {

namespace {

namespace dram = hardware::dram;

constexpr std::array dram_fidelity_words{Word{"analytic", DramFidelity::analytic}, Word{"cycle", DramFidelity::cycle}};
constexpr std::array trace_pace_words{Word{"queue", false}, Word{"given", true}};

/// Value of the axis `standard` that allows every DRAM.
constexpr std::string_view any_standard = "any";
/// Ending of the name of a standard that allows any timing.
constexpr std::string_view custom_timing = "(custom)";

/// Mixes of reads and writes other than plain numbers.
constexpr std::array read_mix_words{
    Word{"0.5 (alternate R,W)", dram::ReadMix{dram::ReadMix::Kind::alternate, 50}},
    Word{"0.5 (64 reads then 64 writes, repeating)", dram::ReadMix{dram::ReadMix::Kind::runs_of_64, 50}}};

/// The constants of a channel, each as an axis "hardware.KEY".
class ChannelAxes {
 public:
  ChannelAxes(AxisList& axes, DramSettings& settings)
      : axes_(axes), channel_(settings.channel), rules_(settings.rules) {}

  void add_timing() {
    axes_.text(channel_.standard, "hardware.standard", "standard with the constraints of the channel")
        .text(rules_, "hardware.rules",
              "timing constraints, one a line: level | preceding commands | following commands | cycles [| window]")
        .quantity(channel_.tCK, "hardware.clock_period", "s", 1e-12, 1e-6, "clock period of the command bus (tCK)");
    for (const dram::TimingParameter& parameter : dram::timing_parameters) {
      axes_.count(channel_.timing.*parameter.value, fmt::format("hardware.timing.{}", parameter.name),
                  static_cast<double>(parameter.min), max_cycles, parameter.doc, parameter.default_value, "cycle");
    }
    constexpr double max_command_cycles = 8;
    dram::CommandBus& bus = channel_.commands;
    axes_
        .count(bus.buses, "hardware.commands.buses", 1, 2,
               "command buses: 2 where column commands and row commands have separate ones (HBM)", 1)
        .count(bus.activate, "hardware.commands.activate", 1, max_command_cycles, "cycles that an ACT takes", 1,
               "cycle")
        .count(bus.access, "hardware.commands.access", 1, max_command_cycles, "cycles that an RD or WR takes", 1,
               "cycle")
        .count(bus.grid, "hardware.commands.grid", 1, 2,
               "2: all commands but precharges begin in every second cycle, as where a cycle is half of CK (HBM3)", 1,
               "cycle")
        .count(bus.refreshed_groups, "hardware.commands.refreshed_groups", 1, static_cast<double>(dram::max_banks),
               "bank groups of which a REFpb refreshes a bank: all in DDR5 (REFsb), two in LPDDR5", 1);
  }

  void add_organization() {
    dram::Organization& o = channel_.organization;
    constexpr auto max_banks = static_cast<double>(dram::max_banks);
    axes_
        .count(o.ranks, "hardware.organization.ranks", 1, static_cast<double>(dram::max_domains),
               "ranks, with their own timing and refresh, on one data bus", 1)
        .count(o.stacks, "hardware.organization.stacks", 1, max_banks,
               "stacks of dies (stack IDs of HBM) over which bank groups are spread, neighbors in different ones", 1)
        .count(o.domains, "hardware.organization.pseudochannels", 1, static_cast<double>(dram::max_domains),
               "parts with separate data timing and refresh: pseudo-channels of HBM, otherwise 1")
        .count(o.groups, "hardware.organization.bankgroups", 1, max_banks,
               "bank groups of a rank or pseudo-channel, of all stacks")
        .count(o.banks, "hardware.organization.banks", 1, max_banks, "banks of a bank group")
        .count(o.rows, "hardware.organization.rows", 1, 1 << 24, "rows of a bank")
        .count(o.columns, "hardware.organization.accesses_per_row", 1, 1 << 16,
               "accesses that a row holds: columns divided by prefetch")
        .count(o.access_bytes, "hardware.organization.access", 1, 1 << 16, "data of one access", {}, "B");
  }

  void add_power() {
    dram::Power& p = channel_.power;
    axes_.quantity(p.voltage, "hardware.power.voltage", "V", 0, 100, "supply voltage (VDD)")
        .count(p.devices, "hardware.power.devices", 1, 1024, "number of chips that work in lockstep");
    amperes(p.idd0, "IDD0", "current of a chip while one bank is activated and precharged each tRC");
    amperes(p.idd2n, "IDD2N", "current of a chip with all banks closed");
    amperes(p.idd3n, "IDD3N", "current of a chip with a bank open");
    amperes(p.idd4r, "IDD4R", "current of a chip that reads without a gap");
    amperes(p.idd4w, "IDD4W", "current of a chip that writes without a gap");
    amperes(p.idd5, "IDD5", "current of a chip that refreshes without a gap");
    axes_.quantity(p.data_energy, "hardware.power.data_energy", "J/B", 0, 1,
                   "energy of data transfers that the currents do not include");
  }

 private:
  /// Beyond any DRAM, but far from where 64 bits would overflow.
  static constexpr double max_cycles = 1e6;
  static constexpr double max_amperes = 100;

  void amperes(double& place, std::string_view name, const char* doc) {
    axes_.quantity(place, fmt::format("hardware.power.{}", name), "A", 0, max_amperes, doc);
  }

  AxisList& axes_;
  dram::Dram& channel_;
  std::string_view& rules_;
};

[[noreturn]] void refuse_read_fraction(std::string_view text) {
  throw PointError(fmt::format(
      "read_fraction = \"{}\": expected a number from 0 to 1 in steps of 0.01 (each request is sampled; \"0.67\" "
      "and \"0.67 (random)\" mean the same), \"{}\" or \"{}\"",
      text, read_mix_words[0].name, read_mix_words[1].name));
}

/// "1", "0", "0.67", "0.67 (random)" or a word. Reads alone and writes alone are not sampled, unless the text says so.
dram::ReadMix read_mix(std::string_view text) {
  if (const auto mix = value_of<dram::ReadMix>(read_mix_words, text)) return *mix;
  double fraction = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fraction);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const double percent = std::round(100 * fraction);
  const bool whole = std::abs(100 * fraction - percent) < 1e-9;
  if (error != std::errc{} || !(rest.empty() || rest == " (random)") || fraction < 0 || fraction > 1 || !whole) {
    refuse_read_fraction(text);
  }
  if (rest.empty() && fraction == 1) return {dram::ReadMix::Kind::reads, 100};
  if (rest.empty() && fraction == 0) return {dram::ReadMix::Kind::writes, 0};
  return {dram::ReadMix::Kind::random, static_cast<std::int64_t>(percent)};
}

/// Constants that are valid separately may still not form a channel.
void check_organization(const dram::Dram& channel) {
  const dram::Organization& o = channel.organization;
  const std::array sizes{std::pair{"organization.ranks", o.ranks},
                         std::pair{"organization.stacks", o.stacks},
                         std::pair{"organization.pseudochannels", o.domains / o.ranks},
                         std::pair{"commands.refreshed_groups", channel.commands.refreshed_groups},
                         std::pair{"organization.bankgroups", o.groups},
                         std::pair{"organization.banks", o.banks},
                         std::pair{"organization.rows", o.rows},
                         std::pair{"organization.accesses_per_row", o.columns}};
  for (const auto& [key, size] : sizes) {
    if (!std::has_single_bit(static_cast<std::uint64_t>(size))) {
      throw PointError(fmt::format("hardware.{} = {} is not a power of two, which address bits require", key, size));
    }
  }
  if (o.ranks > 1 && o.domains > o.ranks) {
    throw PointError(fmt::format("hardware.organization.ranks = {}: pseudo-channels do not share a data bus", o.ranks));
  }
  if (channel.timing.nAAD > 0 &&
      (channel.commands.activate != 2 || channel.commands.access != 1 || channel.commands.buses != 1)) {
    throw PointError(
        fmt::format("hardware.timing.nAAD = {}: an ACT takes two cycles then, an RD or WR one, of the only bus",
                    channel.timing.nAAD));
  }
  if (o.all_banks() > dram::max_banks) {
    throw PointError(fmt::format("ranks x pseudochannels x bankgroups x banks = {}: a channel has at most {} banks",
                                 o.all_banks(), dram::max_banks));
  }
  for (const auto& [key, parts] : {std::pair{"organization.stacks", o.stacks},
                                   std::pair{"commands.refreshed_groups", channel.commands.refreshed_groups}}) {
    if (parts > o.groups) {
      throw PointError(
          fmt::format("hardware.{} = {} is above hardware.organization.bankgroups = {}", key, parts, o.groups));
    }
  }
}

void check_controller(const DramSettings& settings) {
  const dram::ControllerOptions& options = settings.options;
  if (options.write_low > options.write_high) {
    throw PointError(fmt::format("write_low = {:g} is above write_high = {:g}", options.write_low, options.write_high));
  }
  if (settings.fidelity == DramFidelity::analytic && !options.has_periods())
    throw PointError("row_policy = \"Closed\", hit_cap and refresh = \"PerBank\" require fidelity = \"cycle\"");
  const dram::Organization& o = settings.channel.organization;
  if (settings.fidelity == DramFidelity::analytic && (o.ranks > 1 || o.stacks > 1))
    throw PointError("several ranks or stacks require fidelity = \"cycle\"");
  const bool named = !word_of(dram::mapping_words, settings.traffic.mapping).empty();
  if (settings.fidelity == DramFidelity::analytic && settings.traffic.pattern == dram::Pattern::seq && !named) {
    throw PointError(fmt::format("mapping = \"{}\" requires fidelity = \"cycle\" with pattern seq", settings.mapping));
  }
}

void check_standard(const DramSettings& settings) {
  std::string_view wanted = settings.standard;
  if (wanted.ends_with(custom_timing)) wanted.remove_suffix(custom_timing.size());
  if (wanted == any_standard || wanted == settings.channel.standard) return;
  throw PointError(fmt::format("the DRAM follows {}, but standard = \"{}\"; \"{}\" allows every DRAM",
                               settings.channel.standard, settings.standard, any_standard));
}

/// Energies of commands are counted above those of an open bank, or of idle banks.
void check_currents(const dram::Power& p, const dram::Timing& t) {
  const auto require = [](bool holds, const char* large, const char* small) {
    if (holds) return;
    throw PointError(
        fmt::format("hardware.power.{} is below hardware.power.{}: commands would have negative energy", large, small));
  };
  require(p.idd4r >= p.idd3n, "IDD4R", "IDD3N");
  require(p.idd4w >= p.idd3n, "IDD4W", "IDD3N");
  require(p.idd5 >= p.idd3n, "IDD5", "IDD3N");
  const auto clocks = [](std::int64_t count) { return static_cast<double>(count); };
  if (p.idd0 * clocks(t.nRC) < p.idd3n * clocks(t.nRAS) + p.idd2n * clocks(t.nRC - t.nRAS)) {
    throw PointError(
        "hardware.power.IDD0 over nRC draws less than IDD3N over nRAS and IDD2N over the rest: "
        "activations would have negative energy");
  }
}

}  // namespace

void add_axes(AxisList& axes, DramSettings& s) {
  constexpr double max_requests = 1e12;
  constexpr double max_queue = 1 << 14;
  constexpr double max_channels = 1024;
  axes.choice(s.fidelity, "fidelity", dram_fidelity_words,
              "arithmetic in a time independent of the number of requests, or command by command", DramFidelity::cycle)
      .text(s.standard, "standard",
            "standard that the channel must follow; with (custom) at its end, as in DDR4(custom), with any timing",
            any_standard)
      .choice(s.traffic.pattern, "pattern", dram::pattern_words, "bank, row and column that each request goes to",
              dram::Pattern::seq)
      .text(s.trace, "trace",
            "file of requests instead of a pattern, in a format of Ramulator or DRAMSim3 (docs/dram.md)", "")
      .choice(s.trace_at_given_cycles, "trace_pace", trace_pace_words,
              "offering of a trace's request: as soon as a queue takes it, or no earlier than in its cycle", false)
      .count(s.traffic.requests, "requests", 1, max_requests, "number of requests of one access each, of all channels",
             10000)
      .count(s.traffic.channels, "channels", 1, max_channels,
             "number of channels that share the requests, each with its own controller and queues", 1)
      .text(s.read_fraction, "read_fraction",
            "share of reads: 0 to 1, '0.5 (alternate R,W)' or '0.5 (64 reads then 64 writes, repeating)'", "1")
      .text(s.mapping, "mapping",
            "order of address bits from high to low, by name or parts; matters to seq, random and traces of addresses",
            dram::mapping_words.front().name)
      .choice(s.options.scheduler, "scheduler", dram::scheduler_words,
              "choice of commands: oldest ready one first; RowHit keeps a row open for older requests, AllHits for any",
              dram::Scheduler::fr_fcfs)
      .choice(s.options.refresh, "refresh", dram::refresh_words,
              "refresh of all banks each tREFI, of a bank each tREFIpb while others work, or none",
              dram::Refresh::all_bank)
      .count(s.refresh_rate, "refresh_rate", 1, 4,
             "number of refreshes for each interval of the standard: 2 above 85 C", 1)
      .choice(s.options.row_policy, "row_policy", dram::row_policy_words,
              "closing of rows: Open keeps a row until another one is requested, Closed until no request waits for it",
              dram::RowPolicy::open)
      .count(s.options.hit_cap, "hit_cap", 0, max_queue,
             "maximum number of hits that precede an older request for another row of the bank; 0: no limit", 0)
      .count(s.options.read_queue, "read_queue", 1, max_queue, "number of requests that the read queue holds", 32)
      .count(s.options.write_queue, "write_queue", 1, max_queue, "number of requests that the write queue holds", 32)
      .quantity(s.options.write_high, "write_high", "1", 0, 1,
                "share of the write queue above which the controller switches to writes", 0.8)
      .quantity(s.options.write_low, "write_low", "1", 0, 1,
                "share of the write queue below which the controller switches back to reads", 0.2)
      .count(s.traffic.seed, "seed", 0, 9e18, "seed of random patterns and mixes", 1234);
  ChannelAxes channel(axes, s);
  channel.add_timing();
  channel.add_organization();
  channel.add_power();
}

void add_metrics(ColumnList& metrics, const DramResult& r) {
  const dram::Commands& commands = r.run.commands;
  metrics.count(r.run.cycles, "cycles", "cycles until every read has its data and every write was issued", "cycle")
      .quantity(r.cycles_last_accept, "cycles_last_accept", "cycle", "cycles before the last request entered a queue",
                "fidelity analytic")
      .count(r.run.row_hits, "row_hits", "number of requests whose first command found their row open")
      .count(r.run.row_misses, "row_misses", "number of requests whose first command found the bank closed")
      .count(r.run.row_conflicts, "row_conflicts", "number of requests whose first command found another row open")
      .quantity(r.mean_read_latency, "avg_read_latency", "cycle",
                "mean cycles of a read from entering the queue to its data", "fidelity analytic")
      .count(commands.act, "n_ACT", "number of activations")
      .count(commands.pre, "n_PREpb", "number of precharges of one bank")
      .count(commands.preab, "n_PREab", "number of precharges of all banks, before refreshes")
      .count(commands.rd, "n_RD", "number of read commands")
      .count(commands.wr, "n_WR", "number of write commands")
      .count(commands.ref, "n_REFab", "number of refreshes of all banks")
      .count(commands.refpb, "n_REFpb", "number of refreshes of a bank, or of the same bank of several groups")
      .quantity(r.reads_forwarded, "reads_forwarded", "1", "number of reads answered by the write queue",
                "fidelity analytic")
      .quantity(r.writes_coalesced, "writes_coalesced", "1", "number of writes merged with one in the write queue",
                "fidelity analytic")
      .quantity(r.median_read_latency, "read_latency_p50", "cycle",
                "median of the cycles of a read, from the cycle in "
                "which it is due to its data",
                "no trace")
      .quantity(r.read_latency_90, "read_latency_p90", "cycle", "cycles that 90 % of all reads do not exceed",
                "no trace")
      .quantity(r.read_latency_99, "read_latency_p99", "cycle", "cycles that 99 % of all reads do not exceed",
                "no trace")
      .quantity(r.max_read_latency, "read_latency_max", "cycle", "maximum of the cycles of a read", "no trace")
      .quantity(r.time, "time", "s", "time until the last request is done")
      .quantity(r.bandwidth, "bandwidth", "B/s", "data of all requests divided by time")
      .quantity(r.bandwidth_share, "bandwidth_share", "1", "bandwidth divided by the peak of the data buses")
      .quantity(r.total_energy, "energy", "J", "energy of all commands, background and data (docs/dram.md)")
      .quantity(r.energy.activate, "energy_activate", "J", "energy of ACT and PRE commands")
      .quantity(r.energy.read, "energy_read", "J", "energy of RD commands")
      .quantity(r.energy.write, "energy_write", "J", "energy of WR commands")
      .quantity(r.energy.refresh, "energy_refresh", "J", "energy of REF commands")
      .quantity(r.energy.background, "energy_background", "J", "energy of open and closed banks that wait")
      .quantity(r.energy.data, "energy_data", "J", "energy of data transfers that the currents do not include")
      .quantity(r.energy_per_byte, "energy_per_byte", "J/B", "energy divided by the data of all requests");
}

TraceTables::TraceTables(Schema& schema) {
  const LatencyRow& l = latencies.layout();
  latencies.count(l.from, "from", "minimum latency of the reads in a row", "cycle")
      .count(l.to, "to", "maximum latency of the reads in a row", "cycle")
      .count(l.reads, "reads", "number of reads with such a latency");
  latencies.attach(schema);
  const IntervalRow& i = intervals.layout();
  intervals.quantity(i.from, "from", "s", "begin of an interval of the replay")
      .quantity(i.to, "to", "s", "end of an interval of the replay")
      .quantity(i.read_bandwidth, "read_bandwidth", "B/s", "bandwidth of reads in an interval")
      .quantity(i.write_bandwidth, "write_bandwidth", "B/s", "bandwidth of writes in an interval");
  intervals.attach(schema);
}

DramSettings read_settings(const AxisTable<DramSettings>& axes, const Point& point) {
  DramSettings settings = axes.read(point);
  settings.traffic.mix = read_mix(settings.read_fraction);
  try {
    settings.traffic.mapping = dram::parse_mapping(settings.mapping);
    settings.channel.constraints = dram::parse_constraints(settings.rules);
  } catch (const InputError& error) {
    throw PointError(error.what());
  }
  dram::Timing& timing = settings.channel.timing;
  for (std::int64_t* interval : {&timing.nREFI, &timing.nREFIpb}) *interval /= settings.refresh_rate;
  settings.channel.organization.domains *= settings.channel.organization.ranks;
  check_organization(settings.channel);
  check_controller(settings);
  check_standard(settings);
  check_currents(settings.channel.power, settings.channel.timing);
  return settings;
}

}  // namespace pimsweep::systems::parts
