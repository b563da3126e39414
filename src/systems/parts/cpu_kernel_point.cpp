#include "systems/parts/cpu_kernel_point.h"

#include <array>

namespace pimsweep::systems::parts {

namespace {

using devices::OperationKind;
using hardware::Pass;
using hardware::manycore::Affinity;
using hardware::manycore::Library;

constexpr std::array cpu_kinds{Word{"gemm", OperationKind::gemm},
                               Word{"conv", OperationKind::conv},
                               Word{"rnn", OperationKind::rnn},
                               Word{"elementwise", OperationKind::elementwise},
                               Word{"pool", OperationKind::pool},
                               Word{"bias", OperationKind::bias},
                               Word{"bias_gradient", OperationKind::bias_gradient},
                               Word{"batch_norm", OperationKind::batch_norm},
                               Word{"optimizer", OperationKind::optimizer}};
constexpr std::array affinity_words{Word{"compact", Affinity::compact}, Word{"spread", Affinity::spread}};
constexpr std::array library_words{Word{"mkl-2017", Library::mkl_2017}, Word{"mkl-dnn-0.14", Library::mkl_dnn}};
constexpr std::array framework_words{Word{"none", false}, Word{"tensorflow", true}};
constexpr std::array beside_words{Word{"none", std::optional<Pass>()}, Word{"forward", std::optional(Pass::forward)},
                                  Word{"backward_inputs", std::optional(Pass::backward_inputs)},
                                  Word{"backward_weights", std::optional(Pass::backward_weights)}};
constexpr std::array cpu_co_run_words{Word{"serial", CpuCoRun::serial}, Word{"hyper-threads", CpuCoRun::hyper_threads},
                                      Word{"partition", CpuCoRun::partition}};

void add_profile_axes(AxisList& axes, CpuKernelSettings& s) {
  constexpr double max_loss = 0.99;
  axes.quantity(s.profile.seconds, "profile.time", "s", 0, 1e6,
                "beside: measured time of the chosen pass with all cores; 0: the model's", 0.0)
      .quantity(s.profile.loss, "profile.loss", "1", 0, max_loss,
                "beside: measured share of performance that the chosen pass loses with half of the cores", 0.0)
      .quantity(s.profile_beside.seconds, "profile.beside_time", "s", 0, 1e6,
                "beside: measured time of the second pass with all cores; 0: the model's", 0.0)
      .quantity(s.profile_beside.loss, "profile.beside_loss", "1", 0, max_loss,
                "beside: measured share of performance that the second pass loses with half of the cores", 0.0);
}

void add_run_metrics(ColumnList& metrics, const CpuKernelResult& r) {
  metrics.quantity(r.run.compute, "compute_time", "s", "compute time of the busiest thread")
      .quantity(r.run.memory, "memory_time", "s",
                "time of operands and results between memory and caches, once; overlaps with computing, not in gemm")
      .quantity(r.run.sharing, "sharing_time", "s", "time of operands that several tiles read, beyond the first time")
      .quantity(r.run.reduction, "reduction_time", "s", "time to sum the partial results of all threads")
      .quantity(r.run.conversion, "conversion_time", "s",
                "tensorflow: time to bring tensors into the library's layout and back")
      .quantity(r.run.serial, "serial_time", "s", "time of the work that one thread does alone")
      .quantity(r.run.barriers, "barrier_time", "s", "time to begin and end parallel regions")
      .quantity(r.spawn_time, "spawn_time", "s", "time to create threads")
      .quantity(r.run.imbalance, "imbalance", "1", "load imbalance: work of the busiest thread by the mean")
      .quantity(r.run.memory_bytes, "memory_bytes", "B", "bytes from and to memory or the caches of other tiles")
      .quantity(r.operations, "operations", "1", "operations as defined; a multiply-add counts two")
      .text(r.parts, "parts", "parts into which the loops are split: rows x columns x depth");
}

}  // namespace

void add_axes(AxisList& axes, CpuKernelSettings& s) {
  devices::add_precision_axis(axes, s.sheet);
  devices::add_sheet_axes(axes, s.sheet, cpu_kinds, "processor",
                          "conv, rnn: pass of the layer whose rate, bound and parts are given");
  devices::add_size_axis(axes, s.states, "states", "optimizer: values kept for each of the N C H W parameters", 0, 0);
  axes.count(s.threads, "threads", 0, 16384, "threads of the operation; 0: one for each core", 0)
      .choice(s.affinity, "affinity", affinity_words,
              "thread affinity: neighboring threads share a tile (compact), or threads spread over as many tiles as "
              "possible "
              "(spread)",
              Affinity::compact)
      .choice(s.library, "library", library_words,
              "library of convolutions: gradients of the inputs through a stride by im2col, or directly",
              Library::mkl_2017)
      .choice(s.in_tensorflow, "framework", framework_words,
              "framework; tensorflow creates threads for the run and converts tensors to the library's layout and back",
              false)
      .flag(s.search, "search", "search for the best number of threads, up to one for each core", false)
      .choice(s.beside, "beside", beside_words, "conv: second pass of the same layer that has to be done too",
              std::optional<Pass>())
      .choice(s.co_run, "co_run", cpu_co_run_words,
              "co-running of both passes: in sequence, on the same cores (hyper-threads), or on separate cores "
              "(partition)",
              CpuCoRun::serial);
  add_profile_axes(axes, s);
  devices::add_cpu_axes(axes, "", s.cpu);
}

void add_metrics(ColumnList& metrics, const CpuKernelResult& r) {
  metrics.quantity(r.time, "time", "s", "time of the operation, in the chosen pass");
  devices::add_sheet_times(metrics, r.sheet, "kinds other than conv and rnn");
  metrics.quantity(r.achieved_rate, "achieved_rate", "FLOP/s", "operations by time")
      .quantity(r.peak_share, "peak_share", "1", "achieved rate by the peak of all cores")
      .text(r.bound, "bound", "bound of the time: compute, memory, sharing, conversion, serial or threads");
  add_run_metrics(metrics, r);
  metrics.quantity(r.best_threads, "best_threads", "1", "search: number of threads with the shortest time", "no search")
      .quantity(r.best_time, "best_time", "s", "search: time with the best number of threads", "no search")
      .quantity(r.gain_over_all_cores, "gain_over_all_cores", "1",
                "search: relative increase of the time with a thread for each core over best_time", "no search")
      .quantity(r.makespan, "makespan", "s", "beside: time until both passes are done", "nothing runs beside")
      .quantity(r.speedup, "speedup", "1",
                "beside: time of both passes in sequence, each on all cores, divided by makespan",
                "nothing runs beside")
      .text(r.caveat, "caveat", "reasons why measured times do not support the result; empty if there are none");
}

std::string_view word_of(CpuCoRun co_run) { return pimsweep::word_of(cpu_co_run_words, co_run); }

}  // namespace pimsweep::systems::parts
