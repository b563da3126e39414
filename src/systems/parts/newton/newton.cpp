#include "systems/parts/newton/newton.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "hardware/newton/newton.h"
#include "systems/newton_axes.h"
#include "systems/parts/newton/schema.h"

namespace pimsweep::systems::parts::newton {

namespace {

namespace hw = hardware::newton;

/// Counts are 64-bit integers.
constexpr double max_macs = 1e18;
/// Half a minute of work: more than this only the closed form answers.
constexpr double max_commands_cycle_by_cycle = 2e10;

std::string name_of(hw::Granularity granularity) {
  switch (granularity) {
    case hw::Granularity::g_act:
      return "G_ACT";
    case hw::Granularity::readres:
      return "READRES";
    case hw::Granularity::comp:
      return "COMP";
  }
  return {};
}

hw::Layer layer_of(const Point& point) {
  const std::int64_t padding = point.integer(pad);
  hw::Layer layer{point.integer(height),
                  point.integer(width),
                  point.integer(inputs),
                  point.integer(outputs),
                  point.integer(kernel_height),
                  point.integer(kernel_width),
                  point.integer(stride),
                  padding,
                  padding};
  if (layer.pixels() == 0) {
    throw PointError(fmt::format("a {} x {} kernel does not fit an image of {} x {} with padding {}",
                                 layer.kernel_height, layer.kernel_width, layer.height, layer.width, padding));
  }
  const double size =
      static_cast<double>(layer.pixels()) * static_cast<double>(layer.outputs) * static_cast<double>(layer.filter());
  if (size > max_macs) throw PointError(fmt::format("{:g} multiply-accumulates: more than {:g}", size, max_macs));
  return layer;
}

hw::Options options_of(const Point& point) {
  hw::Options options;
  options.controller = point.text(controller) == "paper" ? hw::Controller::paper : hw::Controller::artifact;
  options.fidelity = point.text(fidelity) == "cycle" ? hw::Fidelity::cycle : hw::Fidelity::closed_form;
  options.channels = point.integer(channels);
  options.n_gwrite = point.integer(n_gwrite);
  options.gwrite_hiding = point.integer(gwrite_hiding) != 0;
  return options;
}

class NewtonSystem final : public System {
 public:
  explicit NewtonSystem(const std::string& config_dir)
      : presets_(config_dir + "/hardware"), schema_(make_schema(presets_)), dram_(schema_, "", presets_) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const hw::Dram dram = dram_(point);
    const std::optional<hw::Layer> part = hw::pim_part(layer_of(point), point.integer(split_out_of_10));
    if (part) {
      write(*part, dram, run(*part, dram, options_of(point)), record);
    } else {
      write_nothing(record);
    }
  }

  Hash128 workload_hash(const Point& point) override { return dram_.content(point); }

  void explain(const Point& point, Explanation& explanation) override;

 private:
  const hw::Result& run(const hw::Layer& part, const hw::Dram& dram, const hw::Options& options) {
    if (part.pixels() == 0) {
      throw PointError(fmt::format("PIM's part of the layer has {} rows, fewer than its kernel", part.height));
    }
    if (options.fidelity == hw::Fidelity::cycle) {
      const double commands =
          static_cast<double>(part.macs()) / static_cast<double>(dram.lanes * dram.banks * options.channels);
      if (commands > max_commands_cycle_by_cycle) {
        throw PointError(fmt::format("about {:g} commands: take fidelity = \"closed-form\"", commands));
      }
    }
    return newton_(part, dram, options);
  }

  void write(const hw::Layer& part, const hw::Dram& dram, const hw::Result& result, Record& record) const {
    if (!result.failure.empty()) {
      record.status = Status::infeasible;
      record.message = result.failure;
      return;
    }
    const hw::Counts& counts = result.busiest.counts;
    const auto set = [&](MetricIndex metric, auto value) { record.metrics[metric] = static_cast<double>(value); };
    set(pim_cycles, result.busiest.cycles);
    set(time, static_cast<double>(result.busiest.cycles) / dram.clock);
    set(n_gwrite_commands, counts.gwrite);
    set(n_g_act, counts.g_act);
    set(n_comp, counts.comp);
    set(n_readres, counts.readres);
    set(n_prea, counts.prea);
    set(n_ref, counts.ref);
    set(first_grouping, result.first_grouping);
    set(second_grouping, result.second_grouping);
    record.metrics[granularity] = name_of(result.granularity);
    set(energy, hw::energy(result.all_channels, dram));
    set(energy_busiest, hw::energy(counts, dram));
    set(macs, part.macs());
    set(macs_issued, result.all_channels.comp * dram.banks * dram.lanes);
    set(pim_height, part.height);
    set(pad_height_used, part.pad_height);
    set(pad_width_used, part.pad_width);
    record.status = Status::ok;
  }

  /// The whole layer is the GPU's.
  void write_nothing(Record& record) const {
    for (Value& metric : record.metrics) {
      if (type_of(metric) == ValueType::real) metric = 0.0;
    }
    record.metrics[granularity] = std::string("none");
    record.status = Status::ok;
  }

  hw::PresetLibrary presets_;
  Schema schema_;
  DramReader dram_;
  hw::Newton newton_;
};

void NewtonSystem::explain(const Point& point, Explanation& explanation) {
  const hw::Dram dram = dram_(point);
  const std::optional<hw::Layer> part = hw::pim_part(layer_of(point), point.integer(split_out_of_10));
  auto& shape = explanation.section("PIM's part of the layer");
  if (!part) {
    shape.lines.push_back({"rows", "0", "the layer stays whole on the GPU at this split"});
    return;
  }
  const auto number = [](std::int64_t value) { return fmt::format("{}", value); };
  shape.lines.push_back({"rows", number(part->height), "input height, halo rows included"});
  shape.lines.push_back({"pixels", number(part->pixels()), "output positions"});
  shape.lines.push_back({"filter", number(part->filter()), "elements, before they are filled up to whole columns"});
  shape.lines.push_back({"row", number(dram.row_elements()), "elements that a row and a global buffer hold"});

  const hw::Options options = options_of(point);
  const hw::Result& result = run(*part, dram, options);
  if (!result.failure.empty()) {
    explanation.section("no result").lines.push_back({"reason", result.failure, ""});
    return;
  }
  if (options.controller == hw::Controller::artifact) {
    const hw::ArtifactSchedule schedule = hw::artifact_schedule(*part, dram, options.channels, options.n_gwrite);
    for (const hw::Segment& segment : schedule) {
      auto& lines = explanation.section(fmt::format("segment {}", &segment - schedule.data() + 1)).lines;
      lines.push_back({"groups", number(segment.groups), "groups of channels with GWRITEs of their own"});
      lines.push_back({"dealt by", name_of(segment.granularity), "finest unit that is dealt to channels"});
      lines.push_back({"GWRITEs", number(segment.gwrites), "of the first channel"});
      lines.push_back({"G_ACT sets", number(segment.sets), "for each GWRITE"});
      lines.push_back({"COMPs", fmt::format("{}", fmt::join(segment.units, " ")), "before each READRES of a set"});
    }
  } else {
    std::vector<hw::PaperWork> works;
    hw::paper_work(*part, dram, options.channels, options.n_gwrite, works);
    for (const hw::PaperWork& work : works) {
      auto& lines = explanation.section(fmt::format("chunks of {} COMPs", work.comps)).lines;
      lines.push_back({"rows", fmt::format("{} x {}", work.chunks, work.sets), "chunks x sets of filters"});
      lines.push_back({"results", number(work.results()), "over all channels"});
      lines.push_back({"packed", number(work.packed), "results whose inputs share a buffer"});
      lines.push_back({"buffers", number(work.buffers), "filled by one GWRITE and served by one G_ACT set"});
      lines.push_back({"dealt by", name_of(work.granularity), "finest unit that is dealt to channels"});
    }
  }
  auto& lines = explanation.section("busiest channel").lines;
  const hw::Counts& counts = result.busiest.counts;
  lines.push_back({"cycles", number(result.busiest.cycles), fmt::format("of {:g} MHz", dram.clock * 1e-6)});
  lines.push_back({"GWRITE", number(counts.gwrite), fmt::format("filling {} buffers", counts.buffers)});
  lines.push_back({"G_ACT", number(counts.g_act), fmt::format("{} open a row in all banks", dram.activations())});
  lines.push_back({"COMP", number(counts.comp), ""});
  lines.push_back({"READRES", number(counts.readres), ""});
  lines.push_back({"PREA, REF", fmt::format("{}, {}", counts.prea, counts.ref), ""});
}

}  // namespace

std::unique_ptr<System> make_newton(const std::string& config_dir) {
  return std::make_unique<NewtonSystem>(config_dir);
}

std::vector<PolicyInfo> newton_policies() { return {}; }

}  // namespace pimsweep::systems::parts::newton
