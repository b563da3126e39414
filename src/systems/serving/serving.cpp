#include "systems/serving/serving.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/hash.h"
#include "systems/policy_list.h"
#include "systems/roofline.h"
#include "systems/serving/evaluation.h"
#include "systems/serving/records.h"
#include "workload/model_library.h"

namespace pimsweep::systems::serving {

namespace {

/// Axes that the throughput of a queue that is never empty does not depend on.
constexpr std::array<std::string_view, 12> arrival_axes{
    "arrivals", "request_rate", "burstiness", "arrival_seed",   "max_concurrency", "warmup_requests",
    "slo_ttft", "slo_tpot",     "slo_share",  "price_per_hour", "find_max_rate",   "record_timeline"};

class Serving final : public System, public HasRoofline {
 public:
  explicit Serving(const ConfigFolders& configs)
      : models_(configs.models),
        axes_(make_axes(models_.decoders())),
        records_(schema_),
        tables_(configs.models),
        evaluator_(tables_) {
    schema_.name = "serving";
    schema_.version = 4;
    schema_.main_metrics = {"e2el_mean", "energy_per_token"};
    schema_.doc = "Language models that serve arriving requests, on GPUs with processing in memory";
    schema_.axes = axes_.axes();
    for (std::size_t i = 0; i < schema_.axes.size(); ++i) {
      if (std::ranges::find(arrival_axes, schema_.axes[i].name) == arrival_axes.end()) run_axes_.push_back(i);
    }
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const Evaluation& evaluation = evaluation_of(point);
    records_.write(settings_, evaluator_, evaluation, record);
  }

  Hash128 workload_hash(const Point& point) override {
    axes_.read(point, settings_);
    const Hash128 model = models_.content(settings_.model);
    if (settings_.traffic.trace.empty()) return model;
    return hash128(model.text() + tables_.content(settings_.traffic.trace).text());
  }

  std::vector<std::string> fit_axes() const override {
    return {
        "model",           "arrivals",          "request_rate",    "max_concurrency",   "trace", "requests", "lengths",
        "tensor_parallel", "pipeline_parallel", "expert_parallel", "hardware.gpu.count"};
  }

  void explain(const Point& point, Explanation& explanation) override {
    explain_point(settings_, evaluation_of(point), explanation);
  }

  Roofline roofline(const Point& /*point*/, const Record& record) override {
    constexpr double near_full = 0.99;
    const double gpu = number_of(schema_, record, "gpu_busy");
    const double pim = number_of(schema_, record, "pim_busy");
    const bool is_full = number_of(schema_, record, "kv_cache_peak") >= near_full;
    const auto& [unit, busy] = pim > gpu ? std::pair("PIM", pim) : std::pair("GPU", gpu);
    return {.reason = "a run has steps of many sizes: system 'llm' places each size of a step in its roofline",
            .bound = fmt::format("{} ({} busy {:.0f} % of the time)",
                                 is_full       ? "KV cache, full at its peak"
                                 : busy >= 0.5 ? unit
                                               : "arrivals and host",
                                 unit, 100 * busy)};
  }

 protected:
  void require_fit(const Point& point) override {
    axes_.read(point, settings_);
    evaluator_.require_fit(settings_, models_.decoder(settings_.model));
  }

 private:
  const Evaluation& evaluation_of(const Point& point) {
    axes_.read(point, settings_);
    settings_.machine.pim.apply_conditions();
    return evaluator_(settings_, models_.decoder(settings_.model), run_key(point));
  }

  RunKey run_key(const Point& point) {
    bytes_.clear();
    for (const std::size_t axis : run_axes_) {
      const ValueType type = schema_.axes[axis].type;
      if (type == ValueType::text) {
        bytes_ += point.text(axis);
      } else if (type == ValueType::boolean) {
        bytes_ += point.boolean(axis) ? '1' : '0';
      } else {
        const double number = point.real(axis);
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
      }
      bytes_ += '\0';
    }
    const Hash128 hash = hash128(bytes_);
    return {hash.high, hash.low};
  }

  workload::ModelLibrary models_;
  Schema schema_;
  AxisTable<Settings> axes_;
  Records records_;
  workload::decoder::Tables tables_;
  Evaluator evaluator_;
  Settings settings_;
  /// Axes that runs depend on besides arrivals.
  std::vector<std::size_t> run_axes_;
  std::string bytes_;
};

}  // namespace

std::unique_ptr<System> make_serving(const ConfigFolders& configs) { return std::make_unique<Serving>(configs); }

std::vector<PolicyInfo> serving_policies() { return policy_infos(serving_step_policies()); }

}  // namespace pimsweep::systems::serving
