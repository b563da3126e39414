#include "systems/parts/gpu_streams/gpu_streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "hardware/gpu/element_operations.h"
#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/stream_load.h"
#include "systems/gpu_axes.h"
#include "systems/parts/gpu_streams/schema.h"

namespace pimsweep::systems::parts::gpu_streams {

namespace {

using hardware::gpu::CoRun;
using hardware::gpu::ElementRun;
using hardware::gpu::LaunchShape;

hardware::gpu::Pass pass_of(const Point& p) {
  const std::string& name = p.text(sheet::pass);
  if (name == "forward") return hardware::gpu::Pass::forward;
  return name == "backward_inputs" ? hardware::gpu::Pass::backward_inputs : hardware::gpu::Pass::backward_weights;
}

CoRun co_run_of(const Point& p) {
  const std::string& name = p.text(co_run);
  if (name == "serial") return CoRun::serial;
  if (name == "streams") return CoRun::streams;
  return name == "processes" ? CoRun::processes : CoRun::mps;
}

hardware::gpu::ElementKernel element_kernel_of(const Point& p) {
  if (p.text(sheet::kind) == "pool")
    return hardware::gpu::max_pool(sheet::convolution_of<hardware::gpu::ConvolutionShape>(p));
  return hardware::gpu::bias_add(
      p.real(sheet::size_n) * p.real(sheet::height) * p.real(sheet::width) * p.real(sheet::channels),
      p.real(sheet::channels));
}

/// An element-wise kernel on a card, for any launch.
class Launcher {
 public:
  Launcher(const hardware::gpu::Device& card, const hardware::gpu::ThreadUnits& units,
           const hardware::gpu::ElementKernel& kernel)
      : card_(card), units_(units), kernel_(kernel) {}

  ElementRun run(const LaunchShape& shape) const { return hardware::gpu::run(card_, units_, kernel_, shape); }

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
  hardware::gpu::Device card_;
  hardware::gpu::ThreadUnits units_;
  hardware::gpu::ElementKernel kernel_;
};

/// What a point's operation does on the card, and how it was launched.
struct Operation {
  hardware::gpu::StreamLoad load;
  hardware::gpu::Bound bound = hardware::gpu::Bound::launch;
  /// None if the library launches it.
  LaunchShape launch{0, 0};
  ElementRun run;
};

class GpuStreams final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& p, Record& record) override {
    check(p);
    if (p.text(sheet::precision) != "fp32") {
      return refuse(record, fmt::format("precision is '{}', only 'fp32' is modelled", p.text(sheet::precision)));
    }
    const std::optional<Operation> found = operation_of(p);
    if (!found) {
      return refuse(record, fmt::format("a block of {} threads does not fit on a multiprocessor (blocks have up to {}, "
                                        "it holds {})",
                                        p.integer(threads), p.real(block_threads), card_(p).threads));
    }
    const Operation& operation = *found;
    const double host = p.real(host_run);
    const hardware::gpu::PairTime pair = hardware::gpu::pair_time(operation.load, operation.load, host, co_run_of(p));
    record.status = Status::ok;
    std::vector<Value>& m = record.metrics;
    m[time] = operation.load.alone();
    m[launch_time] = operation.load.launch;
    m[work_time] = operation.load.work;
    m[run_time] = host + operation.load.alone();
    m[bound] = std::string(hardware::gpu::name_of(operation.bound));
    if (operation.launch.threads > 0) write_launch(p, operation, m);
    m[pair_time] = pair.seconds;
    m[pair_bound] = std::string(hardware::gpu::name_of(pair.bound));
    m[speedup] = 2 * (host + operation.load.alone()) / pair.seconds;
    m[span] = p.real(runs) * pair.seconds;
    m[caveat] = std::string(p.text(sheet::kind) == "conv" ? "no measured times of two at a time"
                                                          : "no measured times of this kind or of two at a time") +
                (card_.fitted_on_this_card(p) ? "" : "; no measured times of this card");
  }

  Hash128 workload_hash(const Point&) override { return {}; }

  void explain(const Point& p, Explanation& explanation) override {
    check(p);
    const std::optional<Operation> found = operation_of(p);
    if (!found) throw PointError(fmt::format("a block of {} threads does not fit", p.integer(threads)));
    const hardware::gpu::StreamLoad& load = found->load;
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
    alone.push_back(line("work", load.work, fmt::format("bound by {}", hardware::gpu::name_of(found->bound))));
    alone.push_back(line("held", load.held, "work x share of the places for blocks"));
    alone.push_back(line("units", load.units, ""));
    alone.push_back(line("memory", load.memory, ""));
    alone.push_back(line("cache", load.cache, ""));
    auto& both = explanation.section("two at a time").lines;
    for (const auto& [name, how] : {std::pair{"serial", CoRun::serial}, std::pair{"streams", CoRun::streams},
                                    std::pair{"processes", CoRun::processes}, std::pair{"mps", CoRun::mps}}) {
      const hardware::gpu::PairTime pair = hardware::gpu::pair_time(load, load, host, how);
      both.push_back(line(name, pair.seconds, fmt::format("bound by {}", hardware::gpu::name_of(pair.bound))));
    }
  }

 private:
  static void refuse(Record& record, std::string reason) {
    record.status = Status::infeasible;
    record.message = std::move(reason);
  }

  void check(const Point& p) const {
    sheet::check_device(p, card_.card(p));
    const bool library = p.text(sheet::kind) == "conv";
    if (library && (p.integer(threads) != 0 || p.integer(blocks) != 0)) {
      throw PointError("kind 'conv' is launched by the library: threads and blocks must be 0");
    }
    if (!library && pass_of(p) != hardware::gpu::Pass::forward) {
      throw PointError(
          fmt::format("kind '{}' has no pass '{}', only 'forward'", p.text(sheet::kind), p.text(sheet::pass)));
    }
  }

  /// None if a block does not fit.
  std::optional<Operation> operation_of(const Point& p) {
    if (p.text(sheet::kind) == "conv") {
      const hardware::gpu::GpuModel& model = model_of(p);
      const hardware::gpu::Device& card = model.device();
      const hardware::gpu::KernelCost cost = model.convolution(
          hardware::gpu::Precision::fp32, sheet::convolution_of<hardware::gpu::ConvolutionShape>(p), pass_of(p));
      return Operation{
          hardware::gpu::load_of(card, cost, card.fp32_rate * card.clock * card.sustained), cost.bound, {0, 0}, {}};
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
  const hardware::gpu::GpuModel& model_of(const Point& p) {
    const hardware::gpu::Device wanted = card_(p);
    if (!model_ || !(model_->device() == wanted)) model_.emplace(wanted);
    return *model_;
  }

  Schema schema_ = make_schema();
  DeviceReader card_{schema_, "gpu."};
  std::optional<hardware::gpu::GpuModel> model_;
};

}  // namespace

std::unique_ptr<System> make_gpu_streams(const std::string&) { return std::make_unique<GpuStreams>(); }

std::vector<PolicyInfo> gpu_streams_policies() { return {}; }

}  // namespace pimsweep::systems::parts::gpu_streams
