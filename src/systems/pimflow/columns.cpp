#include "systems/pimflow/outcome.h"

namespace pimsweep::systems::pimflow {

namespace {

constexpr std::string_view unique_convolution_doc =
    "1 for the first candidate convolution of its shape in the network, else 0";

void declare_times(MetricTable<Result>& table) {
  const Result& r = table.layout();
  table.quantity(r.time, "time", "s", "time of an inference")
      .quantity(r.baseline_time, "baseline_time", "s", "time on the GPU alone with all memory channels (policy gpu)")
      .quantity(r.speedup, "speedup", "1", "baseline_time divided by time")
      .quantity(r.candidate_convolution_speedup, "candidate_convolution_speedup", "1",
                "speedup of candidate_convolution_time over the GPU alone", "no convolution may run on PIM")
      .quantity(r.all_convolution_speedup, "all_convolution_speedup", "1",
                "speedup of all_convolution_time over the GPU alone", "no convolution")
      .quantity(r.speedup_beyond_convolutions, "speedup_beyond_convolutions", "1",
                "speedup divided by all_convolution_speedup", "no convolution")
      .quantity(r.throughput, "throughput", "1/s", "samples inferred per second")
      .quantity(r.time_per_sample, "time_per_sample", "s", "time of an inference divided by the batch")
      .quantity(r.times.pointwise, "pointwise_time", "s",
                "time of 1x1 convolutions; pipelines count in proportion to the nodes' times alone")
      .quantity(r.times.convolution, "convolution_time", "s", "time of larger convolutions without groups")
      .quantity(r.candidate_convolution_time, "candidate_convolution_time", "s",
                "time of all convolutions that may run on PIM, 1x1 and larger")
      .quantity(r.times.depthwise, "depthwise_time", "s", "time of depthwise convolutions")
      .quantity(r.times.fully_connected, "fully_connected_time", "s", "time of fully connected layers")
      .quantity(r.times.other, "other_time", "s", "time of operators that are neither convolutions nor fully connected")
      .quantity(r.all_convolution_time, "all_convolution_time", "s",
                "sum of candidate_convolution_time and depthwise_time")
      .quantity(r.gpu_busy, "gpu_busy", "s", "time in which the GPU works")
      .quantity(r.pim_busy, "pim_busy", "s", "time in which PIM works")
      .quantity(r.gpu_idle, "gpu_idle", "1", "share of the time in which the GPU waits")
      .quantity(r.pim_idle, "pim_idle", "1", "share of the time in which PIM waits");
}

void declare_totals(MetricTable<Result>& table) {
  const Result& r = table.layout();
  table.quantity(r.energy, "energy", "J", "energy of an inference on GPU and PIM")
      .quantity(r.energy_per_sample, "energy_per_sample", "J", "energy of an inference divided by the batch")
      .quantity(r.gpu_static_energy, "gpu_static_energy", "J", "energy of the idle power of the GPU")
      .quantity(r.gpu_dynamic_energy, "gpu_dynamic_energy", "J",
                "energy of operations, second-level cache and memory of all GPU kernels")
      .quantity(r.pim_energy, "pim_energy", "J",
                "energy of PIM's commands, unpublished constants left out (docs/pimflow.md)")
      .count(r.pim_channels, "pim_channels", "memory channels with PIM")
      .count(r.nodes, "nodes", "operators that take time")
      .count(r.candidates, "candidates", "operators that may run on PIM")
      .quantity(r.shares.on_gpu, "candidates_on_gpu", "1", "share of the candidates that run on the GPU alone",
                "no operator may run on PIM")
      .quantity(r.shares.on_pim, "candidates_on_pim", "1", "share of the candidates that run on PIM alone",
                "no operator may run on PIM")
      .quantity(r.shares.split, "candidates_split", "1", "share of the candidates that are split over GPU and PIM",
                "no operator may run on PIM")
      .quantity(r.shares.pipelined, "candidates_pipelined", "1", "share of the candidates that are part of a pipeline",
                "no operator may run on PIM")
      .count(r.pipelines_chosen, "pipelines_chosen", "pipelines in the plan")
      .count(r.pipelines_possible, "pipelines_possible", "places of a pipelining pattern, overlapping ones included")
      .count(r.macs, "macs", "multiply-accumulates of all operators")
      .text(r.caveat, "caveat", "warning about the result, or empty");
  devices::add_silicon_metrics(table, r.silicon, "the GPU's chip and PIM's logic in the memory, not the memory itself");
}

void declare_layers(RowTable<LayerRow>& table) {
  const LayerRow& row = table.layout();
  table.count(row.place, "place", "number of the operator in topological order")
      .text(row.layer, "layer", "name of the operator")
      .text(row.kind, "kind", "kind of operator: convolution, fully connected, depthwise or other")
      .count(row.candidate, "candidate", "1 if the operator may run on PIM, else 0")
      .count(row.unique_convolution, "unique_convolution", std::string(unique_convolution_doc))
      .count(row.kernel, "kernel", "kernel height of a convolution")
      .choice(row.choice, "choice", mode_words, "how the operator runs: gpu, pim, split or pipeline")
      .count(row.split, "split", "1 if the operator is split over GPU and PIM, else 0")
      .count(row.rows, "rows", "rows of the operator's output")
      .count(row.gpu_rows, "gpu_rows", "rows of the output that the GPU computes; 0 in a pipeline")
      .quantity(row.usage.seconds, "time", "s",
                "time of the operator with a sum or product after it, or a share of a pipeline's time")
      .quantity(row.usage.gpu_busy, "gpu_busy", "s", "time in which the GPU works on the operator")
      .quantity(row.usage.pim_busy, "pim_busy", "s", "time in which PIM works on the operator")
      .quantity(row.gpu_time, "gpu_time", "s", "time of the whole operator on the GPU, with the channels left to it")
      .quantity(row.pim_time, "pim_time", "s", "time of the whole operator on PIM", "the operator cannot run on PIM")
      .quantity(row.pim_speedup, "pim_speedup", "1", "gpu_time divided by pim_time", "the operator cannot run on PIM")
      .count(row.macs, "macs", "multiply-accumulates of the operator")
      .quantity(row.intensity, "intensity", "1", "multiply-accumulates for each value read or written once");
}

void declare_splits(RowTable<SplitRow>& table) {
  const SplitRow& row = table.layout();
  table.text(row.layer, "layer", "name of the candidate")
      .count(row.unique_convolution, "unique_convolution", std::string(unique_convolution_doc))
      .count(row.gpu_percent, "gpu_percent", "GPU's share in percent of the rows, before rounding up to whole rows")
      .quantity(row.time, "time", "s", "time of the candidate with the split", "PIM cannot run its part")
      .count(row.chosen, "chosen", "1 if the candidate runs with the split, else 0");
}

void declare_pipelines(RowTable<PipelineRow>& table) {
  const PipelineRow& row = table.layout();
  table.text(row.pattern, "pattern", "pipelining pattern: 1x1-DW, DW-1x1 or 1x1-DW-1x1")
      .text(row.first, "first", "name of the first layer")
      .text(row.last, "last", "name of the last layer")
      .count(row.stages, "stages", "stages of the pipeline")
      .quantity(row.time, "time", "s", "time of the layers as a pipeline")
      .quantity(row.apart, "apart", "s", "time of the layers in sequence, each in its best mode")
      .quantity(row.speedup, "speedup", "1", "column apart divided by column time")
      .count(row.chosen, "chosen", "1 if the plan has the pipeline, else 0");
}

void declare_timeline(RowTable<TimelineRow>& table) {
  const TimelineRow& row = table.layout();
  table.count(row.task, "task", "number of the step in which GPU and PIM start together")
      .in_timeline(TimelineRole::task)
      .text(row.layer, "layer", "name of the operator, or of several operators of a pipeline")
      .in_timeline(TimelineRole::name)
      .text(row.what, "what",
            "part of the run: rows, stages of a pipeline, copies, activation, sum or product, or synchronization")
      .in_timeline(TimelineRole::name)
      .text(row.device, "device", "device at work: GPU, PIM, or the host that synchronizes both")
      .in_timeline(TimelineRole::group)
      .quantity(row.start, "start", "s", "start of the interval, from the start of the inference")
      .in_timeline(TimelineRole::start)
      .quantity(row.end, "end", "s", "end of the interval, from the start of the inference")
      .in_timeline(TimelineRole::end)
      .quantity(row.bytes, "bytes", "B", "bytes between GPU and memory, or fetched from the GPU's channels by PIM")
      .in_timeline(TimelineRole::moved)
      .text(row.after, "after", "number of the step that the step waits for")
      .in_timeline(TimelineRole::after);
}

}  // namespace

Columns::Columns(Schema& schema)
    : by_layer("by_layer", "one row for each operator that takes time"),
      splits("splits", "one row for each candidate and share of the GPU, for policies that try shares"),
      pipelines("pipelines", "one row for each place of a pipelining pattern"),
      timeline("timeline", "one row for each interval in which a device works, if recorded") {
  declare_times(metrics);
  declare_totals(metrics);
  declare_layers(by_layer);
  declare_splits(splits);
  declare_pipelines(pipelines);
  declare_timeline(timeline);
  schema.metrics = metrics.columns();
  by_layer.attach(schema);
  splits.attach(schema);
  pipelines.attach(schema);
  timeline.attach(schema);
}

}  // namespace pimsweep::systems::pimflow
