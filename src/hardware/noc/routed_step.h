#pragma once

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/routed_array.h"
#include "hardware/noc/step_program.h"
#include "hardware/noc/step_simulation.h"

namespace pimsweep::hardware::noc {

/// A step as in StepSimulation, with its exchanges simulated on routers, flit by flit. Each accelerator injects packets
/// of its current exchanges round-robin; an exchange ends when its last flit has arrived everywhere. Computations take
/// whole cycles. One packet in 16 is short, at random but reproducibly.
class RoutedStep {
 public:
  /// `network`: the same array as links, for the shares of its exchanges; `bandwidth`: bytes per second of a link.
  /// Array and network must outlive the object.
  RoutedStep(const RoutedArray& array, const ExchangeNetwork& network, double bandwidth, double flit_bytes);

  /// Simulates the step with all amounts scaled down to `flit_hops_at_first` flits x routers, then to two, four, eight
  /// times as many, and so on. A run is extrapolated at its rate beyond the run of a quarter of its scale, so
  /// everything that is affine in the amounts is exact, including latencies. The result is the extrapolation that
  /// agrees with the previous one within 0.5 %, or the sixth; a smaller step is simulated whole. Sets makespan,
  /// difference, starts and ends of the timeline. Throws std::invalid_argument if the level of an exchange is not in
  /// the network.
  StepTimeline run(const StepProgram& program, bool overlap = true, double flit_hops_at_first = 1.5e5) const;

  /// Flits x routers of all exchanges of the step.
  double flit_hops(const StepProgram& program) const;

  /// Simulates the step with all amounts multiplied by `scale`; times are not scaled back.
  StepTimeline simulate(const StepProgram& program, bool overlap, double scale) const;

 private:
  const RoutedArray& array_;
  const ExchangeNetwork& network_;
  double seconds_per_cycle_;
  double flit_bytes_;
};

}  // namespace pimsweep::hardware::noc
