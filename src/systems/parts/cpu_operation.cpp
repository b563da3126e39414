#include "systems/parts/cpu_operation.h"

#include <algorithm>
#include <array>

namespace pimsweep::systems::parts {

namespace {

using devices::OperationKind;
using hardware::Pass;
using hardware::manycore::Operations;
using hardware::manycore::RunTime;
using hardware::manycore::Work;

Work library_work(const Operations& make, const CpuKernelSettings& settings, Pass pass) {
  const devices::Sheet& s = settings.sheet;
  const double channels = s.window.channels;
  switch (s.kind) {
    case OperationKind::gemm:
      return make.gemm(s.m, s.n, s.k);
    case OperationKind::conv:
      return make.convolution(s.convolution(), pass);
    case OperationKind::rnn:
      return make.recurrent(s.gates(), s.hidden, s.batch, s.timesteps, pass);
    case OperationKind::pool:
      return make.pooling(s.convolution());
    case OperationKind::bias:
      return make.bias(s.pixels(), channels);
    case OperationKind::bias_gradient:
      return make.bias_gradient(s.pixels(), channels);
    case OperationKind::batch_norm:
      return make.batch_norm(s.pixels(), channels);
    case OperationKind::optimizer:
      return make.optimizer(s.elements(), settings.states);
    // The axis does not offer kinds that only GPUs support.
    default:
      break;
  }
  return make.elementwise(s.elements(), s.inputs, 1, s.inputs);
}

/// Elements that TensorFlow converts to another layout: only convolutions have a layout of their own.
double converted_elements(const devices::Sheet& sheet) {
  if (sheet.kind != OperationKind::conv) return 0;
  const hardware::ConvolutionShape shape = sheet.convolution();
  return shape.inputs() + shape.outputs() + shape.weights();
}

double on_half_of_the_cores(const ProfiledRun& run) { return run.seconds / (1 - run.loss); }

}  // namespace

CpuOperation::CpuOperation(const CpuKernelSettings& s, Pass pass)
    : cpu_(s.cpu.device),
      work_(library_work(Operations(cpu_, s.library), s, pass)),
      affinity_(s.affinity),
      spawns_(s.in_tensorflow) {
  if (spawns_) {
    const Operations in_tensorflow(cpu_, hardware::manycore::Library::mkl_dnn);
    work_ = in_tensorflow.in_tensorflow(work_, converted_elements(s.sheet));
  }
}

hardware::manycore::Placement CpuOperation::place(double threads) const {
  return hardware::manycore::place(cpu_, threads, affinity_);
}

RunTime CpuOperation::run(double threads) const { return hardware::manycore::run_time(cpu_, work_, place(threads)); }

double CpuOperation::best_threads() const {
  double best = 1;
  double shortest = seconds(1);
  for (int threads = 2; threads <= cpu_.cores; ++threads) {
    const double time = seconds(threads);
    if (time < shortest) {
      shortest = time;
      best = threads;
    }
  }
  return best;
}

double makespan_of(const hardware::manycore::Device& cpu, const CpuOperation& one, const CpuOperation& other,
                   double threads, bool shares_cores) {
  const std::array running{hardware::manycore::Running{one.work(), one.place(threads), shares_cores},
                           hardware::manycore::Running{other.work(), other.place(threads), shares_cores}};
  std::array<RunTime, 2> together;
  hardware::manycore::run_together(cpu, running, together);
  const double spawned = one.spawn(threads) + other.spawn(threads);
  const double first = together[0].total + spawned;
  const double second = together[1].total + spawned;
  const double shorter = std::min(first, second);
  const double longer = std::max(first, second);
  const double alone = first > second ? one.seconds(threads) : other.seconds(threads);
  return shorter + (1 - shorter / longer) * alone;
}

double makespan_of(CpuCoRun co_run, const ProfiledRun& one, const ProfiledRun& other) {
  if (co_run != CpuCoRun::partition) return one.seconds + other.seconds;
  return std::max(on_half_of_the_cores(one), on_half_of_the_cores(other));
}

}  // namespace pimsweep::systems::parts
