#include <fmt/format.h>

#include <span>
#include <string>

#include "base/error.h"
#include "systems/parts/axis_names.h"
#include "systems/parts/cpu_operation.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"

namespace pimsweep::systems::parts {

namespace {

using devices::OperationKind;
using hardware::Pass;
using hardware::manycore::RunTime;

bool has_gradients(OperationKind kind) { return kind == OperationKind::conv || kind == OperationKind::rnn; }

/// Reasons for which no measured times support the result.
std::string caveat_of(const CpuKernelSettings& s) {
  std::string text;
  const auto add = [&](const char* reason) { text += text.empty() ? reason : std::string("; ") + reason; };
  const OperationKind kind = s.sheet.kind;
  if (kind != OperationKind::gemm && kind != OperationKind::conv) add("no measured times of this kind");
  if (s.cpu.fitted_on != devices::FittedOn::this_processor) add("no measured times of this processor");
  if (s.threads != 0) add("measured with all cores only");
  if (s.profile.seconds > 0) add("makespan and speedup follow from measured times of both passes");
  if (s.in_tensorflow) add("the framework's share follows Table II's shape, not its times");
  return text;
}

class CpuKernelSystem final : public System, public HasRoofline {
 public:
  CpuKernelSystem() {
    add_axes(axes_, axes_.layout());
    add_metrics(metrics_, metrics_.layout());
    schema_.name = "cpu-kernel";
    schema_.main_metrics = {"time"};
    schema_.doc = "Time of single operations on a many-core processor";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    read(point);
    const CpuKernelSettings& s = settings_;
    if (s.sheet.precision != hardware::gpu::Precision::fp32) {
      record.status = Status::infeasible;
      record.message = fmt::format("precision is '{}', but processors are modeled with 'fp32' only",
                                   pimsweep::word_of(devices::precision_words, s.sheet.precision));
      return;
    }
    const CpuOperation operation(s, s.sheet.pass);
    CpuKernelResult result;
    put_sheet_times(result);
    put_run(operation, result);
    if (s.search) {
      const double best = operation.best_threads();
      result.best_threads = best;
      result.best_time = operation.seconds(best);
      result.gain_over_all_cores = operation.seconds(s.cpu.device.cores) / operation.seconds(best) - 1;
    }
    if (s.beside) put_pair(operation, CpuOperation(s, *s.beside), result);
    result.caveat = caveat_of(s);
    metrics_.write(result, record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  std::vector<std::string> fit_axes() const override { return axis_names(schema_); }

  void explain(const Point& point, Explanation& explanation) override {
    read(point);
    const std::size_t passes = has_gradients(settings_.sheet.kind) ? devices::pass_words.size() : 1;
    for (const Word<Pass>& pass : std::span(devices::pass_words).first(passes)) {
      explain_pass(CpuOperation(settings_, pass.value), explanation.section(std::string(pass.name)));
    }
  }

  Roofline roofline(const Point& point, const Record& record) override {
    read(point);
    return {{{.name = "processor",
              .operations = number_of(schema_, record, "operations"),
              .memory_bytes = number_of(schema_, record, "memory_bytes"),
              .time = number_of(schema_, record, "time"),
              .peak_rate = settings_.cpu.device.peak(),
              .memory_bandwidth = settings_.cpu.device.memory_bandwidth}}};
  }

 protected:
  void require_fit(const Point& point) override { read(point); }

 private:
  /// Sets settings_; throws PointError for a point without a meaning.
  void read(const Point& point) {
    axes_.read(point, settings_);
    const CpuKernelSettings& s = settings_;
    const hardware::manycore::Device& cpu = s.cpu.device;
    devices::check_device(s.sheet, s.cpu.name);
    if (s.sheet.pass != Pass::forward && !has_gradients(s.sheet.kind)) {
      throw PointError(fmt::format("kind '{}' has no pass '{}', only 'forward'",
                                   pimsweep::word_of(devices::operation_words, s.sheet.kind),
                                   pimsweep::word_of(devices::pass_words, s.sheet.pass)));
    }
    if (static_cast<double>(s.threads) > cpu.cores * cpu.smt) {
      throw PointError(fmt::format("threads is {}, but the processor has {} cores with {} hardware threads each",
                                   s.threads, cpu.cores, cpu.smt));
    }
    const bool profiled = s.profile.seconds > 0;
    if (profiled != (s.profile_beside.seconds > 0) || (profiled && !s.beside)) {
      throw PointError(
          "measured times are those of two passes: profile.time, profile.beside_time and beside go together");
    }
    if (s.beside && s.sheet.kind != OperationKind::conv) {
      throw PointError(fmt::format("beside is '{}', but only kind 'conv' has other passes to go with",
                                   pimsweep::word_of(devices::pass_words, *s.beside)));
    }
    if (s.beside) require_room();
  }

  /// Throws PointError if two operations at once need more threads than there are.
  void require_room() const {
    const CpuKernelSettings& s = settings_;
    const hardware::manycore::Device& cpu = s.cpu.device;
    const double room = s.co_run == CpuCoRun::hyper_threads ? cpu.cores * cpu.smt : cpu.cores;
    if (s.co_run != CpuCoRun::serial && 2 * threads() > room) {
      throw PointError(fmt::format("two operations of {} threads exceed the {} threads of co_run '{}'", threads(), room,
                                   word_of(s.co_run)));
    }
  }

  double threads() const {
    return settings_.threads == 0 ? settings_.cpu.device.cores : static_cast<double>(settings_.threads);
  }

  void put_sheet_times(CpuKernelResult& r) const {
    const auto ms = [&](Pass pass) { return 1e3 * CpuOperation(settings_, pass).seconds(threads()); };
    if (settings_.sheet.kind == OperationKind::gemm) {
      r.sheet.gemm = ms(Pass::forward);
      return;
    }
    r.sheet.forward = ms(Pass::forward);
    if (!has_gradients(settings_.sheet.kind)) return;
    r.sheet.backward_inputs = ms(Pass::backward_inputs);
    r.sheet.backward_weights = ms(Pass::backward_weights);
    r.sheet.backward_total = *r.sheet.backward_inputs + *r.sheet.backward_weights;
  }

  void put_run(const CpuOperation& operation, CpuKernelResult& r) const {
    const double count = threads();
    r.run = operation.run(count);
    r.spawn_time = operation.spawn(count);
    r.time = operation.seconds(count);
    r.operations = operation.work().defined_operations;
    r.achieved_rate = r.operations / r.time;
    r.peak_share = r.operations / r.time / settings_.cpu.device.peak();
    r.bound = r.spawn_time > r.time / 2 ? "threads" : hardware::manycore::name_of(r.run.bound());
    r.parts = fmt::format("{}x{}x{}", r.run.row_parts, r.run.column_parts, r.run.depth_parts);
  }

  void put_pair(const CpuOperation& one, const CpuOperation& other, CpuKernelResult& r) const {
    const CpuKernelSettings& s = settings_;
    const hardware::manycore::Device& cpu = s.cpu.device;
    const double count = threads();
    const bool serial = s.co_run == CpuCoRun::serial;
    if (s.profile.seconds > 0) {
      r.makespan = makespan_of(s.co_run, s.profile, s.profile_beside);
      r.speedup = (s.profile.seconds + s.profile_beside.seconds) / *r.makespan;
      return;
    }
    r.makespan = serial ? one.seconds(count) + other.seconds(count)
                        : makespan_of(cpu, one, other, count, s.co_run == CpuCoRun::hyper_threads);
    r.speedup = (one.seconds(cpu.cores) + other.seconds(cpu.cores)) / *r.makespan;
  }

  void explain_pass(const CpuOperation& operation, Explanation::Section& section) const {
    const double count = threads();
    const RunTime run = operation.run(count);
    const hardware::manycore::Loops& loops = operation.work().loops;
    const auto seconds = [&](const char* name, double value, std::string note) {
      section.lines.push_back({name, fmt::format("{:.6g} s", value), std::move(note)});
    };
    seconds("time", operation.seconds(count), fmt::format("bound by {}", hardware::manycore::name_of(run.bound())));
    section.lines.push_back({"loops", fmt::format("{} x {} x {}", loops.rows, loops.columns, loops.depth),
                             "rows x columns x depth in chunks"});
    section.lines.push_back({"parts", fmt::format("{} x {} x {}", run.row_parts, run.column_parts, run.depth_parts),
                             fmt::format("busiest thread has {:.4g} times the mean", run.imbalance)});
    seconds("compute", run.compute, fmt::format("inner loop reaches {:.3g} of the peak", loops.efficiency));
    seconds("memory", run.memory, loops.packs ? "added: operands are packed first" : "overlaps with compute");
    seconds("sharing", run.sharing, "operands that several tiles read");
    seconds("reduction", run.reduction, "");
    seconds("conversion", run.conversion, "");
    seconds("serial", run.serial, "");
    seconds("barriers", run.barriers, fmt::format("{} parallel regions", operation.work().repeats));
    seconds("spawn", operation.spawn(count), fmt::format("{} threads", count));
  }

  AxisTable<CpuKernelSettings> axes_;
  MetricTable<CpuKernelResult> metrics_;
  Schema schema_;
  CpuKernelSettings settings_;
};

}  // namespace

std::unique_ptr<System> make_cpu_kernel(const ConfigFolders& /*configs*/) {
  return std::make_unique<CpuKernelSystem>();
}

}  // namespace pimsweep::systems::parts
