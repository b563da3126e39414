#include "systems/parts/cpu_kernel/schema.h"

#include <utility>

#include "systems/axes.h"
#include "systems/cpu_axes.h"
#include "systems/sheet_axes.h"

namespace pimsweep::systems::parts::cpu_kernel {

namespace {

Axis choice(std::string name, std::vector<std::string> choices, std::string doc) {
  const Value first = choices.front();
  return text_axis(std::move(name), first, std::move(choices), std::move(doc));
}

}  // namespace

Schema make_schema() {
  Schema schema;
  schema.name = "cpu-kernel";
  schema.doc = "Time of single operations on a many-core processor";
  schema.version = 1;
  // In the order of sheet::AxisIndex and AxisIndex.
  schema.axes =
      sheet::axes({"gemm", "conv", "rnn", "elementwise", "pool", "bias", "bias_gradient", "batch_norm", "optimiser"},
                  "processor", "conv, rnn: what rate, bound and parts are told of");
  const std::vector<Axis> own{
      sheet::size_axis("states", 0, 0, "optimiser: values kept for each of the N C H W parameters"),
      count_axis("threads", Value{std::int64_t{0}}, 0, 16384, "threads; 0: one for each core"),
      choice("affinity", {"compact", "spread"},
             "neighbouring threads share a tile, or each has its own as far as can be"),
      choice("library", {"mkl-2017", "mkl-dnn-0.14"},
             "conv: gradients of the inputs through a stride by im2col, or directly"),
      choice("framework", {"none", "tensorflow"},
             "tensorflow: threads are created for the run, tensors converted to the library's layout and back"),
      flag_axis("search", false, "also find the best number of threads, up to one for each core"),
      choice("beside", {"none", "forward", "backward_inputs", "backward_weights"},
             "conv: the pass of the same layer that has to be done too"),
      choice("co_run", {"serial", "hyper-threads", "partition"},
             "how the two are done: one after the other, on the same cores, on cores of their own"),
  };
  schema.axes.insert(schema.axes.end(), own.begin(), own.end());
  append_cpu_axes(schema.axes, "");
  const ValueType text = ValueType::text;
  // In the order of MetricIndex.
  schema.metrics = {
      {"time", "s", "time of the operation (of `pass`)"},
      {"time_ms", "1", "gemm: the same in milliseconds, as the sheets have it"},
      {"forward_ms", "1", "all but gemm: forward, in milliseconds"},
      {"backward_inputs_ms", "1", "conv, rnn: gradients of the inputs, in milliseconds"},
      {"backward_weights_ms", "1", "conv, rnn: gradients of the weights, in milliseconds"},
      {"backward_total_ms", "1", "conv, rnn: both gradients, in milliseconds"},
      {"achieved_rate", "FLOP/s", "operations by time"},
      {"peak_share", "1", "achieved_rate by the peak of all cores"},
      {"bound", "1", "what takes most of the time: compute, memory, sharing, conversion, serial or threads", text},
      {"compute_time", "s", "of the busiest thread"},
      {"memory_time", "s",
       "operands and results between memory and caches, once; overlaps with computing, not in gemm"},
      {"sharing_time", "s", "operands that several tiles read, beyond the first time"},
      {"reduction_time", "s", "sums over the threads' own results"},
      {"conversion_time", "s", "tensorflow: tensors into the library's layout and back"},
      {"serial_time", "s", "what one thread does alone"},
      {"barrier_time", "s", "begin and end of parallel regions"},
      {"spawn_time", "s", "creation of threads"},
      {"imbalance", "1", "work of the busiest thread by the mean"},
      {"memory_bytes", "B", "bytes from and to memory or other tiles' caches"},
      {"operations", "1", "operations as defined, a multiply-add counts two"},
      {"parts", "1", "rows x columns x depth: how the loops are split", text},
      {"best_threads", "1", "search: number of threads with the shortest time"},
      {"best_time", "s", "search: that time"},
      {"gain_over_all_cores", "1", "search: time with a thread for each core by best_time, minus 1"},
      {"span", "s", "beside: time until both operations are done"},
      {"speedup", "1", "beside: time of both one after the other, each on all cores, by span"},
      {"caveat", "1", "what to know about this result; empty if nothing", text},
  };
  return schema;
}

}  // namespace pimsweep::systems::parts::cpu_kernel
