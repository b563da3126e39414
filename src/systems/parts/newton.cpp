#include "hardware/newton/newton.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/error.h"
#include "hardware/pim_memory/apply.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/devices/newton_axes.h"
#include "systems/devices/pim_memory_axes.h"
#include "systems/parts/axis_names.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"

namespace pimsweep::systems::parts {

namespace {

namespace newton = hardware::newton;

/// A point of the system `newton`.
struct NewtonSettings {
  newton::Options options;
  newton::Layer layer;
  std::int64_t padding = 0;
  /// PIM's share of the layer's rows.
  std::int64_t tenths = 0;
  newton::Dram dram;
  hardware::pim_memory::Conditions conditions;
};

/// Its metrics; all 0 where nothing is left for PIM.
struct NewtonResult {
  newton::Run busiest;
  double time = 0;
  std::int64_t first_grouping = 0;
  std::int64_t second_grouping = 0;
  std::optional<newton::Granularity> granularity;
  double energy = 0;
  double energy_busiest = 0;
  std::int64_t macs = 0;
  std::int64_t macs_issued = 0;
  std::int64_t height = 0;
  std::int64_t pad_height = 0;
  std::int64_t pad_width = 0;
};

using DealtBy = std::optional<newton::Granularity>;
constexpr std::array dealt_by_words{
    Word<DealtBy>{"G_ACT", newton::Granularity::g_act}, Word<DealtBy>{"READRES", newton::Granularity::readres},
    Word<DealtBy>{"COMP", newton::Granularity::comp}, Word<DealtBy>{"none", std::nullopt}};

void add_layer_axes(AxisTable<NewtonSettings>& axes) {
  /// Larger than any layer, but small enough that a double represents the product of the sizes exactly.
  constexpr double max_elements = 1 << 20;
  constexpr double max_kernel = 1 << 6;
  newton::Layer& layer = axes.layout().layer;
  axes.count(layer.height, "H", 1, max_elements, "input height, or rows (batch or sequence) of a fully connected layer")
      .count(layer.width, "W", 1, max_elements, "input width, which is 1 for a fully connected layer")
      .count(layer.inputs, "Cin", 1, max_elements, "number of input channels")
      .count(layer.outputs, "Cout", 1, max_elements, "number of output channels")
      .count(layer.kernel_height, "KH", 1, max_kernel, "height of the convolution kernel", 1)
      .count(layer.kernel_width, "KW", 1, max_kernel, "width of the convolution kernel", 1)
      .count(layer.stride, "stride", 1, max_kernel, "stride of the convolution in both directions", 1)
      .count(axes.layout().padding, "pad", 0, max_kernel, "rows or columns of padding on each side", 0);
}

AxisTable<NewtonSettings> newton_axes() {
  constexpr auto max_channels = static_cast<double>(newton::max_channels);
  AxisTable<NewtonSettings> axes;
  NewtonSettings& s = axes.layout();
  newton::Options& options = s.options;
  axes.choice(options.controller, "controller", newton::controller_words,
              "memory controller: PIMFlow's artifact cycle for cycle, or PIMFlow's paper", newton::Controller::artifact)
      .choice(options.fidelity, "fidelity", newton::fidelity_words,
              "arithmetic from refresh to refresh or command by command, with equal results",
              newton::Fidelity::closed_form);
  add_layer_axes(axes);
  axes.count(options.channels, "channels", 1, max_channels, "number of PIM channels", 16)
      .count(options.n_gwrite, "n_gwrite", 1, max_channels,
             "artifact: limit on groups of channels with separate GWRITEs; paper: global buffers of a channel", 4)
      .count(options.gwrite_hiding, "gwrite_hiding", 0, 1,
             "1 if a G_ACT may issue before a GWRITE's data has arrived, else 0", 1)
      .count(s.tenths, "split_out_of_10", 0, 10, "PIM's share of the layer's rows in tenths; the GPU has the rest", 10);
  devices::add_newton_axes(axes, "", s.dram);
  devices::add_pim_memory_axes(axes, "hardware.power_limit", s.conditions);
  return axes;
}

MetricTable<NewtonResult> newton_metrics() {
  MetricTable<NewtonResult> metrics;
  const NewtonResult& r = metrics.layout();
  const newton::Counts& commands = r.busiest.counts;
  metrics
      .count(r.busiest.cycles, "pim_cycles",
             "cycles of the command bus until the last result is out; 0 if PIM is not used", "cycle")
      .quantity(r.time, "time", "s", "time until the last result is out")
      .count(commands.gwrite, "n_GWRITE", "number of GWRITE commands of the busiest channel (artifact: of the first)")
      .count(commands.g_act, "n_G_ACT", "number of single G_ACT commands of the busiest channel")
      .count(commands.comp, "n_COMP", "number of COMP commands of the busiest channel")
      .count(commands.readres, "n_READRES", "number of READRES commands of the busiest channel")
      .count(commands.prea, "n_PREA", "number of PREA commands of the busiest channel")
      .count(commands.ref, "n_REF", "number of REF commands of the busiest channel")
      .count(r.first_grouping, "k_first_segment",
             "groups of channels with separate GWRITEs in the first segment (paper: 1)")
      .count(r.second_grouping, "k_second_segment",
             "groups of channels with separate GWRITEs in the second segment; 0 without one")
      .choice(r.granularity, "granularity", dealt_by_words,
              "finest unit of work dealt to channels in the first segment: G_ACT, READRES or COMP")
      .quantity(r.energy, "energy", "J", "energy of all channels' commands, as far as published (docs/newton.md)")
      .quantity(r.energy_busiest, "energy_busiest", "J",
                "energy of the busiest channel's commands, as the artifact prints")
      .count(r.macs, "macs", "multiply-accumulates of PIM's part of the layer")
      .count(r.macs_issued, "macs_issued",
             "multiply-accumulates issued by all channels: below macs where the artifact loses COMPs")
      .count(r.height, "pim_H", "input height of PIM's part, halo rows included")
      .count(r.pad_height, "pad_h_used", "rows of padding of PIM's part: 0 where the layer is split")
      .count(r.pad_width, "pad_w_used", "columns of padding of PIM's part");
  return metrics;
}

class NewtonSystem final : public System, public HasRoofline {
 public:
  NewtonSystem() {
    schema_.name = "newton";
    schema_.main_metrics = {"time"};
    schema_.doc =
        "Newton PIM: one convolution or fully connected layer on DRAM channels that multiply (PIM part of PIMFlow)";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const NewtonSettings settings = read(point);
    const std::optional<newton::Layer> part = newton::pim_part(settings.layer, settings.tenths);
    NewtonResult result;
    if (part) {
      const newton::Result& outcome = newton_(*part, settings.dram, settings.options);
      if (!outcome.failure.empty()) {
        record.status = Status::infeasible;
        record.message = outcome.failure;
        return;
      }
      result = result_of(*part, settings.dram, outcome);
    }
    metrics_.write(result, record);
    record.status = Status::ok;
  }

  /// A point depends on nothing but the values of its axes.
  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  std::vector<std::string> fit_axes() const override { return axis_names(schema_); }

  void explain(const Point& point, Explanation& explanation) override;

  /// Each multiply-accumulate reads a weight of 16 bits from its bank.
  Roofline roofline(const Point& point, const Record& record) override {
    const NewtonSettings settings = read(point);
    const double macs = number_of(schema_, record, "macs");
    if (macs == 0) return {.reason = "the layer stays whole on the GPU at this split"};
    const double peak = static_cast<double>(settings.options.channels) * settings.dram.multiply_rate();
    return {{{.name = "PIM",
              .operations = 2 * macs,
              .memory_bytes = 2 * macs,
              .time = number_of(schema_, record, "time"),
              .peak_rate = 2 * peak,
              .memory_bandwidth = 2 * peak}}};
  }

 protected:
  void require_fit(const Point& point) override { read(point); }

 private:
  /// Throws PointError for an impossible layer, and for one with too many commands to simulate.
  NewtonSettings read(const Point& point) const;
  static NewtonResult result_of(const newton::Layer& part, const newton::Dram& dram, const newton::Result& result);

  AxisTable<NewtonSettings> axes_ = newton_axes();
  MetricTable<NewtonResult> metrics_ = newton_metrics();
  Schema schema_;
  newton::Newton newton_;
};

/// Throws PointError if PIM's part of a layer is too small or takes too long.
void require_run(const newton::Layer& part, const NewtonSettings& settings) {
  /// Half a minute of work: beyond it only the closed form answers.
  constexpr double max_commands = 2e10;
  if (part.pixels() == 0) {
    throw PointError(fmt::format("PIM's part of the layer has {} rows, fewer than its kernel", part.height));
  }
  if (settings.options.fidelity != newton::Fidelity::cycle) return;
  const newton::Dram& dram = settings.dram;
  const double commands =
      static_cast<double>(part.macs()) / static_cast<double>(dram.lanes * dram.banks * settings.options.channels);
  if (commands > max_commands) {
    throw PointError(fmt::format("about {:g} commands: take fidelity = \"closed-form\"", commands));
  }
}

NewtonSettings NewtonSystem::read(const Point& point) const {
  /// Counts are 64-bit integers.
  constexpr double max_macs = 1e18;
  NewtonSettings settings = axes_.read(point);
  hardware::pim_memory::apply(settings.conditions, settings.options.channels, settings.dram);
  newton::Layer& layer = settings.layer;
  layer.pad_height = settings.padding;
  layer.pad_width = settings.padding;
  if (layer.pixels() == 0) {
    throw PointError(fmt::format("a {} x {} kernel does not fit an image of {} x {} with padding {}",
                                 layer.kernel_height, layer.kernel_width, layer.height, layer.width, settings.padding));
  }
  const double macs =
      static_cast<double>(layer.pixels()) * static_cast<double>(layer.outputs) * static_cast<double>(layer.filter());
  if (macs > max_macs) throw PointError(fmt::format("{:g} multiply-accumulates: more than {:g}", macs, max_macs));
  if (const std::optional<newton::Layer> part = newton::pim_part(layer, settings.tenths)) require_run(*part, settings);
  return settings;
}

NewtonResult NewtonSystem::result_of(const newton::Layer& part, const newton::Dram& dram,
                                     const newton::Result& result) {
  return {.busiest = result.busiest,
          .time = static_cast<double>(result.busiest.cycles) / dram.clock,
          .first_grouping = result.first_grouping,
          .second_grouping = result.second_grouping,
          .granularity = result.granularity,
          .energy = newton::energy(result.all_channels, dram),
          .energy_busiest = newton::energy(result.busiest.counts, dram),
          .macs = part.macs(),
          .macs_issued = result.all_channels.comp * dram.banks * dram.lanes,
          .height = part.height,
          .pad_height = part.pad_height,
          .pad_width = part.pad_width};
}

void explain_artifact(const newton::Layer& part, const NewtonSettings& settings, Explanation& explanation) {
  const newton::Options& options = settings.options;
  const newton::ArtifactSchedule schedule =
      newton::artifact_schedule(part, settings.dram, options.channels, options.n_gwrite);
  for (const newton::Segment& segment : schedule) {
    const auto number = &segment - schedule.data() + 1;
    auto& lines = explanation.section(fmt::format("segment {}", number)).lines;
    lines.push_back({"groups", std::to_string(segment.groups), "groups of channels with separate GWRITEs"});
    lines.push_back({"dealt by", std::string(word_of(newton::granularity_words, segment.granularity)),
                     "finest unit that is dealt to channels"});
    lines.push_back({"GWRITEs", std::to_string(segment.gwrites), "of the first channel"});
    lines.push_back({"G_ACT sets", std::to_string(segment.sets), "for each GWRITE"});
    lines.push_back({"COMPs", fmt::format("{}", fmt::join(segment.units, " ")), "before each READRES of a set"});
  }
}

void explain_paper(const newton::Layer& part, const NewtonSettings& settings, Explanation& explanation) {
  std::vector<newton::PaperWork> works;
  newton::paper_work(part, settings.dram, settings.options.channels, settings.options.n_gwrite, works);
  for (const newton::PaperWork& work : works) {
    auto& lines = explanation.section(fmt::format("chunks of {} COMPs", work.comps)).lines;
    lines.push_back({"rows", fmt::format("{} x {}", work.chunks, work.sets), "chunks x sets of filters"});
    lines.push_back({"results", std::to_string(work.results()), "over all channels"});
    lines.push_back({"packed", std::to_string(work.packed), "results whose inputs share a buffer"});
    lines.push_back({"buffers", std::to_string(work.buffers), "filled by one GWRITE and served by one G_ACT set"});
    lines.push_back({"dealt by", std::string(word_of(newton::granularity_words, work.granularity)),
                     "finest unit that is dealt to channels"});
  }
}

void explain_busiest(const newton::Run& busiest, const newton::Dram& dram, Explanation& explanation) {
  auto& lines = explanation.section("busiest channel").lines;
  const newton::Counts& counts = busiest.counts;
  lines.push_back({"cycles", std::to_string(busiest.cycles), fmt::format("of {:g} MHz", dram.clock * 1e-6)});
  lines.push_back({"GWRITE", std::to_string(counts.gwrite), fmt::format("filling {} buffers", counts.buffers)});
  lines.push_back(
      {"G_ACT", std::to_string(counts.g_act), fmt::format("{} open a row in all banks", dram.activations())});
  lines.push_back({"COMP", std::to_string(counts.comp), ""});
  lines.push_back({"READRES", std::to_string(counts.readres), ""});
  lines.push_back({"PREA, REF", fmt::format("{}, {}", counts.prea, counts.ref), ""});
}

void NewtonSystem::explain(const Point& point, Explanation& explanation) {
  const NewtonSettings settings = read(point);
  const std::optional<newton::Layer> part = newton::pim_part(settings.layer, settings.tenths);
  auto& shape = explanation.section("PIM's part of the layer").lines;
  if (!part) {
    shape.push_back({"rows", "0", "the layer stays whole on the GPU at this split"});
    return;
  }
  shape.push_back({"rows", std::to_string(part->height), "input height, halo rows included"});
  shape.push_back({"pixels", std::to_string(part->pixels()), "output positions"});
  shape.push_back({"filter", std::to_string(part->filter()), "elements, before padding to whole columns"});
  shape.push_back(
      {"row", std::to_string(settings.dram.row_elements()), "elements that a row and a global buffer hold"});

  const newton::Result& result = newton_(*part, settings.dram, settings.options);
  if (!result.failure.empty()) {
    explanation.section("no result").lines.push_back({"reason", result.failure, ""});
    return;
  }
  if (settings.options.controller == newton::Controller::artifact) {
    explain_artifact(*part, settings, explanation);
  } else {
    explain_paper(*part, settings, explanation);
  }
  explain_busiest(result.busiest, settings.dram, explanation);
}

}  // namespace

std::unique_ptr<System> make_newton(const ConfigFolders& /*configs*/) { return std::make_unique<NewtonSystem>(); }

}  // namespace pimsweep::systems::parts
