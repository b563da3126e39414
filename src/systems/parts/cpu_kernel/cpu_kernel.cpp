#include "systems/parts/cpu_kernel/cpu_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/error.h"
#include "hardware/manycore/operations.h"
#include "hardware/manycore/run_time.h"
#include "systems/cpu_axes.h"
#include "systems/parts/cpu_kernel/schema.h"

namespace pimsweep::systems::parts::cpu_kernel {

namespace {

using hardware::manycore::Operations;
using hardware::manycore::Pass;
using hardware::manycore::Placement;
using hardware::manycore::RunTime;
using hardware::manycore::Work;

constexpr std::array passes{"forward", "backward_inputs", "backward_weights"};

bool has_gradients(const Point& p) { return p.text(sheet::kind) == "conv" || p.text(sheet::kind) == "rnn"; }

/// Elements that TensorFlow brings into another layout: only convolutions have one of their own.
double elements_of(const Point& p) {
  if (p.text(sheet::kind) != "conv") return 0;
  const hardware::manycore::Convolution shape = sheet::convolution_of<hardware::manycore::Convolution>(p);
  return shape.inputs() + shape.outputs() + shape.weights();
}

Work library_work(const Operations& make, const Point& p, Pass which) {
  const std::string& what = p.text(sheet::kind);
  if (what == "gemm") return make.gemm(p.real(sheet::size_m), p.real(sheet::size_n), p.real(sheet::size_k));
  if (what == "conv") return make.convolution(sheet::convolution_of<hardware::manycore::Convolution>(p), which);
  if (what == "rnn") {
    return make.recurrent(sheet::gates_of(p), p.real(sheet::hidden), p.real(sheet::batch), p.real(sheet::timesteps),
                          which);
  }
  const double pixels = p.real(sheet::size_n) * p.real(sheet::height) * p.real(sheet::width);
  const double elements = pixels * p.real(sheet::channels);
  if (what == "pool") return make.pooling(sheet::convolution_of<hardware::manycore::Convolution>(p));
  if (what == "bias") return make.bias(pixels, p.real(sheet::channels));
  if (what == "bias_gradient") return make.bias_gradient(pixels, p.real(sheet::channels));
  if (what == "batch_norm") return make.batch_norm(pixels, p.real(sheet::channels));
  if (what == "optimiser") return make.optimiser(elements, p.real(states));
  return make.elementwise(elements, p.real(sheet::inputs), 1, p.real(sheet::inputs));
}

/// One operation as a point describes it, for any number of threads.
class Operation {
 public:
  Operation(const hardware::manycore::Device& cpu, const Point& p, Pass which)
      : cpu_(cpu),
        work_(library_work(Operations(cpu, p.text(library) == "mkl-2017" ? hardware::manycore::Library::mkl_2017
                                                                         : hardware::manycore::Library::mkl_dnn),
                           p, which)),
        affinity_(p.text(affinity) == "compact" ? hardware::manycore::Affinity::compact
                                                : hardware::manycore::Affinity::spread),
        spawns_(p.text(framework) == "tensorflow") {
    if (spawns_) work_ = Operations(cpu, hardware::manycore::Library::mkl_dnn).in_tensorflow(work_, elements_of(p));
  }

  const Work& work() const { return work_; }
  Placement place(double count) const { return hardware::manycore::place(cpu_, count, affinity_); }
  /// The first thread is there already.
  double spawn(double count) const { return spawns_ ? (count - 1) * cpu_.spawn : 0; }
  RunTime parts(double count) const { return hardware::manycore::run_time(cpu_, work_, place(count)); }
  double seconds(double count) const { return parts(count).total + spawn(count); }

  double best_threads() const {
    double best = 1;
    double shortest = seconds(1);
    for (double count = 2; count <= cpu_.cores; ++count) {
      const double t = seconds(count);
      if (t < shortest) {
        shortest = t;
        best = count;
      }
    }
    return best;
  }

 private:
  hardware::manycore::Device cpu_;
  Work work_;
  hardware::manycore::Affinity affinity_;
  bool spawns_;
};

/// Time until two operations are done that begin together: when one has ended the other goes on alone. A process
/// creates its threads one after the other, whoever asks for them.
double span_of(const hardware::manycore::Device& cpu, const Operation& one, const Operation& other, double count,
               bool shares_cores) {
  const std::array running{hardware::manycore::Running{one.work(), one.place(count), shares_cores},
                           hardware::manycore::Running{other.work(), other.place(count), shares_cores}};
  std::array<RunTime, 2> together;
  hardware::manycore::run_together(cpu, running, together);
  const double spawned = one.spawn(count) + other.spawn(count);
  const double first = together[0].total + spawned;
  const double second = together[1].total + spawned;
  const double shorter = std::min(first, second);
  const double longer = std::max(first, second);
  const double alone = first > second ? one.seconds(count) : other.seconds(count);
  return shorter + (1 - shorter / longer) * alone;
}

class CpuKernel final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& p, Record& record) override {
    const hardware::manycore::Device cpu = cpu_(p);
    check(p, cpu);
    if (p.text(sheet::precision) != "fp32") {
      record.status = Status::infeasible;
      record.message =
          fmt::format("precision is '{}', but processors are modelled with 'fp32' only", p.text(sheet::precision));
      return;
    }
    const double count = threads_of(p, cpu);
    const auto asked =
        static_cast<std::size_t>(std::find(passes.begin(), passes.end(), p.text(sheet::pass)) - passes.begin());
    if (asked != 0 && !has_gradients(p)) {
      throw PointError(
          fmt::format("kind '{}' has no pass '{}', only 'forward'", p.text(sheet::kind), p.text(sheet::pass)));
    }
    record.status = Status::ok;
    std::vector<Value>& m = record.metrics;
    write_times(cpu, p, count, m);
    const Operation operation(cpu, p, static_cast<Pass>(asked));
    const RunTime parts = operation.parts(count);
    const double seconds = operation.seconds(count);
    m[time] = seconds;
    m[achieved_rate] = operation.work().defined_operations / seconds;
    m[peak_share] = operation.work().defined_operations / seconds / cpu.peak();
    m[bound] =
        operation.spawn(count) > seconds / 2 ? "threads" : std::string(hardware::manycore::name_of(parts.bound()));
    m[compute_time] = parts.compute;
    m[memory_time] = parts.memory;
    m[sharing_time] = parts.sharing;
    m[reduction_time] = parts.reduction;
    m[conversion_time] = parts.conversion;
    m[serial_time] = parts.serial;
    m[barrier_time] = parts.barriers;
    m[spawn_time] = operation.spawn(count);
    m[imbalance] = parts.imbalance;
    m[memory_bytes] = parts.memory_bytes;
    m[operations] = operation.work().defined_operations;
    m[cpu_kernel::parts] = fmt::format("{}x{}x{}", parts.row_parts, parts.column_parts, parts.depth_parts);
    if (p.boolean(search)) {
      const double best = operation.best_threads();
      m[best_threads] = best;
      m[best_time] = operation.seconds(best);
      m[gain_over_all_cores] = operation.seconds(cpu.cores) / operation.seconds(best) - 1;
    }
    if (p.text(beside) != "none") write_span(cpu, p, operation, count, m);
    m[caveat] = caveat_of(p);
  }

  Hash128 workload_hash(const Point&) override { return {}; }

  void explain(const Point& p, Explanation& explanation) override {
    const hardware::manycore::Device cpu = cpu_(p);
    check(p, cpu);
    const double count = threads_of(p, cpu);
    for (std::size_t i = 0; i < (has_gradients(p) ? 3U : 1U); ++i) {
      const Operation operation(cpu, p, static_cast<Pass>(i));
      const RunTime t = operation.parts(count);
      const hardware::manycore::Loops& loops = operation.work().loops;
      auto& lines = explanation.section(passes[i]).lines;
      const auto seconds = [&](const char* name, double value, std::string note) {
        lines.push_back({name, fmt::format("{:.6g} s", value), std::move(note)});
      };
      seconds("time", operation.seconds(count), fmt::format("bound by {}", hardware::manycore::name_of(t.bound())));
      lines.push_back({"loops", fmt::format("{} x {} x {}", loops.rows, loops.columns, loops.depth),
                       "rows x columns x depth in chunks"});
      lines.push_back({"parts", fmt::format("{} x {} x {}", t.row_parts, t.column_parts, t.depth_parts),
                       fmt::format("busiest thread has {:.4g} times the mean", t.imbalance)});
      seconds("compute", t.compute, fmt::format("inner loop reaches {:.3g} of the peak", loops.efficiency));
      seconds("memory", t.memory, loops.packs ? "added: operands are packed first" : "overlaps with compute");
      seconds("sharing", t.sharing, "operands that several tiles read");
      seconds("reduction", t.reduction, "");
      seconds("conversion", t.conversion, "");
      seconds("serial", t.serial, "");
      seconds("barriers", t.barriers, fmt::format("{} parallel regions", operation.work().repeats));
      seconds("spawn", operation.spawn(count), fmt::format("{} threads", count));
    }
  }

 private:
  static double threads_of(const Point& p, const hardware::manycore::Device& cpu) {
    return p.integer(threads) == 0 ? cpu.cores : p.real(threads);
  }

  void check(const Point& p, const hardware::manycore::Device& cpu) const {
    sheet::check_device(p, cpu_.name(p));
    if (p.real(threads) > cpu.cores * cpu.smt) {
      throw PointError(fmt::format("threads is {}, but the processor has {} cores with {} hardware threads each",
                                   p.integer(threads), cpu.cores, cpu.smt));
    }
    if (p.text(beside) != "none" && p.text(sheet::kind) != "conv") {
      throw PointError(fmt::format("beside is '{}', but only kind 'conv' has other passes to go with", p.text(beside)));
    }
  }

  static void write_times(const hardware::manycore::Device& cpu, const Point& p, double count, std::vector<Value>& m) {
    const auto ms = [&](Pass which) { return 1e3 * Operation(cpu, p, which).seconds(count); };
    if (p.text(sheet::kind) == "gemm") {
      m[time_ms] = ms(Pass::forward);
      return;
    }
    m[forward_ms] = ms(Pass::forward);
    if (!has_gradients(p)) return;
    const double to_inputs = ms(Pass::backward_inputs);
    const double to_weights = ms(Pass::backward_weights);
    m[backward_inputs_ms] = to_inputs;
    m[backward_weights_ms] = to_weights;
    m[backward_total_ms] = to_inputs + to_weights;
  }

  static void write_span(const hardware::manycore::Device& cpu, const Point& p, const Operation& one, double count,
                         std::vector<Value>& m) {
    const auto second = std::find(passes.begin(), passes.end(), p.text(beside)) - passes.begin();
    const Operation other(cpu, p, static_cast<Pass>(second));
    const std::string& how = p.text(co_run);
    const double room = how == "serial" ? 2 * count : how == "partition" ? cpu.cores : cpu.cores * cpu.smt;
    if (2 * count > room) {
      throw PointError(fmt::format("two operations of {} threads have room for {} by co_run '{}'", count, room, how));
    }
    const double together = how == "serial" ? one.seconds(count) + other.seconds(count)
                                            : span_of(cpu, one, other, count, how == "hyper-threads");
    m[span] = together;
    m[speedup] = (one.seconds(cpu.cores) + other.seconds(cpu.cores)) / together;
  }

  /// What is outside of the measured times that the model was checked with.
  std::string caveat_of(const Point& p) const {
    std::string text;
    const auto add = [&](const char* reason) { text += text.empty() ? reason : std::string("; ") + reason; };
    const std::string& what = p.text(sheet::kind);
    if (what != "gemm" && what != "conv") add("no measured times of this kind");
    if (!cpu_.fitted_on_this_processor(p)) add("no measured times of this processor");
    if (p.integer(threads) != 0) add("measured with all cores only");
    if (p.text(framework) != "none") add("the framework's share follows Table II's shape, not its times");
    return text;
  }

  Schema schema_ = make_schema();
  CpuReader cpu_{schema_, ""};
};

}  // namespace

std::unique_ptr<System> make_cpu_kernel(const std::string&) { return std::make_unique<CpuKernel>(); }

std::vector<PolicyInfo> cpu_kernel_policies() { return {}; }

}  // namespace pimsweep::systems::parts::cpu_kernel
