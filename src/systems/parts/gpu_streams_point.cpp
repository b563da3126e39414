#include "systems/parts/gpu_streams_point.h"

namespace pimsweep::systems::parts {

void add_axes(AxisList& axes, GpuStreamsSettings& s) {
  static constexpr std::array kinds{Word{"bias", devices::OperationKind::bias},
                                    Word{"pool", devices::OperationKind::pool},
                                    Word{"conv", devices::OperationKind::conv}};
  devices::add_precision_axis(axes, s.sheet);
  devices::add_sheet_axes(axes, s.sheet, kinds, "GPU", "pass of the layer (conv)");
  devices::add_size_axis(axes, s.launch.threads, "threads",
                         "threads of a block; 0: the fastest number; conv: 0, the library's", 0, 0);
  devices::add_size_axis(axes, s.launch.blocks, "blocks",
                         "thread blocks of a launch; 0: the fastest number; conv: 0, the library's", 0, 0);
  devices::add_size_axis(axes, s.other.threads, "than_threads",
                         "threads of a block that thread_loss compares with; 0: the fastest number", 0, 0);
  devices::add_size_axis(axes, s.other.blocks, "than_blocks",
                         "thread blocks that block_loss compares with; 0: the fastest number", 0, 0);
  axes.choice(s.co_run, "co_run", gpu_co_run_words,
              "co-running of two operations: serial, in two streams, by processes that alternate, or that share the "
              "GPU (mps)",
              hardware::gpu::CoRun::serial);
  devices::add_size_axis(axes, s.runs, "runs", "repetitions of the pair in the makespan");
  axes.quantity(s.host_time, "hardware.host.run", "s", 0, 1, "time of the host in each run, before the launch")
      .quantity(s.units.warp, "hardware.threads.warp", "1", 8, 128, "threads that run in lockstep")
      .quantity(s.units.block_threads, "hardware.threads.block", "1", 8, 4096, "limit of threads in a block")
      .quantity(s.units.instruction_cycles, "hardware.threads.instruction_cycles", "cycle", 0, 1000,
                "clock cycles until the result of an instruction can be used")
      .quantity(s.units.cache_cycles, "hardware.threads.cache_cycles", "cycle", 0, 1e6,
                "clock cycles of an access to the second-level cache");
  devices::add_gpu_axes(axes, "gpu.", s.card);
}

namespace {

constexpr const char* not_of_conv = "kind conv, which the library launches";

}  // namespace

void add_metrics(ColumnList& metrics, const GpuStreamsResult& r) {
  metrics.quantity(r.time, "time", "s", "time of the launch and work of one operation")
      .quantity(r.launch_time, "launch_time", "s", "time of the launches")
      .quantity(r.work_time, "work_time", "s", "time of the work on the GPU")
      .quantity(r.run_time, "run_time", "s", "time of a run: the host's part, launch and work")
      .text(r.bound, "bound", "resource that bounds the time: math, memory, cache, launch or latency")
      .quantity(r.threads, "used_threads", "1", "threads of a block", not_of_conv)
      .quantity(r.blocks, "used_blocks", "1", "thread blocks of the launch", not_of_conv)
      .quantity(r.occupancy, "occupancy", "1", "threads on the busiest multiprocessor by its limit of threads",
                not_of_conv)
      .quantity(r.waves, "waves", "1", "times that the busiest multiprocessor fills up with blocks", not_of_conv)
      .quantity(r.elements_each, "elements_each", "1", "elements of the busiest thread", not_of_conv)
      .quantity(r.thread_loss, "thread_loss", "1", "relative increase of run_time over that with than_threads threads",
                not_of_conv)
      .may_be_negative()
      .quantity(r.block_loss, "block_loss", "1", "relative increase of run_time over that with than_blocks blocks",
                not_of_conv)
      .may_be_negative()
      .quantity(r.pair_time, "pair_time", "s", "time of two runs as co_run has them")
      .text(r.pair_bound, "pair_bound",
            "bound of pair_time: serial, alone (a run alone), host, turns (of processes), places (for blocks), units, "
            "memory or cache")
      .quantity(r.speedup, "speedup", "1", "time of two runs in sequence divided by pair_time")
      .quantity(r.makespan, "makespan", "s", "time of all repetitions of the pair")
      .text(r.caveat, "caveat", "reasons why measured times do not support the result");
}

}  // namespace pimsweep::systems::parts
