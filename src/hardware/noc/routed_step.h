#pragma once

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/routed_array.h"
#include "hardware/noc/step_program.h"
#include "hardware/noc/step_simulation.h"

namespace pimsweep::hardware::noc {

/// A step of work as in StepSimulation, with its exchanges simulated on routers, flit by flit. Every accelerator
/// injects packets of its current exchanges in turn; an exchange has ended when its last flit has arrived everywhere.
/// Computations take whole cycles. One packet in 16 is short, at random but the same in every run.
class RoutedStep {
 public:
  /// `network`: the same array as links, for the shares of its exchanges; `bandwidth`: bytes per second of a link.
  /// Array and network must outlive the object.
  RoutedStep(const RoutedArray& array, const ExchangeNetwork& network, double bandwidth, double flit_bytes);

  /// Simulates the step with all amounts scaled down to `flit_hops_at_first` flits x routers, then twice, four, eight
  /// times as many and so on. A run is extrapolated at the rate that it has beyond the run of a quarter of its scale:
  /// whatever is affine in the amounts is exact, latencies included. Once two successive extrapolations agree within
  /// 0.5 %, or after six runs, the last is the result; a smaller step is simulated whole. Sets makespan, difference,
  /// starts and ends of the timeline. Throws std::invalid_argument if an exchange's level is not in the network.
  StepTimeline run(const StepProgram& program, bool overlap = true, double flit_hops_at_first = 1.5e5) const;

  /// Flits x routers of all the step's exchanges.
  double flit_hops(const StepProgram& program) const;

  /// Simulates the step with all amounts times `scale`; times are not scaled back.
  StepTimeline simulate(const StepProgram& program, bool overlap, double scale) const;

 private:
  const RoutedArray& array_;
  const ExchangeNetwork& network_;
  double seconds_per_cycle_;
  double flit_bytes_;
};

}  // namespace pimsweep::hardware::noc
