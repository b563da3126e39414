#pragma once

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/routed_array.h"
#include "hardware/noc/step_program.h"
#include "hardware/noc/step_simulation.h"

namespace pimsweep::hardware::noc {

/// A step of work as StepSimulation has it, with its exchanges on routers, flit by flit. Every accelerator hands over
/// packets of the exchanges that go on in turn; an exchange has ended when its last flit has arrived everywhere.
/// Computations take whole cycles. One packet in 16 is short, at random but the same in every run.
class RoutedStep {
 public:
  /// `network`: the same array as links, for the shares of its exchanges; links have so many bytes per second, flits so
  /// many bytes. Both must outlive it.
  RoutedStep(const RoutedArray& array, const ExchangeNetwork& network, double bandwidth, double flit_bytes);

  /// The step with all amounts scaled down, so that `flit_hops_at_first` flits x routers are simulated, then twice,
  /// four, eight times as many and so on. A run is continued at the pace that it has beyond the run of a quarter of its
  /// scale: what is affine in the amounts is exact, latencies included. When two continuations in succession say the
  /// same within 0.5 %, or after six runs, the last is the result; a step that ends before is simulated whole. Of the
  /// timeline makespan, difference, starts and ends are set. Throws std::invalid_argument if an exchange's level is not
  /// in the network.
  StepTimeline run(const StepProgram& program, bool overlap = true, double flit_hops_at_first = 1.5e5) const;

  /// Flits x routers of all the step's exchanges.
  double flit_hops(const StepProgram& program) const;

  /// The step with all amounts times `scale`; times are not scaled back.
  StepTimeline simulate(const StepProgram& program, bool overlap, double scale) const;

 private:
  const RoutedArray& array_;
  const ExchangeNetwork& network_;
  double seconds_per_cycle_;
  double flit_bytes_;
};

}  // namespace pimsweep::hardware::noc
