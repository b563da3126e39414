#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/bounded_cache.h"
#include "base/checked.h"
#include "base/error.h"
#include "hardware/pe_array/mapper/notation.h"
#include "systems/parts/gemm_run.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"
#include "workload/model_library.h"

namespace pimsweep::systems::parts {

namespace {

namespace pe_array = hardware::pe_array;
namespace mapper = hardware::pe_array::mapper;
using mapper::Cost;
using mapper::Engine;
using pe_array::Gemm;
using pe_array::NetworkLayer;

class GemmSystem final : public System, public HasRoofline {
 public:
  explicit GemmSystem(const ConfigFolders& configs) : models_(configs.models) {
    add_axes(axes_, axes_.layout(), models_.names());
    add_metrics(metrics_, metrics_.layout());
    add_columns(by_layer_, by_layer_.layout());
    schema_.name = "gemm";
    schema_.main_metrics = {"cycles", "energy"};
    schema_.doc = "A GEMM or a network on a PE array: systolic as SCALE-Sim has it, or NVDLA-style with best mappings";
    schema_.version = 4;
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
    by_layer_.attach(schema_);
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    read(point);
    if (settings_.is_network()) {
      evaluate_network(record);
    } else {
      evaluate_gemm(record);
    }
  }

  Hash128 workload_hash(const Point& point) override {
    axes_.read(point, settings_);
    return settings_.is_network() ? models_.content(settings_.model) : Hash128{};
  }

  std::vector<std::string> fit_axes() const override { return {"model", "image_px", "tokens", "batch", "M", "N", "K"}; }

  void explain(const Point& point, Explanation& explanation) override {
    read(point);
    if (settings_.is_network()) return explain_network(explanation);
    const std::optional<GemmRun> run = run_gemm(settings_, settings_.gemm, mapper_);
    if (!run) {
      explanation.section("no result").lines.push_back({"reason", no_mapping(settings_), ""});
      return;
    }
    if (run->counts) {
      auto& lines = explanation.section("systolic array").lines;
      lines.push_back({"folds", std::to_string(run->counts->folds), "one after another"});
      lines.push_back({"fold", std::to_string(run->counts->busy_lines / run->counts->folds), "cycles of each"});
    } else {
      explain_mapping(*run->mapping, explanation);
    }
    explain_cost(run->cost, explanation);
  }

  /// In cycles: a PE array has no clock.
  Roofline roofline(const Point& point, const Record& record) override {
    read(point);
    const auto word_bytes = static_cast<double>(settings_.word_bytes);
    const double words = settings_.engine.dram_words_per_cycle;
    return {{{.name = "PE array",
              .operations = 2 * number_of(schema_, record, "macs"),
              .memory_bytes = word_bytes * number_of(schema_, record, "dram_words"),
              .time = number_of(schema_, record, "cycles"),
              .peak_rate = 2 * static_cast<double>(settings_.engine.pes()),
              .memory_bandwidth = words > 0 ? word_bytes * words : no_number,
              .time_unit = "cycle"}}};
  }

 protected:
  void require_fit(const Point& point) override {
    axes_.read(point, settings_);
    require_work();
  }

 private:
  using LayerKey = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t>;

  /// A network run layer after layer.
  struct NetworkRun {
    GemmRun array;
    GemmRun vector;
    std::vector<GemmRun> layers;
    /// The first layer without a mapping, after which none has been run.
    const NetworkLayer* unmapped = nullptr;
  };

  void read(const Point& point) {
    axes_.read(point, settings_);
    require_work();
    complete(settings_);
  }

  /// Throws PointError if the point has neither a network with a GEMM nor the sizes of a single one.
  void require_work() {
    const GemmSettings& s = settings_;
    const bool has_sizes = s.gemm.m > 0 || s.gemm.n > 0 || s.gemm.k > 0;
    if (!s.is_network()) {
      if (s.gemm.m == 0 || s.gemm.n == 0 || s.gemm.k == 0) {
        throw PointError(
            fmt::format("M = {}, N = {}, K = {}: a GEMM needs all three sizes, or set axis 'model' to a network",
                        s.gemm.m, s.gemm.n, s.gemm.k));
      }
      if (s.batch > 1) throw PointError("axis 'batch' is for networks: multiply M of a GEMM instead");
      return;
    }
    if (has_sizes) throw PointError("M, N and K are those of the network's layers: set either them or 'model'");
    if (s.source == MappingSource::given) throw PointError("mapper \"given\" is for a single GEMM, not for a network");
    for (const NetworkLayer& layer : layers()) {
      if (layer.on_array()) return;
    }
    throw PointError(fmt::format("no operator of model '{}' is a GEMM", s.model));
  }

  const std::vector<NetworkLayer>& layers() {
    const GemmSettings& s = settings_;
    const std::int64_t size = models_.input_size(s.model, s.size);
    return layers_.get({s.model, size, s.batch, s.word_bytes},
                       [&] { return pe_array::network_layers(models_.graph(s.model, size), s.batch, s.word_bytes); });
  }

  void evaluate_gemm(Record& record) {
    const std::optional<GemmRun> run = run_gemm(settings_, settings_.gemm, mapper_);
    if (!run) {
      record.status = Status::infeasible;
      record.message = no_mapping(settings_);
      return;
    }
    GemmResult result;
    put_cost(run->cost, settings_, result);
    put_run(*run, settings_, result);
    if (run->counts) {
      result.mapping_efficiency = 100 * run->counts->mapping_efficiency;
      result.compute_utilization = 100 * run->counts->compute_utilization;
    } else {
      result.mapping = mapper::to_text(*run->mapping, settings_.gemm);
    }
    metrics_.write(result, record);
    record.status = Status::ok;
  }

  void evaluate_network(Record& record) {
    const NetworkRun run = run_network();
    if (run.unmapped != nullptr) {
      record.status = Status::infeasible;
      record.message = fmt::format("layer '{}': {}", run.unmapped->name, no_mapping(settings_));
      return;
    }
    GemmRun all = run.array;
    add_run(all, run.vector, 1);
    GemmResult result;
    put_cost(all.cost, settings_, result);
    put_run(run.array, settings_, result);
    result.vector_cycles = run.vector.cost.cycles;
    metrics_.write(result, record);
    for (std::size_t i = 0; i < run.layers.size(); ++i) by_layer_.add(row(layers()[i], run.layers[i]), record);
    record.status = Status::ok;
  }

  NetworkRun run_network() {
    NetworkRun network;
    // Networks repeat their layers.
    std::map<std::array<std::int64_t, 5>, GemmRun> known;
    for (const NetworkLayer& layer : layers()) {
      GemmRun& sum = network.layers.emplace_back();
      if (!layer.on_array()) {
        sum.cost = vector_cost(settings_, layer);
        add_run(network.vector, sum, 1);
        continue;
      }
      const Gemm& gemm = layer.gemm;
      const auto [found, is_new] = known.try_emplace({gemm.m, gemm.n, gemm.k, gemm.a_words(), gemm.b_words()});
      if (is_new) {
        const std::optional<GemmRun> run = run_gemm(settings_, gemm, mapper_);
        if (!run) {
          network.unmapped = &layer;
          return network;
        }
        found->second = *run;
      }
      add_run(sum, found->second, layer.gemms);
      sum.mapping = found->second.mapping;
      add_run(network.array, sum, 1);
    }
    return network;
  }

  GemmLayerRow row(const NetworkLayer& layer, const GemmRun& run) const {
    GemmLayerRow row;
    row.layer = layer.name;
    row.kind = workload::name_of(layer.kind);
    row.on_array = layer.on_array();
    row.gemms = layer.gemms;
    row.m = layer.gemm.m;
    row.n = layer.gemm.n;
    row.k = layer.gemm.k;
    row.cycles = run.cost.cycles;
    if (run.counts) row.total_cycles = static_cast<double>(run.counts->total_cycles);
    row.utilization_percent = 100 * static_cast<double>(run.cost.macs) /
                              (static_cast<double>(run.cost.cycles) * static_cast<double>(settings_.engine.pes()));
    row.macs = run.cost.macs;
    row.sram_words = run.cost.buffer_words();
    row.dram_words = run.cost.dram_words();
    row.energy = run.cost.energy();
    if (run.mapping) row.mapping = mapper::to_text(*run.mapping, layer.gemm);
    return row;
  }

  void explain_network(Explanation& explanation) {
    const NetworkRun run = run_network();
    if (run.unmapped != nullptr) {
      explanation.section("no result").lines.push_back({run.unmapped->name, no_mapping(settings_), ""});
      return;
    }
    auto& lines = explanation.section("layers").lines;
    for (std::size_t i = 0; i < run.layers.size(); ++i) {
      const GemmLayerRow layer = row(layers()[i], run.layers[i]);
      const std::string what = layer.on_array ? fmt::format("{} x {} x {} x {}, {:.1f} % of the PEs", layer.gemms,
                                                            layer.m, layer.n, layer.k, layer.utilization_percent)
                                              : "vector unit";
      lines.push_back(
          {std::string(layer.layer), fmt::format("{} cycles", layer.cycles), fmt::format("{}, {}", layer.kind, what)});
    }
    GemmRun all = run.array;
    add_run(all, run.vector, 1);
    explain_cost(all.cost, explanation);
  }

  void explain_mapping(const mapper::Mapping& m, Explanation& explanation) const {
    auto& lines = explanation.section("mapping").lines;
    lines.push_back({"loops", mapper::to_text(m, settings_.gemm), "from the outside in"});
    lines.push_back({"tile", fmt::format("{} x {} x {}", m.tile.m, m.tile.n, m.tile.k), "M x N x K in the buffer"});
    lines.push_back({"strip", std::to_string(m.strip), "rows of Z in an accumulator buffer"});
    lines.push_back({"PEs", fmt::format("{} x {}", m.used_rows, m.used_cols), "K x N at a time"});
  }

  void explain_cost(const Cost& cost, Explanation& explanation) const {
    const Engine& engine = settings_.engine;
    auto& cycles = explanation.section("cycles").lines;
    const auto add_cycles = [&](const char* name, std::int64_t count, std::string note) {
      cycles.push_back({name, std::to_string(count), std::move(note)});
    };
    add_cycles("cycles", cost.cycles, settings_.is_network() ? "all layers" : "all parts overlap");
    add_cycles("compute", cost.compute_cycles, "");
    add_cycles("DRAM", mapper::transfer_cycles(cost.dram_words(), engine.dram_words_per_cycle),
               fmt::format("{} words", cost.dram_words()));
    add_cycles("buffer", mapper::transfer_cycles(cost.buffer_words(), engine.buffer_words_per_cycle),
               fmt::format("{} words", cost.buffer_words()));
    auto& energy = explanation.section("energy").lines;
    const auto add_energy = [&](const char* name, double joule) {
      energy.push_back({name, fmt::format("{:.4g} J", joule), ""});
    };
    add_energy("multipliers", cost.mac_energy);
    add_energy("registers", cost.register_energy);
    add_energy("accumulators", cost.accumulator_energy);
    add_energy("buffer", cost.buffer_energy);
    add_energy("DRAM", cost.dram_energy);
  }

  workload::ModelLibrary models_;
  /// More than the networks of one study.
  static constexpr std::size_t max_networks = 256;
  BoundedCache<LayerKey, std::vector<NetworkLayer>> layers_{max_networks};
  AxisTable<GemmSettings> axes_;
  MetricTable<GemmResult> metrics_;
  RowTable<GemmLayerRow> by_layer_{"by_layer", "layers of a network in the order of execution; none for a GEMM"};
  Schema schema_;
  GemmSettings settings_;
  mapper::Mapper mapper_;
};

}  // namespace

std::unique_ptr<System> make_gemm(const ConfigFolders& configs) { return std::make_unique<GemmSystem>(configs); }

}  // namespace pimsweep::systems::parts
