#include "hardware/noc/router/traffic_pattern.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <charconv>
#include <stdexcept>

#include "base/error.h"

namespace pimsweep::hardware::noc::router {

namespace {

constexpr std::uint32_t max_weight = 1U << 20;

/// Parses `prefix` and a number from the front of `text`.
bool take(std::string_view& text, std::string_view prefix, std::uint32_t& number) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Shifts the coordinates of every node around each dimension, by a distance that depends on its length.
template <typename Distance>
std::vector<std::uint32_t> shifted(const Lattice& lattice, Distance distance) {
  std::vector<std::uint32_t> destinations;
  std::vector<unsigned> coordinates(lattice.dimensions());
  for (unsigned node = 0; node < lattice.nodes(); ++node) {
    for (unsigned d = 0; d < lattice.dimensions(); ++d) {
      coordinates[d] = (lattice.coordinate(node, d) + distance(lattice.radix(d))) % lattice.radix(d);
    }
    destinations.push_back(lattice.node(coordinates.data()) + node % lattice.concentration());
  }
  return destinations;
}

}  // namespace

const std::vector<std::string>& traffic_pattern_names() {
  static const std::vector<std::string> names{"uniform", "transpose", "bitcomp",
                                              "tornado", "neighbor",  "hotspot_nH_wW"};
  return names;
}

TrafficPattern::TrafficPattern(std::string_view name, const Lattice& lattice) : nodes_(lattice.nodes()) {
  if (name == "uniform") return;
  if (name == "transpose") {
    const auto bits = static_cast<unsigned>(std::bit_width(nodes_) - 1);
    if (!std::has_single_bit(nodes_) || bits % 2 != 0) {
      throw std::invalid_argument(fmt::format("transpose needs 4, 16, 64 .. nodes, not {}", nodes_));
    }
    for (std::uint32_t node = 0; node < nodes_; ++node) {
      permutation_.push_back((node >> (bits / 2)) | ((node << (bits / 2)) & (nodes_ - 1)));
    }
  } else if (name == "bitcomp") {
    for (std::uint32_t node = 0; node < nodes_; ++node) permutation_.push_back(nodes_ - 1 - node);
  } else if (name == "tornado") {
    permutation_ = shifted(lattice, [](unsigned radix) { return (radix + 1) / 2 - 1; });
  } else if (name == "neighbor") {
    permutation_ = shifted(lattice, [](unsigned) { return 1U; });
  } else if (name.starts_with("hotspot")) {
    std::string_view rest = name.substr(7);
    std::uint32_t weight = 0;
    if (!take(rest, "_n", hot_node_) || !take(rest, "_w", weight) || !rest.empty() || hot_node_ >= nodes_ ||
        weight < 1 || weight > max_weight) {
      throw std::invalid_argument(
          fmt::format("traffic '{}': hotspot_nH_wW has a node H of 0 to {} and its weight W of 1 to {}", name,
                      nodes_ - 1, max_weight));
    }
    extra_weight_ = weight - 1;
  } else {
    throw std::invalid_argument(fmt::format("there is no traffic '{}'{}; traffic: {}", name,
                                            suggestion(name, traffic_pattern_names()),
                                            fmt::join(traffic_pattern_names(), ", ")));
  }
}

}  // namespace pimsweep::hardware::noc::router
