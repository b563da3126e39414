#include "systems/gpu_streams/gpu_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "hardware/gpu/element_operations.h"
#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/stream_load.h"
#include "systems/gpu_axes.h"
#include "systems/gpu_streams/schema.h"

namespace pimsweep {

namespace {

using namespace sheet;
using namespace gpu_streams;
using gpu::CoRun;
using gpu::ElementRun;
using gpu::LaunchShape;

gpu::Pass pass_of(const Point& p) {
  const std::string& name = p.text(pass);
  if (name == "forward") return gpu::Pass::forward;
  return name == "backward_inputs" ? gpu::Pass::backward_inputs : gpu::Pass::backward_weights;
}

CoRun co_run_of(const Point& p) {
  const std::string& name = p.text(co_run);
  if (name == "serial") return CoRun::serial;
  if (name == "streams") return CoRun::streams;
  return name == "processes" ? CoRun::processes : CoRun::mps;
}

gpu::ElementKernel element_kernel_of(const Point& p) {
  if (p.text(kind) == "pool") return gpu::max_pool(convolution_of<gpu::ConvolutionShape>(p));
  return gpu::bias_add(p.real(size_n) * p.real(height) * p.real(width) * p.real(channels), p.real(channels));
}

/// An element-wise kernel on a card, for any launch.
class Launcher {
 public:
  Launcher(const gpu::Device& card, const gpu::ThreadUnits& units, const gpu::ElementKernel& kernel)
      : card_(card), units_(units), kernel_(kernel) {}

  ElementRun run(const LaunchShape& shape) const { return gpu::run(card_, units_, kernel_, shape); }

  /// The fastest launch; what is not 0 in `given` is kept. Tried are whole warps and, for each number of blocks that a
  /// multiprocessor may hold, that number on all of them. The fewest blocks and threads of those that are equally fast.
  LaunchShape fastest(const LaunchShape& given) const {
    std::optional<LaunchShape> best;
    double shortest = 0;
    const auto try_it = [&](const LaunchShape& shape) {
      const ElementRun result = run(shape);
      if (result.resident_blocks < 1 || (best && result.seconds() >= shortest)) return;
      best = shape;
      shortest = result.seconds();
    };
    const auto try_blocks = [&](double count) {
      if (given.threads > 0) return try_it({given.threads, count});
      for (double each = units_.warp; each <= units_.block_threads; each += units_.warp) try_it({each, count});
    };
    if (given.blocks > 0) {
      try_blocks(given.blocks);
    } else {
      const double most = std::min(card_.blocks, std::max(1.0, card_.threads / units_.warp));
      for (double each = 1; each <= most; ++each) try_blocks(each * card_.multiprocessors);
    }
    return best.value_or(given);
  }

 private:
  gpu::Device card_;
  gpu::ThreadUnits units_;
  gpu::ElementKernel kernel_;
};

/// What a point's operation does on the card, and how it was launched.
struct Operation {
  gpu::StreamLoad load;
  gpu::Bound bound = gpu::Bound::launch;
  /// None if the library launches it.
  LaunchShape launch{0, 0};
  ElementRun run;
};

class GpuStreams final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& p, Record& record) override {
    check(p);
    if (p.text(precision) != "fp32") {
      return refuse(record, fmt::format("precision is '{}', only 'fp32' is modelled", p.text(precision)));
    }
    const std::optional<Operation> found = operation_of(p);
    if (!found) {
      return refuse(record, fmt::format("a block of {} threads does not fit on a multiprocessor (blocks have up to {}, "
                                        "it holds {})",
                                        p.integer(threads), p.real(block_threads), card_(p).threads));
    }
    const Operation& operation = *found;
    const double host = p.real(host_run);
    const gpu::PairTime pair = gpu::pair_time(operation.load, operation.load, host, co_run_of(p));
    record.status = Status::ok;
    std::vector<Value>& m = record.metrics;
    m[time] = operation.load.alone();
    m[launch_time] = operation.load.launch;
    m[work_time] = operation.load.work;
    m[run_time] = host + operation.load.alone();
    m[bound] = std::string(name_of(operation.bound));
    if (operation.launch.threads > 0) write_launch(p, operation, m);
    m[gpu_streams::pair_time] = pair.seconds;
    m[pair_bound] = std::string(name_of(pair.bound));
    m[speedup] = 2 * (host + operation.load.alone()) / pair.seconds;
    m[span] = p.real(runs) * pair.seconds;
    m[caveat] = std::string(p.text(kind) == "conv" ? "no measured times of two at a time"
                                                   : "no measured times of this kind or of two at a time") +
                (card_.fitted_on_this_card(p) ? "" : "; no measured times of this card");
  }

  Hash128 workload_hash(const Point&) override { return {}; }

  void explain(const Point& p, Explanation& explanation) override {
    check(p);
    const std::optional<Operation> found = operation_of(p);
    if (!found) throw PointError(fmt::format("a block of {} threads does not fit", p.integer(threads)));
    const gpu::StreamLoad& load = found->load;
    const double host = p.real(host_run);
    const auto line = [](std::string name, double seconds, std::string note) {
      return Explanation::Line{std::move(name), fmt::format("{:.6g} s", seconds), std::move(note)};
    };
    auto& alone = explanation.section("alone").lines;
    if (found->launch.threads > 0) {
      alone.push_back(
          {"launch", fmt::format("{} x {}", found->launch.blocks, found->launch.threads),
           fmt::format("blocks x threads; occupancy {:.3g}, {} waves", found->run.occupancy, found->run.waves)});
    }
    alone.push_back(line("host", host, ""));
    alone.push_back(line("launches", load.launch, ""));
    alone.push_back(line("work", load.work, fmt::format("bound by {}", name_of(found->bound))));
    alone.push_back(line("held", load.held, "work x share of the places for blocks"));
    alone.push_back(line("units", load.units, ""));
    alone.push_back(line("memory", load.memory, ""));
    alone.push_back(line("cache", load.cache, ""));
    auto& both = explanation.section("two at a time").lines;
    for (const auto& [name, how] : {std::pair{"serial", CoRun::serial}, std::pair{"streams", CoRun::streams},
                                    std::pair{"processes", CoRun::processes}, std::pair{"mps", CoRun::mps}}) {
      const gpu::PairTime pair = gpu::pair_time(load, load, host, how);
      both.push_back(line(name, pair.seconds, fmt::format("bound by {}", name_of(pair.bound))));
    }
  }

 private:
  static void refuse(Record& record, std::string reason) {
    record.status = Status::infeasible;
    record.message = std::move(reason);
  }

  void check(const Point& p) const {
    check_device(p, card_.card(p));
    const bool library = p.text(kind) == "conv";
    if (library && (p.integer(threads) != 0 || p.integer(blocks) != 0)) {
      throw PointError("kind 'conv' is launched by the library: threads and blocks must be 0");
    }
    if (!library && pass_of(p) != gpu::Pass::forward) {
      throw PointError(fmt::format("kind '{}' has no pass '{}', only 'forward'", p.text(kind), p.text(pass)));
    }
  }

  /// None if a block does not fit.
  std::optional<Operation> operation_of(const Point& p) {
    if (p.text(kind) == "conv") {
      const gpu::GpuModel& model = model_of(p);
      const gpu::Device& card = model.device();
      const gpu::KernelCost cost =
          model.convolution(gpu::Precision::fp32, convolution_of<gpu::ConvolutionShape>(p), pass_of(p));
      return Operation{gpu::load_of(card, cost, card.fp32_rate * card.clock * card.sustained), cost.bound, {0, 0}, {}};
    }
    const Launcher launcher = launcher_of(p);
    const LaunchShape shape = launcher.fastest({p.real(threads), p.real(blocks)});
    const ElementRun result = launcher.run(shape);
    if (result.resident_blocks < 1) return std::nullopt;
    return Operation{result.load, result.bound, shape, result};
  }

  Launcher launcher_of(const Point& p) const {
    return {card_(p),
            {.warp = p.real(warp),
             .block_threads = p.real(block_threads),
             .instruction_cycles = p.real(instruction_cycles),
             .cache_cycles = p.real(cache_cycles)},
            element_kernel_of(p)};
  }

  void write_launch(const Point& p, const Operation& operation, std::vector<Value>& m) const {
    const Launcher launcher = launcher_of(p);
    const double here = p.real(host_run) + operation.load.alone();
    const auto loss = [&](const LaunchShape& given) {
      const ElementRun other = launcher.run(launcher.fastest(given));
      return here / (p.real(host_run) + other.seconds()) - 1;
    };
    m[used_threads] = operation.launch.threads;
    m[used_blocks] = operation.launch.blocks;
    m[occupancy] = operation.run.occupancy;
    m[waves] = operation.run.waves;
    m[elements_each] = operation.run.elements_each;
    m[thread_loss] = loss({p.real(than_threads), operation.launch.blocks});
    m[block_loss] = loss({operation.launch.threads, p.real(than_blocks)});
  }

  /// The model of the point's card; points that follow each other mostly share it.
  const gpu::GpuModel& model_of(const Point& p) {
    const gpu::Device wanted = card_(p);
    if (!model_ || !(model_->device() == wanted)) model_.emplace(wanted);
    return *model_;
  }

  Schema schema_ = make_schema();
  DeviceReader card_{schema_, "gpu."};
  std::optional<gpu::GpuModel> model_;
};

}  // namespace

std::unique_ptr<System> make_gpu_streams(const std::string&) { return std::make_unique<GpuStreams>(); }

std::vector<PolicyInfo> gpu_streams_policies() { return {}; }

}  // namespace pimsweep
