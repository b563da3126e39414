#include "systems/parts/synthetic/synthetic.h"

#include <fmt/format.h>
#include <time.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "base/bytes.h"
#include "base/error.h"

namespace pimsweep::systems::parts::synthetic {

namespace {

enum AxisIndex : std::size_t {
  cost_distribution,
  cost_mean,
  failure_rate,
  failure_kind,
  infeasible_rate,
  payload_rows,
  n,
  label,
  seed
};
enum MetricIndex : std::size_t { cost, checksum, tag };

Axis text_axis(std::string name, std::string value, std::vector<std::string> choices, std::string doc) {
  return {.name = std::move(name),
          .type = ValueType::text,
          .unit = "1",
          .default_value = std::move(value),
          .min = {},
          .max = {},
          .choices = std::move(choices),
          .doc = std::move(doc)};
}

Axis real_axis(std::string name, std::string unit, double value, std::optional<double> max, std::string doc) {
  return {.name = std::move(name),
          .type = ValueType::real,
          .unit = std::move(unit),
          .default_value = value,
          .min = 0.0,
          .max = max,
          .choices = {},
          .doc = std::move(doc)};
}

Axis integer_axis(std::string name, std::optional<double> max, std::string doc) {
  return {.name = std::move(name),
          .type = ValueType::integer,
          .unit = "1",
          .default_value = std::int64_t{0},
          .min = 0.0,
          .max = max,
          .choices = {},
          .doc = std::move(doc)};
}

Schema make_schema() {
  Schema schema;
  schema.name = "synthetic";
  schema.doc = "Busy work of a chosen cost, to measure and test the driver";
  schema.version = 1;
  // In the order of AxisIndex.
  schema.axes = {
      text_axis("cost_distribution", "constant", {"constant", "exponential", "lognormal", "loguniform"},
                "how the cost of a point is drawn around cost_mean; loguniform spreads it over four decades"),
      real_axis("cost_mean", "s", 0.0, {}, "mean processor time of a point"),
      real_axis("failure_rate", "1", 0.0, 1.0, "share of the points that fail"),
      text_axis("failure_kind", "point_error", {"point_error", "exception"},
                "whether a failing point is refused by the system or ends in an unexpected exception"),
      real_axis("infeasible_rate", "1", 0.0, 1.0, "share of the points that are infeasible"),
      integer_axis("rows", 1e6, "rows of the detail table"),
      integer_axis("n", {}, "number that tells points apart"),
      text_axis("label", "", {}, "text that is carried into the metric 'tag'"),
      integer_axis("seed", {}, "seed of all draws"),
  };
  // In the order of MetricIndex.
  schema.metrics = {
      {.name = "cost", .unit = "s", .doc = "drawn processor time", .type = ValueType::real},
      {.name = "checksum",
       .unit = "1",
       .doc = "integer below 2^52 that depends on every axis",
       .type = ValueType::real},
      {.name = "tag", .unit = "1", .doc = "label and checksum in hexadecimal", .type = ValueType::text},
  };
  schema.tables = {{.name = "detail",
                    .doc = "draws of the point",
                    .columns = {{.name = "draw", .unit = "1", .doc = "number of the draw", .type = ValueType::integer},
                                {.name = "value", .unit = "1", .doc = "uniform in [0, 1)", .type = ValueType::real},
                                {.name = "name", .unit = "1", .doc = "value as text", .type = ValueType::text}}}};
  return schema;
}

/// Independent uniform numbers in [0, 1), each a hash of the point and of the draw's number.
class Draws {
 public:
  explicit Draws(const Hash128& point) {
    append_number(bytes_, point.high);
    append_number(bytes_, point.low);
  }

  std::uint64_t bits(std::uint64_t number) {
    bytes_.resize(16);
    append_number(bytes_, number);
    return hash128(bytes_).low >> 12;  // 52 bits: exact as a double
  }

  double uniform(std::uint64_t number) { return static_cast<double>(bits(number)) * 0x1p-52; }

 private:
  std::string bytes_;
};

enum DrawNumber : std::uint64_t {
  draw_checksum,
  draw_failure,
  draw_infeasible,
  draw_cost,
  draw_cost_second,
  draw_rows
};

double draw_point_cost(const std::string& distribution, double mean, Draws& draws) {
  if (distribution == "exponential") return -mean * std::log1p(-draws.uniform(draw_cost));
  if (distribution == "lognormal") {
    // Box-Muller; sigma = 1, and mu such that the mean is the one asked for.
    const double radius = std::sqrt(-2.0 * std::log1p(-draws.uniform(draw_cost)));
    const double normal = radius * std::cos(2.0 * std::numbers::pi * draws.uniform(draw_cost_second));
    return mean * std::exp(normal - 0.5);
  }
  if (distribution == "loguniform") {
    // 10^(4 u) for uniform u has the mean (10^4 - 1) / ln 10^4.
    constexpr double decades = 4.0;
    const double spread = std::pow(10.0, decades);
    return mean * std::pow(spread, draws.uniform(draw_cost)) * std::log(spread) / (spread - 1.0);
  }
  return mean;
}

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

void be_busy(double seconds) {
  if (seconds <= 0.0) return;
  const double end = processor_seconds() + seconds;
  while (processor_seconds() < end) {
  }
}

class Synthetic final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    Draws draws(hasher_(point));
    const double seconds = draw_point_cost(point.text(cost_distribution), point.real(cost_mean), draws);
    be_busy(seconds);
    if (draws.uniform(draw_failure) < point.real(failure_rate)) {
      const std::string message = fmt::format("drawn to fail (n = {})", point.integer(n));
      if (point.text(failure_kind) == "exception") throw std::runtime_error(message);
      throw PointError(message);
    }
    if (draws.uniform(draw_infeasible) < point.real(infeasible_rate)) {
      record.status = Status::infeasible;
      record.message = fmt::format("drawn to be infeasible (n = {})", point.integer(n));
      return;
    }
    const std::uint64_t sum = draws.bits(draw_checksum);
    record.status = Status::ok;
    record.metrics[cost] = seconds;
    record.metrics[checksum] = static_cast<double>(sum);
    record.metrics[tag] = fmt::format("{}-{:x}", point.text(label), sum);
    for (std::int64_t row = 0; row < point.integer(payload_rows); ++row) {
      const double value = draws.uniform(draw_rows + static_cast<std::uint64_t>(row));
      record.tables[0].emplace_back(row);
      record.tables[0].emplace_back(value);
      record.tables[0].emplace_back(fmt::format("{:.3f}", value));
    }
  }

  Hash128 workload_hash(const Point&) override { return {}; }

  std::optional<double> expected_seconds(const Point& point) override {
    const double mean = point.real(cost_mean);
    if (mean <= 0.0) return std::nullopt;
    Draws draws(hasher_(point));
    return draw_point_cost(point.text(cost_distribution), mean, draws);
  }

  void explain(const Point& point, Explanation& explanation) override {
    Draws draws(hasher_(point));
    auto& section = explanation.section("draws");
    section.lines.push_back({"failure", fmt::format("{}", draws.uniform(draw_failure)), "fails if below failure_rate"});
    section.lines.push_back(
        {"infeasible", fmt::format("{}", draws.uniform(draw_infeasible)), "infeasible if below infeasible_rate"});
    section.lines.push_back(
        {"cost", fmt::format("{} s", draw_point_cost(point.text(cost_distribution), point.real(cost_mean), draws)),
         "processor time that the point takes"});
  }

 private:
  Schema schema_ = make_schema();
  IdentityHasher hasher_{*this};
};

}  // namespace

std::unique_ptr<System> make_synthetic(const std::string&) { return std::make_unique<Synthetic>(); }

std::vector<PolicyInfo> synthetic_policies() { return {}; }

}  // namespace pimsweep::systems::parts::synthetic
