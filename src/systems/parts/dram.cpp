#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/memoized.h"
#include "hardware/dram/energy.h"
#include "hardware/dram/machine.h"
#include "hardware/dram/rules.h"
#include "systems/parts/axis_names.h"
#include "systems/parts/dram_point.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"

namespace pimsweep::systems::parts {

namespace {

namespace dram = hardware::dram;

bool command_by_command(const DramSettings& settings) { return settings.fidelity == DramFidelity::cycle; }

/// Throws PointError if the standard has no REFpb, or if they leave no time for requests.
void require_bank_refreshes(const dram::Dram& channel) {
  const dram::Rules rules(channel);
  if (!rules.refreshes_banks()) {
    throw PointError(
        fmt::format("refresh = \"PerBank\": hardware.rules of {} has no REFpb; take AllBank or No", channel.standard));
  }
  const std::int64_t waits = rules.bank_refresh_blocks() * channel.organization.domains;
  const std::int64_t turns = channel.organization.bank_refreshes(channel.commands.refreshed_groups);
  const std::int64_t needed =
      std::max(waits, (rules.bank(dram::Command::refpb, dram::Command::act) + waits) / turns + 1);
  if (rules.bank_refresh_interval <= needed) {
    throw PointError(fmt::format(
        "hardware.timing.nREFIpb = {}: refreshes of banks may take {} cycles each, which leaves no time for requests",
        rules.bank_refresh_interval, needed));
  }
}

/// Throws PointError if refreshes leave no time for requests, or if the requests take too long.
void require_run(const DramSettings& settings) {
  /// A few minutes of work: beyond it only arithmetic answers.
  constexpr std::int64_t max_simulated_requests = 200'000'000;
  const dram::Rules rules(settings.channel);
  const std::int64_t blocked = rules.refresh_blocks() * settings.channel.organization.domains;
  if (settings.options.refresh == dram::Refresh::per_bank) require_bank_refreshes(settings.channel);
  if (settings.options.refresh == dram::Refresh::all_bank && rules.refresh_interval <= blocked) {
    throw PointError(
        fmt::format("hardware.timing.nREFI = {}: refreshes may keep the banks busy for {} cycles each, which leaves no "
                    "time for requests; raise it, or take refresh = \"No\"",
                    rules.refresh_interval, blocked));
  }
  if (!settings.trace.empty()) {
    if (!command_by_command(settings)) throw PointError("a trace requires fidelity = \"cycle\"");
    return;
  }
  if (command_by_command(settings) && settings.traffic.requests > max_simulated_requests) {
    throw PointError(fmt::format("{} requests: more than {} require fidelity = \"analytic\"", settings.traffic.requests,
                                 max_simulated_requests));
  }
}

dram::Result run_dram(const DramSettings& settings, dram::TraceLog& log) {
  require_run(settings);
  if (!settings.trace.empty()) {
    const dram::TraceReplay replay{std::string(settings.trace), settings.traffic.mapping, settings.traffic.channels,
                                   settings.trace_at_given_cycles};
    try {
      return dram::simulate_trace(settings.channel, settings.options, replay, log);
    } catch (const InputError& error) {
      throw PointError(error.what());
    }
  }
  if (!command_by_command(settings))
    return dram::estimate_machine(settings.channel, settings.options, settings.traffic);
  return dram::simulate_machine(settings.channel, settings.options, settings.traffic);
}

/// Seconds, joules and shares of a run.
DramResult result_of(const DramSettings& settings, dram::TraceLog& log) {
  const dram::Result run = run_dram(settings, log);
  const dram::Dram& channel = settings.channel;
  DramResult result;
  result.run = run;
  if (command_by_command(settings)) {
    result.cycles_last_accept = static_cast<double>(run.cycles_last_accept);
    result.mean_read_latency = run.mean_read_latency();
    result.reads_forwarded = static_cast<double>(run.reads_forwarded);
    result.writes_coalesced = static_cast<double>(run.writes_coalesced);
  }
  if (!settings.trace.empty() && run.commands.rd > 0) {
    const auto quantile = [&](double share) { return static_cast<double>(log.quantile(share)); };
    result.median_read_latency = quantile(0.5);
    result.read_latency_90 = quantile(0.9);
    result.read_latency_99 = quantile(0.99);
    result.max_read_latency = quantile(1);
  }
  const std::int64_t requests = run.commands.rd + run.commands.wr + run.reads_forwarded + run.writes_coalesced;
  const double bytes = static_cast<double>(requests * channel.organization.access_bytes);
  const std::int64_t buses = settings.traffic.channels * channel.organization.domains / channel.organization.ranks;
  const double peak = static_cast<double>(channel.organization.access_bytes * buses) /
                      (static_cast<double>(channel.timing.nBL) * channel.tCK);
  result.time = static_cast<double>(run.cycles) * channel.tCK;
  result.bandwidth = bytes / result.time;
  result.bandwidth_share = bytes / result.time / peak;
  result.energy = dram::energy(run, channel, settings.traffic.channels);
  result.total_energy = result.energy.total();
  result.energy_per_byte = result.total_energy / bytes;
  return result;
}

/// Hash of a trace, all of whose lines are read. Throws PointError for one that cannot be read.
Hash128 content_of(const std::string& trace) {
  try {
    dram::TraceReader reader(trace);
    for (dram::TraceRequest request; reader.next(request);) continue;
    return reader.content();
  } catch (const InputError& error) {
    throw PointError(error.what());
  }
}

class DramSystem final : public System, public HasRoofline {
 public:
  DramSystem() {
    add_axes(axes_, axes_.layout());
    add_metrics(metrics_, metrics_.layout());
    schema_.name = "dram";
    // 2: LPDDR5 has ACT-1 and ACT-2, and refreshes pairs of banks; energy of DDR5 by currents.
    schema_.version = 2;
    schema_.main_metrics = {"cycles"};
    schema_.doc = "DRAM channels with a controller each under a pattern of requests (compared with Ramulator 2.1)";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
    trace_axis_ = static_cast<std::size_t>(schema_.axis_index("trace"));
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const DramSettings settings = read_settings(axes_, point);
    dram::TraceLog log;
    const DramResult result = result_of(settings, log);
    metrics_.write(result, record);
    if (!settings.trace.empty()) write_tables(settings.channel, result.run, log, record);
    record.status = Status::ok;
  }

  /// A point depends on the values of its axes and the content of its trace.
  Hash128 workload_hash(const Point& point) override {
    const std::string& trace = point.text(trace_axis_);
    return trace.empty() ? Hash128{} : memoized(traces_, trace, [&] { return content_of(trace); });
  }

  std::vector<std::string> fit_axes() const override { return axis_names(schema_); }

  std::optional<double> expected_seconds(const Point& point) override {
    constexpr double seconds_per_request = 5e-7;
    // Each channel draws the channels of all requests.
    constexpr double seconds_per_draw = 2e-9;
    const DramSettings settings = axes_.read(point);
    if (!settings.trace.empty()) return std::nullopt;
    if (!command_by_command(settings)) return 1e-6;
    const dram::Traffic& traffic = settings.traffic;
    const std::int64_t draws = dram::draws_places(traffic.pattern) ? traffic.channels - 1 : 0;
    return static_cast<double>(traffic.requests) *
           (seconds_per_request + seconds_per_draw * static_cast<double>(draws));
  }

  void explain(const Point& point, Explanation& explanation) override;

  Roofline roofline(const Point& /*point*/, const Record& record) override {
    constexpr double near_peak = 0.9;
    const double share = number_of(schema_, record, "bandwidth_share");
    return {.reason = "DRAM moves data and computes nothing: metric 'bandwidth_share' is its share of the peak",
            .bound = fmt::format("{} (data buses busy {:.0f} % of the time)",
                                 share > near_peak ? "data buses" : "timing of commands", 100 * share)};
  }

 protected:
  void require_fit(const Point& point) override {
    require_run(read_settings(axes_, point));
    workload_hash(point);
  }

 private:
  void write_tables(const dram::Dram& channel, const dram::Result& run, const dram::TraceLog& log,
                    Record& record) const;

  AxisTable<DramSettings> axes_;
  MetricTable<DramResult> metrics_;
  Schema schema_;
  TraceTables tables_{schema_};
  std::size_t trace_axis_ = 0;
  /// Hashes of traces by path.
  std::map<std::string, Hash128> traces_;
};

void DramSystem::write_tables(const dram::Dram& channel, const dram::Result& run, const dram::TraceLog& log,
                              Record& record) const {
  for (const auto& [from, to, reads] : log.histogram()) tables_.latencies.add({from, to, reads}, record);
  for (const auto& [first, last, reads, writes] : log.intervals()) {
    const double from = static_cast<double>(first) * channel.tCK;
    // The last interval ends with the run.
    const double to = static_cast<double>(std::min(last + 1, run.cycles)) * channel.tCK;
    const auto bandwidth = [&](std::int64_t accesses) {
      return static_cast<double>(accesses * channel.organization.access_bytes) / (to - from);
    };
    tables_.intervals.add({from, to, bandwidth(reads), bandwidth(writes)}, record);
  }
}

void explain_channel(const dram::Dram& channel, Explanation& explanation) {
  const dram::Rules rules(channel);
  const dram::Organization& o = channel.organization;
  auto& shape = explanation.section("channel").lines;
  shape.push_back({"banks", std::to_string(o.all_banks()), fmt::format("{} x {} x {}", o.domains, o.groups, o.banks)});
  shape.push_back({"capacity", fmt::format("{} B", o.accesses() * o.access_bytes), "of all banks"});
  auto& lines = explanation.section("rules in cycles").lines;
  for (const dram::Constraint& row : channel.constraints->rows) {
    const std::string pair =
        fmt::format("{}: {} to {}", word_of(dram::level_words, row.level), word_of(dram::command_words, row.after),
                    word_of(dram::command_words, row.before));
    lines.push_back({pair, std::to_string(row.latency(channel.timing)), row.expression});
  }
  lines.push_back({"lone read", std::to_string(1 + rules.bank(dram::Command::act, dram::Command::rd) + rules.read),
                   "a closed bank, an empty queue"});
}

void explain_energy(const dram::Energy& energy, Explanation& explanation) {
  auto& lines = explanation.section("energy").lines;
  const auto add = [&](const char* name, double joules) {
    lines.push_back({name, fmt::format("{:.4g} J", joules), ""});
  };
  add("activate", energy.activate);
  add("read", energy.read);
  add("write", energy.write);
  add("refresh", energy.refresh);
  add("background", energy.background);
  add("data", energy.data);
}

/// Requests and time of each channel; of many different ones, the channels with minimum and maximum requests and the
/// one that ends last.
void explain_channels(const DramSettings& settings, Explanation& explanation) {
  constexpr std::size_t max_lines = 8;
  const dram::Traffic& traffic = settings.traffic;
  if (traffic.channels == 1 || !settings.trace.empty()) return;
  const bool simulated = command_by_command(settings);
  std::vector<dram::ChannelResult> groups;
  if (simulated) {
    groups = dram::simulate_channels(settings.channel, settings.options, traffic);
  } else {
    for (const dram::EqualStreams& streams : dram::equal_streams(settings.channel.organization, traffic)) {
      groups.push_back({streams, {}});
    }
  }
  auto& lines = explanation.section("channels").lines;
  const auto add = [&](const std::string& which, const dram::ChannelResult& group) {
    const std::int64_t requests = group.streams.requests;
    const std::int64_t others = group.streams.channels - 1;
    const std::string like = others == 0 ? "" : fmt::format(" and {} like it", others);
    const double share = 100 * static_cast<double>(requests) / static_cast<double>(traffic.requests);
    const std::string done = simulated ? fmt::format(", done after {} cycles", group.result.cycles) : "";
    lines.push_back({fmt::format("{}channel {}{}", which, group.streams.channel, like),
                     fmt::format("{} requests", requests), fmt::format("{:.4g} % of all each{}", share, done)});
  };
  if (groups.size() <= max_lines) {
    for (const dram::ChannelResult& group : groups) add("", group);
  } else {
    const auto requests = [](const dram::ChannelResult& group) { return group.streams.requests; };
    add("fewest: ", *std::ranges::min_element(groups, {}, requests));
    add("most: ", *std::ranges::max_element(groups, {}, requests));
    add("last: ",
        *std::ranges::max_element(groups, {}, [](const dram::ChannelResult& group) { return group.result.cycles; }));
  }
  std::int64_t busy = 0;
  for (const dram::ChannelResult& group : groups) busy += group.streams.channels;
  if (busy < traffic.channels)
    lines.push_back({"without requests", std::to_string(traffic.channels - busy), "channels"});
}

void DramSystem::explain(const Point& point, Explanation& explanation) {
  const DramSettings settings = read_settings(axes_, point);
  explain_channel(settings.channel, explanation);
  dram::TraceLog log;
  const dram::Result run = run_dram(settings, log);
  auto& lines = explanation.section(command_by_command(settings) ? "command by command" : "by arithmetic").lines;
  lines.push_back({"cycles", std::to_string(run.cycles), fmt::format("of {:g} ns", settings.channel.tCK * 1e9)});
  lines.push_back(
      {"hits, misses, conflicts", fmt::format("{}, {}, {}", run.row_hits, run.row_misses, run.row_conflicts), ""});
  const dram::Commands& c = run.commands;
  lines.push_back({"ACT, PRE, PREab", fmt::format("{}, {}, {}", c.act, c.pre, c.preab), ""});
  lines.push_back({"RD, WR", fmt::format("{}, {}", c.rd, c.wr), ""});
  lines.push_back({"REFab, REFpb", fmt::format("{}, {}", c.ref, c.refpb), ""});
  lines.push_back({"open", std::to_string(run.open_clocks), "cycles with a bank open, summed over domains"});
  explain_channels(settings, explanation);
  explain_energy(dram::energy(run, settings.channel, settings.traffic.channels), explanation);
}

}  // namespace

std::unique_ptr<System> make_dram(const ConfigFolders& /*configs*/) { return std::make_unique<DramSystem>(); }

}  // namespace pimsweep::systems::parts
