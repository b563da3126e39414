#include <fmt/format.h>
#include <time.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/parts/parts.h"

namespace pimsweep::systems::parts {

namespace {

enum class CostDistribution : std::uint8_t { constant, exponential, lognormal, loguniform };
enum class FailureKind : std::uint8_t { point_error, exception };

constexpr std::array distribution_words{
    Word{"constant", CostDistribution::constant}, Word{"exponential", CostDistribution::exponential},
    Word{"lognormal", CostDistribution::lognormal}, Word{"loguniform", CostDistribution::loguniform}};
constexpr std::array failure_words{Word{"point_error", FailureKind::point_error},
                                   Word{"exception", FailureKind::exception}};

/// A point of the system `synthetic`.
struct SyntheticSettings {
  CostDistribution distribution = CostDistribution::constant;
  double mean_cost = 0;
  double failure_rate = 0;
  FailureKind failure_kind = FailureKind::point_error;
  double infeasible_rate = 0;
  std::int64_t rows = 0;
  std::int64_t n = 0;
  std::string_view label;
  std::int64_t seed = 0;
};

struct SyntheticResult {
  double cost = 0;
  double checksum = 0;
  std::string tag;
};

struct DrawRow {
  std::int64_t draw = 0;
  double value = 0;
  std::string name;
};

void add_axes(AxisList& axes, SyntheticSettings& s) {
  constexpr double max_integer = 9e18;
  axes.choice(s.distribution, "cost_distribution", distribution_words,
              "distribution of costs around cost_mean; loguniform spreads them over four decades",
              CostDistribution::constant)
      .quantity(s.mean_cost, "cost_mean", "s", 0, 1e9, "mean processor time of a point", 0.0)
      .quantity(s.failure_rate, "failure_rate", "1", 0, 1, "share of the points that fail", 0.0)
      .choice(s.failure_kind, "failure_kind", failure_words,
              "kind of failure: refusal by the system (point_error) or an unexpected exception",
              FailureKind::point_error)
      .quantity(s.infeasible_rate, "infeasible_rate", "1", 0, 1, "share of the points that are infeasible", 0.0)
      .count(s.rows, "rows", 0, 1e6, "rows of the detail table", 0)
      .count(s.n, "n", 0, max_integer, "number that distinguishes points", 0)
      .text(s.label, "label", "text of the metric 'tag'", "")
      .count(s.seed, "seed", 0, max_integer, "seed of all random numbers", 0);
}

void add_metrics(ColumnList& metrics, const SyntheticResult& r) {
  metrics.quantity(r.cost, "cost", "s", "processor time sampled for the point")
      .quantity(r.checksum, "checksum", "1", "integer below 2^52 that depends on every axis")
      .text(r.tag, "tag", "label and checksum in hexadecimal");
}

void add_columns(ColumnList& columns, const DrawRow& row) {
  columns.count(row.draw, "draw", "number of the sample")
      .quantity(row.value, "value", "1", "uniformly distributed number in [0, 1)")
      .text(row.name, "name", "sampled number as text");
}

/// Independent uniform numbers in [0, 1), each a hash of the point and of the draw's number.
class Draws {
 public:
  explicit Draws(const Hash128& point) : hashed_{point.high, point.low, 0} {}

  std::uint64_t bits(std::uint64_t number) {
    hashed_[2] = number;
    return hash128({reinterpret_cast<const char*>(hashed_.data()), sizeof hashed_}).low >>
           12;  // 52 bits: exact as a double
  }

  double uniform(std::uint64_t number) { return static_cast<double>(bits(number)) * 0x1p-52; }

 private:
  /// Point and number.
  std::array<std::uint64_t, 3> hashed_;
};

enum DrawNumber : std::uint64_t {
  draw_checksum,
  draw_failure,
  draw_infeasible,
  draw_cost,
  draw_cost_second,
  draw_rows
};

double draw_point_cost(const SyntheticSettings& settings, Draws& draws) {
  const double mean = settings.mean_cost;
  switch (settings.distribution) {
    case CostDistribution::constant:
      break;
    case CostDistribution::exponential:
      return -mean * std::log1p(-draws.uniform(draw_cost));
    case CostDistribution::lognormal: {
      // Box-Muller with sigma = 1 and mu chosen for the requested mean.
      const double radius = std::sqrt(-2.0 * std::log1p(-draws.uniform(draw_cost)));
      const double normal = radius * std::cos(2.0 * std::numbers::pi * draws.uniform(draw_cost_second));
      return mean * std::exp(normal - 0.5);
    }
    case CostDistribution::loguniform: {
      // 10^(4 u) for uniform u has the mean (10^4 - 1) / ln 10^4.
      constexpr double decades = 4.0;
      const double spread = std::pow(10.0, decades);
      return mean * std::pow(spread, draws.uniform(draw_cost)) * std::log(spread) / (spread - 1.0);
    }
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

/// Label and checksum in hexadecimal: a good part of a point of no cost, so that it is not left to a general formatter.
void write_tag(std::string_view label, std::uint64_t checksum, std::string& tag) {
  constexpr int hexadecimal = 16;
  std::array<char, 2 * sizeof checksum> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), checksum, hexadecimal).ptr;
  tag.assign(label);
  tag.push_back('-');
  tag.append(digits.data(), end);
}

class SyntheticSystem final : public System {
 public:
  SyntheticSystem() {
    add_axes(axes_, axes_.layout());
    add_metrics(metrics_, metrics_.layout());
    add_columns(detail_, detail_.layout());
    schema_.name = "synthetic";
    schema_.main_metrics = {"cost"};
    schema_.doc = "Busy work of a chosen cost, to measure and test the driver";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
    detail_.attach(schema_);
    hasher_.emplace(*this);
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const SyntheticSettings settings = axes_.read(point);
    Draws draws((*hasher_)(point));
    SyntheticResult result;
    result.cost = draw_point_cost(settings, draws);
    be_busy(result.cost);
    if (draws.uniform(draw_failure) < settings.failure_rate) {
      const std::string message = fmt::format("sampled to fail (n = {})", settings.n);
      if (settings.failure_kind == FailureKind::exception) throw std::runtime_error(message);
      throw PointError(message);
    }
    if (draws.uniform(draw_infeasible) < settings.infeasible_rate) {
      record.status = Status::infeasible;
      record.message = fmt::format("sampled to be infeasible (n = {})", settings.n);
      return;
    }
    const std::uint64_t checksum = draws.bits(draw_checksum);
    result.checksum = static_cast<double>(checksum);
    write_tag(settings.label, checksum, result.tag);
    metrics_.write(result, record);
    for (std::int64_t row = 0; row < settings.rows; ++row) {
      const double value = draws.uniform(draw_rows + static_cast<std::uint64_t>(row));
      detail_.add({row, value, fmt::format("{:.3f}", value)}, record);
    }
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  std::optional<double> expected_seconds(const Point& point) override {
    const SyntheticSettings settings = axes_.read(point);
    if (settings.mean_cost <= 0.0) return std::nullopt;
    Draws draws((*hasher_)(point));
    return draw_point_cost(settings, draws);
  }

  void explain(const Point& point, Explanation& explanation) override {
    const SyntheticSettings settings = axes_.read(point);
    Draws draws((*hasher_)(point));
    auto& lines = explanation.section("draws").lines;
    lines.push_back({"failure", fmt::format("{}", draws.uniform(draw_failure)), "fails if below failure_rate"});
    lines.push_back(
        {"infeasible", fmt::format("{}", draws.uniform(draw_infeasible)), "infeasible if below infeasible_rate"});
    lines.push_back({"cost", fmt::format("{} s", draw_point_cost(settings, draws)), "processor time of the point"});
  }

 private:
  AxisTable<SyntheticSettings> axes_;
  MetricTable<SyntheticResult> metrics_;
  RowTable<DrawRow> detail_{"detail", "numbers sampled for the point"};
  Schema schema_;
  /// Made last, as it reads the schema.
  std::optional<IdentityHasher> hasher_;
};

}  // namespace

std::unique_ptr<System> make_synthetic(const ConfigFolders& /*configs*/) { return std::make_unique<SyntheticSystem>(); }

}  // namespace pimsweep::systems::parts
