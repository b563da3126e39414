#include "systems/allspark/placement/exchange_cache.h"

#include <boost/range/iterator_range.hpp>
#include <string>
#include <string_view>

namespace pimsweep::systems::allspark::placement {

namespace {

/// Concatenated bytes of values.
class Content {
 public:
  template <class... Values>
  void add(const Values&... values) {
    (bytes_.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  }
  void add_text(std::string_view text) {
    add(text.size());
    bytes_ += text;
  }
  Hash128 hash() const { return hash128(bytes_); }

 private:
  std::string bytes_;
};

Hash128 content_of(const PlacementProblem& problem, std::string_view method, std::uint64_t seed) {
  Content content;
  content.add_text(method);
  content.add(seed, problem.branches(), problem.layers());
  for (const std::int64_t branches : problem.layer_branches) content.add(branches);
  for (const Slot& slot : problem.slots) {
    content.add(slot.layer, slot.nodes.row, slot.nodes.col, slot.nodes.height, slot.nodes.width);
  }
  for (const auto& edge : boost::make_iterator_range(boost::edges(problem.transfers))) {
    content.add(boost::source(edge, problem.transfers), boost::target(edge, problem.transfers),
                problem.transfers[edge].words);
  }
  return content.hash();
}

Hash128 content_of(const InteractionTraffic& traffic, double max_flit_hops) {
  const InteractionNetwork& network = traffic.network();
  const hardware::noc::router::RouterSettings& router = network.router;
  Content content;
  content.add(max_flit_hops, traffic.side(), network.format.flit_bytes, network.format.max_flits,
              network.format.in_turn);
  content.add(router.virtual_channels, router.buffer_size, router.routing_delay, router.switch_traversal_delay,
              router.credit_delay, router.speculative, router.allocator, router.iterations, router.link_latency,
              router.credit_latency);
  for (const hardware::noc::router::Transfer& transfer : traffic.transfers()) {
    content.add(transfer.source, transfer.destination, transfer.bytes, transfer.rank, transfer.after.size());
    for (const std::uint32_t before : transfer.after) content.add(before);
  }
  return content.hash();
}

}  // namespace

const Binding& ExchangeCache::binding(const PlacementProblem& problem, const PlacementMethod& method,
                                      std::uint64_t seed) {
  return bindings_.get(content_of(problem, method.name, seed), [&] { return method.bind(problem, seed); });
}

std::int64_t ExchangeCache::simulated_cycles(const InteractionTraffic& traffic, double max_flit_hops) {
  return cycles_.get(content_of(traffic, max_flit_hops), [&] { return traffic.simulated_cycles(max_flit_hops); });
}

}  // namespace pimsweep::systems::allspark::placement
