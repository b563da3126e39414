#pragma once

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/routed_array.h"
#include "hardware/noc/step_program.h"
#include "hardware/noc/step_simulation.h"

namespace pimsweep::noc {

/// A step of work as StepSimulation has it, with its exchanges on routers, flit by flit. Every accelerator hands over
/// packets of the exchanges that go on in turn; an exchange has ended when its last flit has arrived everywhere.
/// Computations take whole cycles.
class RoutedStep {
 public:
  /// `network`: the same array as links, for the shares of its exchanges; links have so many bytes per second, flits so
  /// many bytes. Both must outlive it.
  RoutedStep(const RoutedArray& array, const ExchangeNetwork& network, double bandwidth, double flit_bytes);

  /// The whole step if it is short. Otherwise the same step with all amounts scaled down, once so that
  /// `most_flit_hops` flits x routers are simulated and once with an eighth of that, continued at the pace of their
  /// difference: what is affine in the amounts is exact, latencies included. Of the timeline makespan, starts and ends
  /// are set. Throws std::invalid_argument if an exchange's level is not in the network.
  StepTimeline run(const StepProgram& program, bool overlap = true, double most_flit_hops = 2.5e6) const;

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

}  // namespace pimsweep::noc
