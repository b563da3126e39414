#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/error.h"
#include "hardware/gpu/element_operations.h"
#include "hardware/gpu/gpu_model.h"
#include "systems/parts/axis_names.h"
#include "systems/parts/gpu_streams_point.h"
#include "systems/parts/parts.h"

namespace pimsweep::systems::parts {

namespace {

using devices::OperationKind;
using hardware::gpu::ElementKernel;
using hardware::gpu::ElementRun;
using hardware::gpu::LaunchShape;
using hardware::gpu::PairTime;
using hardware::gpu::ThreadUnits;

/// An element-wise kernel on a GPU, for any launch.
class Launcher {
 public:
  Launcher(const hardware::gpu::Device& device, const ThreadUnits& units, const ElementKernel& kernel)
      : device_(device), units_(units), kernel_(kernel) {}

  ElementRun run(const LaunchShape& shape) const { return hardware::gpu::run(device_, units_, kernel_, shape); }

  /// The fastest launch; nonzero members of `given` are kept. Tried are whole warps and, for each number of blocks that
  /// a multiprocessor may hold, that number on all of them. Among equally fast ones, the one with the minimum number of
  /// blocks and threads.
  LaunchShape fastest(const LaunchShape& given) const {
    std::optional<LaunchShape> best;
    double shortest = 0;
    const auto try_launch = [&](const LaunchShape& shape) {
      const ElementRun result = run(shape);
      if (result.resident_blocks < 1 || (best && result.seconds() >= shortest)) return;
      best = shape;
      shortest = result.seconds();
    };
    const auto try_blocks = [&](double count) {
      if (given.threads > 0) return try_launch({given.threads, count});
      for (int warps = 1; warps * units_.warp <= units_.block_threads; ++warps)
        try_launch({warps * units_.warp, count});
    };
    if (given.blocks > 0) {
      try_blocks(given.blocks);
    } else {
      const double max_blocks = std::min(device_.blocks, std::max(1.0, device_.threads / units_.warp));
      for (int each = 1; each <= max_blocks; ++each) try_blocks(each * device_.multiprocessors);
    }
    return best.value_or(given);
  }

 private:
  hardware::gpu::Device device_;
  ThreadUnits units_;
  ElementKernel kernel_;
};

/// A point's operation on the GPU, and its launch.
struct LaunchedOperation {
  hardware::gpu::StreamLoad load;
  hardware::gpu::Bound bound = hardware::gpu::Bound::launch;
  /// None if the library launches it.
  LaunchShape launch{0, 0};
  ElementRun run;
};

Explanation::Line seconds_line(std::string_view name, double seconds, std::string note) {
  return {std::string(name), fmt::format("{:.6g} s", seconds), std::move(note)};
}

class GpuStreamsSystem final : public System {
 public:
  GpuStreamsSystem() {
    add_axes(axes_, axes_.layout());
    add_metrics(metrics_, metrics_.layout());
    schema_.name = "gpu-streams";
    schema_.main_metrics = {"time"};
    schema_.doc = "An operation on a GPU over threads and thread blocks, alone and two at a time";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    read(point);
    const GpuStreamsSettings& s = settings_;
    if (s.sheet.precision != devices::Precision::fp32) {
      return refuse(record, fmt::format("precision is '{}', only 'fp32' is modeled",
                                        word_of(devices::precision_words, s.sheet.precision)));
    }
    const std::optional<LaunchedOperation> found = operation();
    if (!found) {
      return refuse(record, fmt::format("a block of {} threads does not fit on a multiprocessor (blocks have up to {}, "
                                        "it holds {})",
                                        s.launch.threads, s.units.block_threads, s.card.device.threads));
    }
    GpuStreamsResult result;
    put_times(*found, result);
    if (found->launch.threads > 0) put_launch(*found, result);
    result.caveat = s.sheet.kind == OperationKind::conv ? "no measured times of two at a time"
                                                        : "no measured times of this kind or of two at a time";
    if (!s.card.fitted_on_this_card) result.caveat += "; no measured times of this GPU";
    metrics_.write(result, record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  std::vector<std::string> fit_axes() const override { return axis_names(schema_); }

  void explain(const Point& point, Explanation& explanation) override {
    read(point);
    const GpuStreamsSettings& s = settings_;
    const std::optional<LaunchedOperation> found = operation();
    if (!found) throw PointError(fmt::format("a block of {} threads does not fit", s.launch.threads));
    const hardware::gpu::StreamLoad& load = found->load;
    auto& alone = explanation.section("alone").lines;
    if (found->launch.threads > 0) {
      alone.push_back(
          {"launch", fmt::format("{} x {}", found->launch.blocks, found->launch.threads),
           fmt::format("blocks x threads; occupancy {:.3g}, {} waves", found->run.occupancy, found->run.waves)});
    }
    alone.push_back(seconds_line("host", s.host_time, ""));
    alone.push_back(seconds_line("launches", load.launch, ""));
    alone.push_back(seconds_line("work", load.work, fmt::format("bound by {}", hardware::gpu::name_of(found->bound))));
    alone.push_back(seconds_line("held", load.held, "work x share of the places for blocks"));
    alone.push_back(seconds_line("units", load.units, ""));
    alone.push_back(seconds_line("memory", load.memory, ""));
    alone.push_back(seconds_line("cache", load.cache, ""));
    auto& both = explanation.section("two at a time").lines;
    for (const auto& [name, how] : gpu_co_run_words) {
      const PairTime pair = hardware::gpu::pair_time(load, load, s.host_time, how);
      both.push_back(seconds_line(name, pair.seconds, fmt::format("bound by {}", hardware::gpu::name_of(pair.bound))));
    }
  }

 protected:
  void require_fit(const Point& point) override { read(point); }

 private:
  static void refuse(Record& record, std::string reason) {
    record.status = Status::infeasible;
    record.message = std::move(reason);
  }

  /// Sets settings_; throws PointError for a point without a meaning.
  void read(const Point& point) {
    axes_.read(point, settings_);
    const GpuStreamsSettings& s = settings_;
    devices::check_device(s.sheet, s.card.name);
    const bool by_library = s.sheet.kind == OperationKind::conv;
    if (by_library && (s.launch.threads != 0 || s.launch.blocks != 0)) {
      throw PointError("kind 'conv' is launched by the library: threads and blocks must be 0");
    }
    if (!by_library && s.sheet.pass != hardware::Pass::forward) {
      throw PointError(fmt::format("kind '{}' has no pass '{}', only 'forward'",
                                   word_of(devices::operation_words, s.sheet.kind),
                                   word_of(devices::pass_words, s.sheet.pass)));
    }
  }

  /// None if a block does not fit.
  std::optional<LaunchedOperation> operation() {
    const GpuStreamsSettings& s = settings_;
    if (s.sheet.kind == OperationKind::conv) {
      const hardware::gpu::GpuModel& model = model_of_card();
      const hardware::gpu::Device& device = model.device();
      const hardware::gpu::KernelCost cost =
          model.convolution(devices::Precision::fp32, s.sheet.convolution(), s.sheet.pass);
      return LaunchedOperation{hardware::gpu::load_of(device, cost, device.fp32_rate * device.clock * device.sustained),
                               cost.bound,
                               {0, 0},
                               {}};
    }
    const Launcher kernel = launcher();
    const LaunchShape shape = kernel.fastest(s.launch);
    const ElementRun result = kernel.run(shape);
    if (result.resident_blocks < 1) return std::nullopt;
    return LaunchedOperation{result.load, result.bound, shape, result};
  }

  Launcher launcher() const {
    const GpuStreamsSettings& s = settings_;
    const ElementKernel kernel = s.sheet.kind == OperationKind::pool
                                     ? hardware::gpu::max_pool(s.sheet.convolution())
                                     : hardware::gpu::bias_add(s.sheet.elements(), s.sheet.window.channels);
    return {s.card.device, s.units, kernel};
  }

  void put_times(const LaunchedOperation& operation, GpuStreamsResult& r) const {
    const GpuStreamsSettings& s = settings_;
    const PairTime pair = hardware::gpu::pair_time(operation.load, operation.load, s.host_time, s.co_run);
    r.time = operation.load.alone();
    r.launch_time = operation.load.launch;
    r.work_time = operation.load.work;
    r.run_time = s.host_time + operation.load.alone();
    r.bound = hardware::gpu::name_of(operation.bound);
    r.pair_time = pair.seconds;
    r.pair_bound = hardware::gpu::name_of(pair.bound);
    r.speedup = 2 * (s.host_time + operation.load.alone()) / pair.seconds;
    r.makespan = s.runs * pair.seconds;
  }

  void put_launch(const LaunchedOperation& operation, GpuStreamsResult& r) const {
    const Launcher kernel = launcher();
    const double host = settings_.host_time;
    const auto loss = [&](const LaunchShape& given) {
      const ElementRun other = kernel.run(kernel.fastest(given));
      return (host + operation.load.alone()) / (host + other.seconds()) - 1;
    };
    r.threads = operation.launch.threads;
    r.blocks = operation.launch.blocks;
    r.occupancy = operation.run.occupancy;
    r.waves = operation.run.waves;
    r.elements_each = operation.run.elements_each;
    r.thread_loss = loss({settings_.other.threads, operation.launch.blocks});
    r.block_loss = loss({operation.launch.threads, settings_.other.blocks});
  }

  /// The model of the point's GPU, which neighboring points often share.
  const hardware::gpu::GpuModel& model_of_card() {
    const hardware::gpu::Device& wanted = settings_.card.device;
    if (!model_ || !(model_->device() == wanted)) model_.emplace(wanted);
    return *model_;
  }

  AxisTable<GpuStreamsSettings> axes_;
  MetricTable<GpuStreamsResult> metrics_;
  Schema schema_;
  GpuStreamsSettings settings_;
  std::optional<hardware::gpu::GpuModel> model_;
};

}  // namespace

std::unique_ptr<System> make_gpu_streams(const ConfigFolders& /*configs*/) {
  return std::make_unique<GpuStreamsSystem>();
}

}  // namespace pimsweep::systems::parts
