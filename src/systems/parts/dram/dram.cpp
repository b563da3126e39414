#include "systems/parts/dram/dram.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "hardware/dram/analytic.h"
#include "hardware/dram/controller.h"
#include "hardware/dram/energy.h"
#include "hardware/dram/rules.h"
#include "systems/parts/dram/constants.h"
#include "systems/parts/dram/preset_library.h"
#include "systems/parts/dram/read_fraction.h"
#include "systems/parts/dram/schema.h"
#include "systems/preset_axes.h"
#include "systems/record_builder.h"

namespace pimsweep::systems::parts::dram {

namespace {

namespace hw = hardware::dram;

/// A few minutes of work: more than this only arithmetic answers.
constexpr std::int64_t max_requests_cycle_by_cycle = 200'000'000;
constexpr double seconds_per_request = 5e-7;

template <typename Enum, std::size_t n>
Enum enum_of(const std::array<std::string_view, n>& names, const std::string& name) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), name) - names.begin());
}

bool is_cycle(const Point& point) { return point.text(fidelity) == "cycle"; }

hw::Traffic traffic_of(const Point& point) {
  hw::Traffic traffic;
  traffic.pattern = enum_of<hw::Pattern>(hw::pattern_names, point.text(pattern));
  traffic.requests = point.integer(requests);
  traffic.mix = parse_read_fraction(point.text(read_fraction));
  traffic.mapping = enum_of<hw::Mapping>(hw::mapping_names, point.text(mapping));
  traffic.seed = static_cast<std::uint64_t>(point.integer(seed));
  return traffic;
}

hw::ControllerOptions options_of(const Point& point) {
  hw::ControllerOptions options;
  options.scheduler = point.text(scheduler) == "FRFCFS" ? hw::Scheduler::fr_fcfs : hw::Scheduler::fr_fcfs_row_hit;
  options.refresh = point.text(refresh) == "AllBank";
  options.read_queue = point.integer(read_queue);
  options.write_queue = point.integer(write_queue);
  return options;
}

class DramSystem final : public System {
 public:
  explicit DramSystem(const std::string& config_dir)
      : presets_(config_dir + "/hardware"), schema_(make_schema(presets_)) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const hw::Dram channel = dram_of(point);
    const hw::Result result = run(point, channel);
    RecordBuilder out(schema_, record);
    out.set("cycles", result.cycles);
    out.set("row_hits", result.row_hits);
    out.set("row_misses", result.row_misses);
    out.set("row_conflicts", result.row_conflicts);
    out.set("n_ACT", result.commands.act);
    out.set("n_PREpb", result.commands.pre);
    out.set("n_PREab", result.commands.preab);
    out.set("n_RD", result.commands.rd);
    out.set("n_WR", result.commands.wr);
    out.set("n_REFab", result.commands.ref);
    if (is_cycle(point)) {
      out.set("cycles_last_accept", result.cycles_last_accept);
      out.set("avg_read_latency", result.mean_read_latency());
      out.set("reads_forwarded", result.reads_forwarded);
      out.set("writes_coalesced", result.writes_coalesced);
    }
    const double time = static_cast<double>(result.cycles) * channel.tCK;
    const double bytes = static_cast<double>(point.integer(requests) * channel.organization.access_bytes);
    const double peak = static_cast<double>(channel.organization.access_bytes * channel.organization.domains) /
                        (static_cast<double>(channel.timing.nBL) * channel.tCK);
    out.set("time", time);
    out.set("bandwidth", bytes / time);
    out.set("bandwidth_share", bytes / time / peak);
    const hw::Energy joules = hardware::dram::energy(result, channel);
    out.set("energy", joules.total());
    out.set("energy_activate", joules.activate);
    out.set("energy_read", joules.read);
    out.set("energy_write", joules.write);
    out.set("energy_refresh", joules.refresh);
    out.set("energy_background", joules.background);
    out.set("energy_data", joules.data);
    out.set("energy_per_byte", joules.total() / bytes);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& point) override {
    const Preset* chosen = presets_.find(point.text(preset));
    return chosen == nullptr ? Hash128{} : chosen->content;
  }

  std::optional<double> expected_seconds(const Point& point) override {
    return is_cycle(point) ? seconds_per_request * static_cast<double>(point.integer(requests)) : 1e-6;
  }

  void explain(const Point& point, Explanation& explanation) override;

 private:
  /// The DRAM of the chosen preset, else of the hardware constants.
  hw::Dram dram_of(const Point& point) const {
    const hw::Dram channel =
        chosen_device(point, first_constant, "", constants(), presets_.standard(), presets_.find(point.text(preset)));
    if (const std::string problem = problem_of(channel); !problem.empty()) throw PointError(problem);
    const std::string& wanted = point.text(standard);
    const std::string_view own = hw::standard_names[static_cast<std::size_t>(channel.standard)];
    if (wanted != any_standard && wanted.substr(0, wanted.find('(')) != own) {
      throw PointError(fmt::format("the DRAM follows {}, but standard = \"{}\"; \"{}\" goes with every DRAM", own,
                                   wanted, any_standard));
    }
    return channel;
  }

  static hw::Result run(const Point& point, const hw::Dram& channel) {
    const hw::Traffic traffic = traffic_of(point);
    const hw::ControllerOptions options = options_of(point);
    const hw::Rules rules(channel);
    const std::int64_t blocked = rules.refresh_blocks() * channel.organization.domains;
    if (options.refresh && rules.refresh_interval <= blocked) {
      throw PointError(
          fmt::format("hardware.timing.nREFI = {}: refreshes may keep the banks busy for {} clocks each, which leaves "
                      "no time for requests; raise it, or take refresh = \"No\"",
                      rules.refresh_interval, blocked));
    }
    if (!is_cycle(point)) return hardware::dram::estimate(channel, options, traffic);
    if (traffic.requests > max_requests_cycle_by_cycle) {
      throw PointError(fmt::format("{} requests: more than {} need fidelity = \"analytic\"", traffic.requests,
                                   max_requests_cycle_by_cycle));
    }
    return hardware::dram::simulate(channel, options, traffic);
  }

  PresetLibrary presets_;
  Schema schema_;
};

void DramSystem::explain(const Point& point, Explanation& explanation) {
  const hw::Dram channel = dram_of(point);
  const hw::Rules rules(channel);
  const auto number = [](std::int64_t value) { return fmt::format("{}", value); };
  const hw::Organization& o = channel.organization;
  auto& shape = explanation.section("channel").lines;
  shape.push_back({"banks", number(o.all_banks()), fmt::format("{} x {} x {}", o.domains, o.groups, o.banks)});
  shape.push_back({"capacity", fmt::format("{} B", o.accesses() * o.access_bytes), "of all banks"});
  auto& turns = explanation.section("rules in clocks").lines;
  turns.push_back({"RD to WR", number(rules.rd_wr), "same domain"});
  turns.push_back({"WR to RD", number(rules.wr_rd), fmt::format("{} in a bank group", rules.wr_rd_group)});
  turns.push_back({"RD to RD", number(rules.rd_rd), fmt::format("{} in a bank group", rules.rd_rd_group)});
  turns.push_back({"ACT to RD, WR", fmt::format("{}, {}", rules.act_rd_bank, rules.act_wr_bank), "same bank"});
  turns.push_back({"RD, WR to PRE", fmt::format("{}, {}", rules.rd_pre_bank, rules.wr_pre_bank), "same bank"});
  turns.push_back({"lone read", number(1 + rules.act_rd_bank + rules.read), "a closed bank, an empty queue"});

  const hw::Result result = run(point, channel);
  auto& lines = explanation.section(is_cycle(point) ? "command by command" : "by arithmetic").lines;
  lines.push_back({"cycles", number(result.cycles), fmt::format("of {:g} ns", channel.tCK * 1e9)});
  lines.push_back({"hits, misses, conflicts",
                   fmt::format("{}, {}, {}", result.row_hits, result.row_misses, result.row_conflicts), ""});
  const hw::Commands& c = result.commands;
  lines.push_back({"ACT, PRE, PREab", fmt::format("{}, {}, {}", c.act, c.pre, c.preab), ""});
  lines.push_back({"RD, WR, REF", fmt::format("{}, {}, {}", c.rd, c.wr, c.ref), ""});
  lines.push_back({"open", number(result.open_clocks), "clocks with a bank open, summed over domains"});
  const hw::Energy joules = hardware::dram::energy(result, channel);
  auto& parts = explanation.section("energy").lines;
  const auto add = [&](const char* name, double value) { parts.push_back({name, fmt::format("{:.4g} J", value), ""}); };
  add("activate", joules.activate);
  add("read", joules.read);
  add("write", joules.write);
  add("refresh", joules.refresh);
  add("background", joules.background);
  add("data", joules.data);
}

}  // namespace

std::unique_ptr<System> make_dram(const std::string& config_dir) { return std::make_unique<DramSystem>(config_dir); }

std::vector<PolicyInfo> dram_policies() { return {}; }

}  // namespace pimsweep::systems::parts::dram
