#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "base/error.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/policy_list.h"
#include "systems/roofline.h"
#include "systems/upmem/gemv.h"
#include "systems/upmem/policies.h"
#include "systems/upmem/products.h"
#include "systems/upmem/upmem.h"

namespace pimsweep::systems::upmem {

namespace {

/// A point of the system `upmem-network`.
struct NetworkPoint {
  NetworkChoice choice;
  GemvOptions options;
  const Policy* policy = nullptr;
  Machine machine;
};

struct NetworkResult {
  double time = 0;
  double time_per_sample = 0;
  double energy = 0;
  double energy_per_sample = 0;
  double to = 0;
  double launch = 0;
  double kernel = 0;
  double from = 0;
  double host = 0;
  double attention = 0;
  /// Share of launches and transfers.
  double overhead = 0;
  double launches = 0;
  double bank_bytes = 0;
  double dpus = 0;
};

struct ProductRow {
  std::string_view product;
  double rows = 0;
  double columns = 0;
  double times = 0;
  std::int64_t dpus = 0;
  std::int64_t column_parts = 0;
  double time = 0;
  double kernel = 0;
  Bound bound = Bound::issue;
};

void add_network_axes(AxisList& axes, NetworkPoint& p, const std::vector<std::string>& models) {
  axes.text(p.choice.model, "model", "network, one of configs/models", {}, models)
      .kind(AxisKind::model)
      .count(p.choice.size.image_px, "image_px", 0, 16384,
             "side of the square input images in pixels, 0 for the model's own", 0)
      .kind(AxisKind::image_size)
      .count(p.choice.size.tokens, "tokens", 0, 16384,
             "sequence length of a network that does not generate text, 0 for the model's own", 0)
      .kind(AxisKind::tokens)
      .count(p.choice.batch, "batch", 1, 65536, "samples, or sequences that each generate a token", 1)
      .count(p.choice.context, "context", 0, 1 << 24, "tokens of a sequence before the generated one", 1024)
      .policy(p.policy, policies(), "placement of matrices on DPUs", "optimum")
      .count(p.options.dpus, "dpus", 0, 1 << 20, "DPUs that may be used; 0: all of the machine", 0)
      .count(p.options.tasklets, "tasklets", 1, 1024, "tasklets of a DPU", 16)
      .choice(p.options.bits, "weight_type", weight_words, "type of the weights", WeightBits::int8)
      .choice(p.options.weights, "weights", weights_words,
              "place of the weights: resident in the banks, or sent before each product", Weights::resident)
      .count(p.options.group_ranks, "group_ranks", 1, 4096, "ranks of a group in the policy groups", 1);
  add_machine_axes(axes, p.machine);
}

void add_network_metrics(ColumnList& metrics, const NetworkResult& r) {
  metrics.quantity(r.time, "time", "s", "time of a step or an inference of the whole batch")
      .quantity(r.energy, "energy", "J", "energy of DPUs and host")
      .quantity(r.time_per_sample, "time_per_sample", "s", "time by samples or generated tokens")
      .quantity(r.energy_per_sample, "energy_per_sample", "J", "energy by samples or generated tokens")
      .quantity(r.to, "to_dpus", "s", "time of transfers to the DPUs")
      .quantity(r.launch, "launch", "s", "time of launches of kernels")
      .quantity(r.kernel, "kernel", "s", "time of kernels without their launches")
      .quantity(r.from, "back", "s", "time of transfers from the DPUs")
      .quantity(r.host, "host_sums", "s", "time of sums of partial results by the host")
      .quantity(r.attention, "attention", "s", "time in which the host reads the KV cache; 0: no text is generated")
      .quantity(r.overhead, "overhead", "1", "share of launches and transfers in the time")
      .count(r.launches, "launches", "launches of kernels")
      .quantity(r.bank_bytes, "bank_bytes", "B", "mean bytes of weights in the bank of a DPU")
      .count(r.dpus, "max_dpus", "DPUs of the product that uses the most");
}

void add_product_columns(ColumnList& columns, const ProductRow& r) {
  columns.text(r.product, "product", "name of the product, the first of equal ones")
      .quantity(r.rows, "rows", "1", "rows of the matrix, joined ones included")
      .quantity(r.columns, "columns", "1", "columns of the matrix")
      .quantity(r.times, "times", "1", "matrices of this kind in a step")
      .count(r.dpus, "dpus", "DPUs that share the matrix")
      .count(r.column_parts, "column_parts", "parts of the columns of the matrix")
      .quantity(r.time, "time", "s", "time of one matrix by its vectors")
      .quantity(r.kernel, "kernel", "s", "time of the kernel of one matrix")
      .choice(r.bound, "bound", bound_words, "resource that limits the kernel");
}

/// Placements by the number of their matrix, which most products of a network share with others.
using Placed = std::vector<std::optional<GemvCost>>;

/// Products in the order of execution, each on its DPUs.
class NetworkRun {
 public:
  NetworkRun(const GemvCosts& costs, const Policy& policy, const RowTable<ProductRow>& table, Record& record)
      : costs_(costs), policy_(policy), table_(table), record_(record) {}

  /// `placed` is room for placements.
  NetworkResult run(const NetworkWork& work, Placed& placed) {
    placed.assign(work.matrices.size(), std::nullopt);
    const auto cost = [&](std::size_t number) -> const GemvCost& {
      std::optional<GemvCost>& known = placed[number];
      if (!known) known = policy_.choose(costs_, work.matrices[number]);
      return *known;
    };
    const auto is_joined = [&](const Product& product) {
      if (product.parts.size() == 1 || policy_.joins == Policy::Joins::always) return true;
      if (policy_.joins == Policy::Joins::never) return false;
      double separate = 0;
      for (const std::size_t part : product.parts) separate += cost(part).total();
      return cost(product.joined).total() <= separate;
    };
    const auto put_one = [&](const Product& product, std::size_t number) {
      put(product, work.matrices[number], cost(number));
    };
    for (const Product& product : work.products) {
      if (is_joined(product)) {
        put_one(product, product.joined);
      } else {
        for (const std::size_t part : product.parts) put_one(product, part);
      }
    }
    return result_;
  }

 private:
  void put(const Product& product, const Matrix& matrix, const GemvCost& cost) {
    const double times = product.times;
    result_.to += times * cost.to;
    result_.launch += times * cost.launch;
    result_.kernel += times * cost.kernel;
    result_.from += times * cost.from;
    result_.host += times * cost.host;
    result_.launches += times;
    const auto dpus = static_cast<double>(cost.placement.dpus);
    const bool is_resident = costs_.options().weights == Weights::resident;
    const double stored = is_resident ? product.stored * cost.weight_bytes * dpus : cost.weight_bytes * dpus;
    const double mean = stored / static_cast<double>(costs_.options().dpus);
    result_.bank_bytes = is_resident ? result_.bank_bytes + mean : std::max(result_.bank_bytes, cost.weight_bytes);
    result_.dpus = std::max(result_.dpus, dpus);
    table_.add({product.name, matrix.rows, matrix.columns, times, cost.placement.dpus, cost.placement.column_parts,
                cost.total(), cost.kernel, cost.bound},
               record_);
  }

  const GemvCosts& costs_;
  const Policy& policy_;
  const RowTable<ProductRow>& table_;
  Record& record_;
  NetworkResult result_;
};

/// The reason why a machine cannot run this; empty if it can.
std::string missing(const NetworkPoint& p) {
  const Machine& m = p.machine;
  if (m.dpus() < 1)
    return fmt::format("the machine has no DPU: {} ranks of {} less {} dead", m.ranks, m.rank_dpus, m.dead_dpus);
  return m.lacking(p.options.dpus, p.options.tasklets);
}

class UpmemNetwork final : public System, public HasRoofline {
 public:
  explicit UpmemNetwork(const ConfigFolders& configs) : models_(configs.models) {
    add_network_axes(axes_, axes_.layout(), models_.names());
    add_network_metrics(metrics_, metrics_.layout());
    add_product_columns(by_product_, by_product_.layout());
    schema_.name = "upmem-network";
    // 2: equal matrices of an inference are one product; the last bits of bandwidths.
    schema_.version = 2;
    schema_.doc = "The matrices of a network by vectors on UPMEM's DPUs";
    schema_.main_metrics = {"time_per_sample", "energy_per_sample"};
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
    by_product_.attach(schema_);
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    axes_.read(point, point_);
    record.status = Status::infeasible;
    record.message = missing(point_);
    if (!record.message.empty()) return;
    bandwidths_.set(point_.machine);
    const GemvCosts costs(point_.machine, bandwidths_, point_.options);
    const NetworkWork& work = known_work();
    NetworkResult result = NetworkRun(costs, *point_.policy, by_product_, record).run(work, placed_);
    if (result.bank_bytes > costs.bank()) {
      record.message = fmt::format(
          "the weights take {:.0f} bytes a DPU, but its bank (MRAM) has {:.0f}: use more DPUs, "
          "fewer bits, or weights that are sent",
          result.bank_bytes, costs.bank());
      return;
    }
    finish(work, result);
    metrics_.write(result, record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& point) override {
    axes_.read(point, point_);
    return models_.content(point_.choice.model);
  }

  std::vector<std::string> fit_axes() const override { return {"model", "image_px", "tokens"}; }

  Roofline roofline(const Point& /*point*/, const Record& /*record*/) override {
    return {.reason =
                "a DPU has instructions and DMA transfers in place of operations and bytes: table 'by_product' has the "
                "limit of each"};
  }

 protected:
  void require_fit(const Point& point) override {
    axes_.read(point, point_);
    known_work();
  }

 private:
  /// The products of the current point, which are mostly those of the point before.
  const NetworkWork& known_work() {
    if (!work_ || known_model_ != point_.choice.model || known_.size != point_.choice.size ||
        known_.batch != point_.choice.batch || known_.context != point_.choice.context) {
      work_.reset();
      work_ = work_of(models_, point_.choice);
      known_model_ = point_.choice.model;
      known_ = point_.choice;
    }
    return *work_;
  }

  void finish(const NetworkWork& work, NetworkResult& r) const {
    const Machine& m = point_.machine;
    r.attention = work.cache_bytes / point_.machine.host_memory;
    r.time = r.to + r.launch + r.kernel + r.from + r.host + r.attention;
    r.overhead = (r.to + r.launch + r.from) / r.time;
    r.energy = (m.power() + m.host_power) * r.time;
    r.time_per_sample = r.time / static_cast<double>(point_.choice.batch);
    r.energy_per_sample = r.energy / static_cast<double>(point_.choice.batch);
  }

  workload::ModelLibrary models_;
  AxisTable<NetworkPoint> axes_;
  MetricTable<NetworkResult> metrics_;
  RowTable<ProductRow> by_product_{"by_product", "different products of a step in the order of execution"};
  Schema schema_;
  NetworkPoint point_;
  std::string known_model_;
  NetworkChoice known_;
  std::optional<NetworkWork> work_;
  BandwidthTable bandwidths_;
  Placed placed_;
};

}  // namespace

std::unique_ptr<System> make_upmem_network(const ConfigFolders& configs) {
  return std::make_unique<UpmemNetwork>(configs);
}

std::vector<PolicyInfo> upmem_policies() { return policy_infos(policies()); }

}  // namespace pimsweep::systems::upmem
