#include "hardware/noc/router/all_pairs.h"

namespace pimsweep::hardware::noc::router {

namespace {

constexpr unsigned up = 0;
constexpr unsigned down = 1;

/// Prefix sums over places, in place.
void add_up(std::vector<double>& differences) {
  double sum = 0;
  for (double& value : differences) value = sum += value;
}

}  // namespace

AllPairs::AllPairs(const Lattice& lattice, unsigned tie_up) : lattice_(lattice) {
  if (lattice.topology() == Topology::h_tree) {
    for (double nodes = 1; sources_.size() <= lattice.dimensions(); nodes *= lattice.radix()) sources_.push_back(nodes);
    return;
  }
  double before = lattice.concentration();
  for (unsigned d = 0; d < lattice.dimensions(); ++d) {
    const double radix = lattice.radix(d);
    dimensions_.push_back({count_line(lattice.topology(), lattice.radix(d), tie_up), before,
                           lattice.nodes() / (before * radix) * lattice.concentration()});
    before *= radix;
  }
}

/// Routes between places of a line or ring: the first and the last of their routers are counted individually, those in
/// between as differences, so that a route takes a few steps however long it is.
std::vector<AllPairs::Place> AllPairs::count_line(Topology topology, unsigned radix, unsigned tie_up) {
  const Lattice line(topology, radix, 1);
  std::vector<Place> places(radix);
  std::array<std::vector<double>, 4> passing;
  for (std::vector<double>& differences : passing) differences.resize(radix + 1);
  for (unsigned from = 0; from < radix; ++from) {
    for (unsigned to = 0; to < radix; ++to) {
      if (to == from) continue;
      const Lattice::Step step = line.route(from, to, line.node_port(), false, tie_up);
      const unsigned way = 2 * step.output + (step.upper_half ? 1 : 0);
      ++places[from].begin[way];
      ++places[to].end[step.output];
      // The places in between, in rising order: after `first` and before `last`.
      const unsigned first = step.output == up ? from : to;
      const unsigned last = step.output == up ? to : from;
      ++passing[way][first + 1];
      --passing[way][last];
      if (last > first) continue;
      --passing[way][radix];
      ++passing[way][0];
    }
  }
  for (unsigned way = 0; way < passing.size(); ++way) {
    add_up(passing[way]);
    for (unsigned at = 0; at < radix; ++at) places[at].pass[way] = passing[way][at];
  }
  return places;
}

double AllPairs::turn(unsigned router, unsigned input, unsigned output) const {
  if (lattice_.topology() == Topology::h_tree) return turn_on_tree(router, input, output);
  const bool starts = input >= lattice_.node_port();
  const bool ends = output >= lattice_.node_port();
  if (!starts && !ends && input / 2 >= output / 2) {
    // Straight on within a line; no packet turns back, or to a lower dimension.
    if (input / 2 > output / 2 || input == output) return 0;
    const Dimension& dimension = dimensions_[output / 2];
    const Place& here = place(router, output / 2);
    const unsigned way = 2 * (output % 2);
    return dimension.nodes_before * (here.pass[way] + here.pass[way + 1]) * dimension.nodes_behind;
  }
  // Sources whose packets arrive in this direction and need not continue in that dimension, for each destination; and
  // vice versa.
  double sources = 1;
  double destinations = 1;
  if (!starts) {
    const unsigned direction = input % 2 == 0 ? down : up;
    sources = dimensions_[input / 2].nodes_before * place(router, input / 2).end[direction];
  }
  if (!ends) {
    const Place& here = place(router, output / 2);
    const unsigned way = 2 * (output % 2);
    destinations = (here.begin[way] + here.begin[way + 1]) * dimensions_[output / 2].nodes_behind;
  }
  return sources * destinations;
}

double AllPairs::half(unsigned router, unsigned output, bool upper) const {
  if (lattice_.topology() == Topology::h_tree || output >= lattice_.node_port()) {
    if (upper) return 0;
    double load = 0;
    for (unsigned input = 0; input < lattice_.ports(); ++input) load += turn(router, input, output);
    return load;
  }
  const Dimension& dimension = dimensions_[output / 2];
  const Place& here = place(router, output / 2);
  const unsigned way = 2 * (output % 2) + (upper ? 1 : 0);
  return dimension.nodes_before * (here.begin[way] + here.pass[way]) * dimension.nodes_behind;
}

/// A packet that climbs through a router of level l comes from a given one of the k^l nodes that have their lowest l
/// digits free, and goes to one of the nodes whose lowest l digits are those of the position. Where it turns, its
/// destination has the digits of the source above l, and another digit l, or any digit at level 0. On the way down,
/// position and output determine the destination; its sources are all nodes that are not below the router.
double AllPairs::turn_on_tree(unsigned router, unsigned input, unsigned output) const {
  const unsigned level = router / (lattice_.nodes() / lattice_.radix());
  const bool from_below = input >= lattice_.node_port();
  const bool to_below = output >= lattice_.node_port();
  if (from_below && to_below) return input != output || level == 0 ? sources_[level] : 0;
  if (from_below) return sources_[level] * (sources_[lattice_.dimensions() - 1 - level] - 1);
  // It comes down in the lane of its destination's digit.
  if (to_below && output - lattice_.node_port() == input) return lattice_.nodes() - sources_[level + 1];
  return 0;
}

}  // namespace pimsweep::hardware::noc::router
