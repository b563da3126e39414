#include "systems/serving/arrivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "base/random_numbers.h"
#include "base/splitmix64.h"
#include "workload/decoder/requests.h"

namespace pimsweep::systems::serving {

namespace {

/// Random numbers, equal on every machine.
class Random {
 public:
  explicit Random(std::int64_t seed) : next_(static_cast<std::uint64_t>(seed)) {}
  /// Between 0 and 1, neither included.
  double unit() { return open_unit(next_()); }
  double normal() {
    const double first = unit();
    return standard_normal(first, unit());
  }
  /// Gamma distributed with a mean of 1 (Marsaglia and Tsang, A simple method for generating gamma variables, ACM
  /// TOMS 2000, with their transformation for shapes below 1).
  double gamma(double shape) {
    const double boost = shape < 1 ? std::pow(unit(), 1 / shape) : 1;
    const double d = (shape < 1 ? shape + 1 : shape) - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    while (true) {
      const double x = normal();
      const double v = std::pow(1 + c * x, 3);
      if (v <= 0) continue;
      if (std::log(unit()) < x * x / 2 + d - d * v + d * std::log(v)) return boost * d * v / shape;
    }
  }

 private:
  SplitMix64 next_;
};

void require_settings(const Traffic& t) {
  const bool is_random = t.arrivals == Arrivals::poisson || t.arrivals == Arrivals::gamma;
  if (is_random && t.request_rate == 0) {
    throw PointError(
        fmt::format("request_rate is 0, but {} arrivals need a rate above 0", word_of(arrivals_words, t.arrivals)));
  }
  if (t.arrivals == Arrivals::trace && t.trace.empty()) throw PointError("arrivals of a trace need a 'trace'");
  if (t.arrivals == Arrivals::closed_loop && t.max_concurrency == 0) {
    throw PointError("max_concurrency is 0, but closed-loop arrivals need a number of requests in flight");
  }
  if (t.requests == 0 && t.trace.empty()) throw PointError("requests is 0, but no trace says how many there are");
}

void set_lengths(const Traffic& t, std::vector<engine::Request>& requests) {
  if (t.lengths == Lengths::equal || (t.lengths == Lengths::own && t.trace.empty())) {
    for (engine::Request& request : requests) {
      request.input = t.input_tokens;
      request.output = t.output_tokens;
    }
  } else if (t.lengths == Lengths::log_normal) {
    std::vector<std::int64_t> lengths;
    const auto seed = 2 * static_cast<std::uint64_t>(t.length_seed);
    const auto count = static_cast<std::int64_t>(requests.size());
    const auto sample = [&](std::int64_t mean, std::uint64_t stream, std::int64_t engine::Request::*member) {
      workload::decoder::draw_lengths({.mean = static_cast<double>(mean), .sigma = t.length_sigma, .seed = stream},
                                      count, lengths);
      for (std::size_t i = 0; i < requests.size(); ++i) requests[i].*member = lengths[i];
    };
    sample(t.input_tokens, seed, &engine::Request::input);
    sample(t.output_tokens, seed + 1, &engine::Request::output);
  }
}

/// Lengths and prefixes of a trace, whose requests are used again from the first one if there are too few.
void copy_trace(std::span<const workload::decoder::Request> trace, std::vector<engine::Request>& requests) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const workload::decoder::Request& from = trace[i % trace.size()];
    const std::size_t round = i - i % trace.size();
    requests[i] = {.arrival = from.arrival.value_or(0),
                   .input = from.input,
                   .output = from.output,
                   .shared_prefix = from.shared_prefix,
                   .shared_with = from.shared_prefix > 0 ? round + static_cast<std::size_t>(from.shared_with) : 0};
  }
}

void share_prefix(double share, std::vector<engine::Request>& requests) {
  if (share == 0) return;
  for (std::size_t i = 1; i < requests.size(); ++i) {
    const double tokens = std::floor(share * static_cast<double>(requests[i].input));
    requests[i].shared_prefix = std::min(static_cast<std::int64_t>(tokens), requests.front().input);
  }
}

/// Times of the trace, scaled to the rate if there is one.
void follow_trace(const Traffic& t, std::span<const workload::decoder::Request> trace,
                  std::vector<engine::Request>& requests) {
  if (!trace.front().arrival) {
    throw PointError(fmt::format("arrivals of a trace need times of arrival, which trace '{}' lacks", t.trace));
  }
  if (requests.size() > trace.size()) {
    throw PointError(fmt::format("requests is {}, but trace '{}' has {}", requests.size(), t.trace, trace.size()));
  }
  const double rate = offered_rate(requests);
  if (t.request_rate == 0) return;
  if (rate == 0)
    throw PointError(fmt::format("all requests of trace '{}' arrive at once: no rate scales them", t.trace));
  for (engine::Request& request : requests) request.arrival *= rate / t.request_rate;
}

}  // namespace

void make_requests(const Traffic& traffic, workload::decoder::Tables& tables, std::vector<engine::Request>& requests) {
  require_settings(traffic);
  std::span<const workload::decoder::Request> trace;
  if (!traffic.trace.empty()) trace = tables.requests(traffic.trace);
  const std::size_t count = traffic.requests == 0 ? trace.size() : static_cast<std::size_t>(traffic.requests);
  requests.assign(count, {});
  if (!trace.empty()) copy_trace(trace, requests);
  set_lengths(traffic, requests);
  if (trace.empty()) share_prefix(traffic.shared_prefix_share, requests);
  for (engine::Request& request : requests) request.shared_prefix = std::min(request.shared_prefix, request.input);
  switch (traffic.arrivals) {
    case Arrivals::trace:
      follow_trace(traffic, trace, requests);
      return;
    case Arrivals::closed_loop:
      for (engine::Request& request : requests) request.arrival = 0;
      return;
    case Arrivals::poisson:
    case Arrivals::gamma:
      break;
  }
  Random random(traffic.seed);
  double time = 0;
  for (engine::Request& request : requests) {
    const double gap =
        traffic.arrivals == Arrivals::poisson ? -std::log(random.unit()) : random.gamma(traffic.burstiness);
    time += gap;
    request.arrival = time / traffic.request_rate;
  }
}

double offered_rate(const std::vector<engine::Request>& requests) {
  const double span = requests.back().arrival - requests.front().arrival;
  return span > 0 ? static_cast<double>(requests.size() - 1) / span : 0;
}

}  // namespace pimsweep::systems::serving
