#pragma once

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/router_settings.h"
#include "hardware/noc/router/traffic.h"

namespace pimsweep::hardware::noc::router {

/// Minimum sample period: a packet on the longest route of an empty network arrives within the warm-up. With a shorter
/// period the network would still be filling up while it is measured, accept less than is offered, and seem saturated.
unsigned min_sample_period(const Lattice& lattice, const RouterSettings& settings, unsigned packet_size);

/// Simulates the network by the rules of BookSim 2.0: three sample periods of warm-up; then measured periods, until
/// mean latency and accepted rate change by less than 5 % in three consecutive periods or ten periods have passed; then
/// until every measured packet has arrived, under continuing traffic; then until the network is empty. If the mean
/// latency exceeds 500 cycles, or less than 95 % of the offered traffic is accepted (beyond the random variation of the
/// number of packets), the network is saturated, and the run continues for the accepted rate alone: from the period in
/// which saturation showed, or from the earlier period in which the accepted rate converged.
/// Uses the threads that the current point may use (base/threads.h); their number does not change the result.
///
/// Throws std::invalid_argument for an invalid network or traffic, and for a period below min_sample_period().
TrafficResult simulate(const Lattice& lattice, const RouterSettings& settings, const SyntheticTraffic& traffic);

}  // namespace pimsweep::hardware::noc::router
