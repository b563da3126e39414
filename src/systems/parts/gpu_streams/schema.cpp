#include "systems/parts/gpu_streams/schema.h"

#include "systems/axes.h"
#include "systems/gpu_axes.h"

namespace pimsweep::systems::parts::gpu_streams {

Schema make_schema() {
  Schema schema;
  schema.name = "gpu-streams";
  schema.doc = "An operation on a graphics card over threads and thread blocks, alone and two at a time";
  schema.version = 1;
  // In the order of sheet::AxisIndex and AxisIndex.
  schema.axes = sheet::axes({"bias", "pool", "conv"}, "card", "conv: which kernel");
  const std::vector<Axis> own{
      sheet::size_axis("threads", 0, 0, "threads of a block; 0: as many as are fastest; conv: 0, the library's"),
      sheet::size_axis("blocks", 0, 0, "thread blocks; 0: as many as are fastest; conv: 0, the library's"),
      sheet::size_axis("than_threads", 0, 0, "threads that thread_loss compares with; 0: the best"),
      sheet::size_axis("than_blocks", 0, 0, "blocks that block_loss compares with; 0: the best"),
      text_axis("co_run", Value{std::string("serial")}, {"serial", "streams", "processes", "mps"},
                "how two of the operation are run: one after the other; in two streams of a process; by two processes "
                "whose kernels take turns; by two processes whose kernels share the card (MPS)"),
      sheet::size_axis("runs", 1, 1, "times that the pair runs, for span"),
      quantity_axis("hardware.host.run", "s", 0, 1, "of the host for each run, before the launch"),
      quantity_axis("hardware.threads.warp", "1", 8, 128, "threads that run in step"),
      quantity_axis("hardware.threads.block", "1", 8, 4096, "threads that a block may have"),
      quantity_axis("hardware.threads.instruction_cycles", "1", 0, 1000,
                    "clock cycles until an instruction's result can be used"),
      quantity_axis("hardware.threads.cache_cycles", "1", 0, 1e6, "clock cycles of a trip to the second-level cache"),
  };
  schema.axes.insert(schema.axes.end(), own.begin(), own.end());
  append_gpu_axes(schema.axes, "gpu.");
  const ValueType text = ValueType::text;
  // In the order of MetricIndex.
  schema.metrics = {
      {"time", "s", "launch and work of one operation"},
      {"launch_time", "s", "launches"},
      {"work_time", "s", "on the card"},
      {"run_time", "s", "the host's work and time"},
      {"bound", "1", "what takes the time: math, memory, cache, launch or latency", text},
      {"used_threads", "1", "threads of a block; missing for conv, as the next five"},
      {"used_blocks", "1", "thread blocks"},
      {"occupancy", "1", "threads on the busiest multiprocessor by those that it may hold"},
      {"waves", "1", "times that it fills up with blocks"},
      {"elements_each", "1", "elements of the thread that has most"},
      {"thread_loss", "1", "run_time by that with than_threads threads, less 1"},
      {"block_loss", "1", "run_time by that with than_blocks blocks, less 1; missing for conv"},
      {"pair_time", "s", "of two runs, as co_run has it"},
      {"pair_bound", "1",
       "what takes it: serial, alone (a run alone), host, turns (of the processes), places (for blocks), units, memory "
       "or cache",
       text},
      {"speedup", "1", "two runs one after the other by pair_time"},
      {"span", "s", "runs x pair_time"},
      {"caveat", "1", "what to know about this result", text},
  };
  return schema;
}

}  // namespace pimsweep::systems::parts::gpu_streams
