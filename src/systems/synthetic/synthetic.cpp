#include "systems/synthetic/synthetic.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numbers>

namespace pimsweep {

namespace {

enum AxisIndex : std::size_t { kIndex, kTag, kCostMean, kCostDistribution, kFailureRate, kInfeasibleRate, kRows, kSeed };

Schema make_schema() {
  Schema schema;
  schema.name = "synthetic";
  schema.doc = "busy work of a chosen cost, to measure and test the driver";
  schema.version = 1;
  schema.axes = {
      {"index", ValueType::integer, "1", Value{std::int64_t{0}}, 0, std::nullopt, {}, "tells points apart"},
      {"tag", ValueType::text, "1", Value{std::string{}}, std::nullopt, std::nullopt, {}, "any text, carried into the result"},
      {"cost_mean", ValueType::real, "s", Value{0.0}, 0, 3600, {}, "mean time that a point keeps its rank busy"},
      {"cost_distribution", ValueType::text, "1", Value{std::string("constant")}, std::nullopt, std::nullopt,
       {"constant", "exponential", "lognormal"}, "how the cost varies from point to point"},
      {"failure_rate", ValueType::real, "1", Value{0.0}, 0, 1, {}, "share of the points that fail"},
      {"infeasible_rate", ValueType::real, "1", Value{0.0}, 0, 1, {}, "share of the points that are infeasible"},
      {"rows", ValueType::integer, "1", Value{std::int64_t{0}}, 0, 1e6, {}, "rows of detail that a point writes"},
      {"seed", ValueType::integer, "1", Value{std::int64_t{0}}, std::nullopt, std::nullopt, {}, "seed of the draws"}};
  schema.metrics = {{"cost", "s", "the cost that was drawn for the point", ValueType::real},
                    {"draw", "1", "a number in [0, 1) that depends on the point alone", ValueType::real},
                    {"echo", "1", "the tag and the index", ValueType::text}};
  schema.tables = {{"detail",
                    "as many rows as the axis `rows` says",
                    {{"row_number", "1", "number of the row in its point", ValueType::integer},
                     {"draw", "1", "a number in [0, 1)", ValueType::real},
                     {"name", "1", "a text", ValueType::text}}}};
  return schema;
}

/// Numbers in [0, 1) that depend on the point alone: stream k of a point is the finalised hash of (seed, index, k).
class Draws {
 public:
  explicit Draws(const Point& point)
      : key_(static_cast<std::uint64_t>(point.integer(kSeed)) * 0x9E3779B97F4A7C15ULL ^
             static_cast<std::uint64_t>(point.integer(kIndex))) {}
  double operator()(std::uint64_t stream) const {
    // The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
    std::uint64_t x = key_ + (stream + 1) * 0x9E3779B97F4A7C15ULL;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ x >> 27) * 0x94D049BB133111EBULL;
    return static_cast<double>((x ^ x >> 31) >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t key_;
};

double drawn_cost(const Point& point, const Draws& draws) {
  const double mean = point.real(kCostMean);
  const std::string& distribution = point.text(kCostDistribution);
  if (distribution == "exponential") return -mean * std::log1p(-draws(0));
  if (distribution == "lognormal") {
    // Sigma 1.5: costs over about four decades; the mean of exp(N(mu, sigma)) is exp(mu + sigma^2 / 2).
    constexpr double sigma = 1.5;
    const double normal = std::sqrt(-2 * std::log1p(-draws(0))) * std::cos(2 * std::numbers::pi * draws(1));
    return mean * std::exp(sigma * normal - sigma * sigma / 2);
  }
  return mean;
}

void keep_busy(double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
  }
}

class Synthetic final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const Draws draws(point);
    const double cost = drawn_cost(point, draws);
    if (cost > 0) keep_busy(cost);
    if (draws(2) < point.real(kFailureRate)) {
      throw PointError(fmt::format("point {} was drawn to fail", point.integer(kIndex)));
    }
    if (draws(3) < point.real(kInfeasibleRate)) {
      record.status = Status::infeasible;
      record.message = fmt::format("point {} was drawn to be infeasible", point.integer(kIndex));
      return;
    }
    record.metrics[0] = cost;
    record.metrics[1] = draws(4);
    record.metrics[2] = fmt::format("{}{}", point.text(kTag), point.integer(kIndex));
    for (std::int64_t row = 0; row < point.integer(kRows); ++row) {
      auto& cells = record.tables[0];
      cells.emplace_back(row);
      cells.emplace_back(draws(5 + static_cast<std::uint64_t>(row)));
      cells.emplace_back(fmt::format("row {}", row));
    }
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point&) override { return {}; }

  void explain(const Point& point, Explanation& explanation) override {
    const Draws draws(point);
    auto& section = explanation.section("draws");
    section.lines.push_back({"cost", fmt::format("{} s", drawn_cost(point, draws)), point.text(kCostDistribution)});
    section.lines.push_back({"failure draw", fmt::format("{}", draws(2)), "fails if below failure_rate"});
    section.lines.push_back({"infeasible draw", fmt::format("{}", draws(3)), "infeasible if below infeasible_rate"});
  }

 private:
  Schema schema_ = make_schema();
};

}  // namespace

std::unique_ptr<System> make_synthetic(const std::string&) { return std::make_unique<Synthetic>(); }

std::vector<PolicyInfo> synthetic_policies() { return {}; }

}  // namespace pimsweep
