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
constexpr std::array refresh_words{Word{"AllBank", true}, Word{"No", false}};

using WantedStandard = std::optional<dram::Standard>;
constexpr std::array wanted_standard_words{
    Word<WantedStandard>{"any", std::nullopt}, Word<WantedStandard>{"DDR4(custom)", dram::Standard::ddr4},
    Word<WantedStandard>{"DDR4", dram::Standard::ddr4}, Word<WantedStandard>{"GDDR6", dram::Standard::gddr6},
    Word<WantedStandard>{"HBM2", dram::Standard::hbm2}};

/// Mixes of reads and writes other than plain numbers.
constexpr std::array read_mix_words{
    Word{"0.5 (alternate R,W)", dram::ReadMix{dram::ReadMix::Kind::alternate, 50}},
    Word{"0.5 (64 reads then 64 writes, repeating)", dram::ReadMix{dram::ReadMix::Kind::runs_of_64, 50}}};

/// The constants of a channel, each as an axis "hardware.KEY".
class ChannelAxes {
 public:
  ChannelAxes(AxisList& axes, dram::Dram& channel) : axes_(axes), channel_(channel) {}

  void add_timing() {
    axes_
        .choice(channel_.standard, "hardware.standard", dram::standard_words,
                "standard with the command rules of the channel: DDR4, GDDR6 or HBM2")
        .quantity(channel_.tCK, "hardware.clock_period", "s", 1e-12, 1e-6, "clock period of the command bus (tCK)");
    dram::Timing& t = channel_.timing;
    cycles(t.nBL, "nBL", 1, "cycles of one access on the data bus (tBL)");
    cycles(t.nCL, "nCL", 0, "cycles from RD to its data (tCL)");
    cycles(t.nCWL, "nCWL", 0, "cycles from WR to its data (tCWL)");
    cycles(t.nRCDRD, "nRCDRD", 0, "cycles from ACT to RD (tRCD)");
    cycles(t.nRCDWR, "nRCDWR", 0, "cycles from ACT to WR (tRCD)");
    cycles(t.nRP, "nRP", 0, "cycles from PRE to ACT (tRP)");
    cycles(t.nRAS, "nRAS", 0, "cycles from ACT to PRE (tRAS)");
    cycles(t.nRC, "nRC", 0, "cycles between two ACTs of a bank (tRC)");
    cycles(t.nWR, "nWR", 0, "cycles from the end of written data to PRE (tWR)");
    cycles(t.nRTP, "nRTP", 0, "cycles from RD to PRE (tRTP)");
    cycles(t.nCCDS, "nCCDS", 0, "cycles between two RDs or two WRs (tCCD_S)");
    cycles(t.nCCDL, "nCCDL", 0, "cycles between two RDs or two WRs within a bank group (tCCD_L)");
    cycles(t.nWTRS, "nWTRS", 0, "cycles from the end of written data to RD (tWTR_S)");
    cycles(t.nWTRL, "nWTRL", 0, "cycles from the end of written data to RD within a bank group (tWTR_L)");
    cycles(t.nRRDS, "nRRDS", 0, "cycles between two ACTs (tRRD_S)");
    cycles(t.nRRDL, "nRRDL", 0, "cycles between two ACTs within a bank group (tRRD_L)");
    cycles(t.nFAW, "nFAW", 0, "cycles from an ACT to the fourth ACT after it (tFAW)");
    cycles(t.nRFC, "nRFC", 0, "cycles from a REF of all banks to ACT (tRFC)");
    cycles(t.nREFI, "nREFI", 1, "cycles between two REFs (tREFI)");
    cycles(t.nPPD, "nPPD", 0, "cycles between two PREs (tPPD); GDDR6 only");
  }

  void add_organization() {
    dram::Organization& o = channel_.organization;
    constexpr auto max_banks = static_cast<double>(dram::max_banks);
    axes_
        .count(o.domains, "hardware.organization.pseudochannels", 1, static_cast<double>(dram::max_domains),
               "parts with separate data timing and refresh: pseudo-channels of HBM, otherwise 1")
        .count(o.groups, "hardware.organization.bankgroups", 1, max_banks, "bank groups of a rank or pseudo-channel")
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

  void cycles(std::int64_t& place, std::string_view name, double min, const char* doc) {
    axes_.count(place, fmt::format("hardware.timing.{}", name), min, max_cycles, doc, {}, "cycle");
  }
  void amperes(double& place, std::string_view name, const char* doc) {
    axes_.quantity(place, fmt::format("hardware.power.{}", name), "A", 0, max_amperes, doc);
  }

  AxisList& axes_;
  dram::Dram& channel_;
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
void check_organization(const dram::Organization& o) {
  const std::array sizes{std::pair{"organization.pseudochannels", o.domains},
                         std::pair{"organization.bankgroups", o.groups}, std::pair{"organization.banks", o.banks},
                         std::pair{"organization.rows", o.rows}, std::pair{"organization.accesses_per_row", o.columns}};
  for (const auto& [key, size] : sizes) {
    if (!std::has_single_bit(static_cast<std::uint64_t>(size))) {
      throw PointError(fmt::format("hardware.{} = {} is not a power of two, which address bits require", key, size));
    }
  }
  if (o.all_banks() > dram::max_banks) {
    throw PointError(fmt::format("pseudochannels x bankgroups x banks = {}: a channel has at most {} banks",
                                 o.all_banks(), dram::max_banks));
  }
}

void check_standard(const DramSettings& settings) {
  if (!settings.standard || *settings.standard == settings.channel.standard) return;
  throw PointError(fmt::format("the DRAM follows {}, but standard = \"{}\"; \"{}\" allows every DRAM",
                               word_of(dram::standard_words, settings.channel.standard),
                               word_of(dram::standard_words, *settings.standard), wanted_standard_words[0].name));
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
      .choice(s.standard, "standard", wanted_standard_words,
              "standard that the channel must follow; DDR4(custom) means the rules of DDR4 with any timing",
              wanted_standard_words[0].value)
      .choice(s.traffic.pattern, "pattern", dram::pattern_words, "bank, row and column that each request goes to",
              dram::Pattern::seq)
      .count(s.traffic.requests, "requests", 1, max_requests, "number of requests of one access each, of all channels",
             10000)
      .count(s.traffic.channels, "channels", 1, max_channels,
             "number of channels that share the requests, each with its own controller and queues", 1)
      .text(s.read_fraction, "read_fraction",
            "share of reads: 0 to 1, '0.5 (alternate R,W)' or '0.5 (64 reads then 64 writes, repeating)'", "1")
      .choice(s.traffic.mapping, "mapping", dram::mapping_words,
              "order of address bits from high to low; matters to patterns seq and random",
              dram::Mapping::ro_ba_ra_co_ch)
      .choice(s.options.scheduler, "scheduler", dram::scheduler_words,
              "choice of commands: oldest ready one first; RowHit keeps a row open for older requests",
              dram::Scheduler::fr_fcfs)
      .choice(s.options.refresh, "refresh", refresh_words, "refresh of all banks each tREFI, or none", true)
      .choice(s.options.row_policy, "row_policy", dram::row_policy_words,
              "closing of rows: Open keeps a row until another one is requested", dram::RowPolicy::open)
      .count(s.options.read_queue, "read_queue", 1, max_queue, "number of requests that the read queue holds", 32)
      .count(s.options.write_queue, "write_queue", 1, max_queue, "number of requests that the write queue holds", 32)
      .count(s.traffic.seed, "seed", 0, 9e18, "seed of random patterns and mixes", 1234);
  ChannelAxes channel(axes, s.channel);
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
      .quantity(r.reads_forwarded, "reads_forwarded", "1", "number of reads answered by the write queue",
                "fidelity analytic")
      .quantity(r.writes_coalesced, "writes_coalesced", "1", "number of writes merged with one in the write queue",
                "fidelity analytic")
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

DramSettings read_settings(const AxisTable<DramSettings>& axes, const Point& point) {
  DramSettings settings = axes.read(point);
  settings.traffic.mix = read_mix(settings.read_fraction);
  check_organization(settings.channel.organization);
  check_standard(settings);
  check_currents(settings.channel.power, settings.channel.timing);
  return settings;
}

}  // namespace pimsweep::systems::parts
