#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/hardware_file.h"
#include "systems/parts/parts.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

/// Evaluates points on one of configs/hardware (tests run in the source tree's root).
class Card {
 public:
  using Axes = std::map<std::string, Value>;

  explicit Card(const std::string& name)
      : system_(make_kernel("configs")), hardware_(load_hardware(name, system_->schema(), "configs")) {}

  Record record(const Axes& axes) {
    std::vector<Value> all;
    for (const Axis& axis : system_->schema().axes) {
      const std::string prefix = "hardware.";
      const std::string key = axis.name.starts_with(prefix) ? axis.name.substr(prefix.size()) : "";
      if (const auto given = axes.find(axis.name); given != axes.end()) {
        all.push_back(given->second);
      } else if (const auto found = hardware_.constants.find(key); found != hardware_.constants.end()) {
        all.push_back(found->second.value);
      } else {
        all.push_back(axis.default_value.value());
      }
    }
    Point point(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) point.set(i, &all[i]);
    Record result;
    result.reset(system_->schema());
    system_->evaluate(point, result);
    return result;
  }

  double metric(const Record& record, const std::string& name) const {
    return std::get<double>(record.metrics.at(static_cast<std::size_t>(system_->schema().metric_index(name))));
  }
  double metric(const Axes& axes, const std::string& name) { return metric(record(axes), name); }
  const HardwareFile& hardware() const { return hardware_; }

 private:
  std::unique_ptr<System> system_;
  HardwareFile hardware_;
};

std::int64_t n(std::int64_t value) { return value; }
std::string t(const char* value) { return value; }

Card::Axes gemm(std::int64_t rows, std::int64_t columns, std::int64_t depth) {
  return {{"kind", t("gemm")}, {"M", n(rows)}, {"N", n(columns)}, {"K", n(depth)}};
}

Card::Axes convolution(const char* kind) {
  return {{"kind", t(kind)}, {"W", n(56)},       {"H", n(56)},       {"C", n(64)},    {"N", n(4)},
          {"K", n(128)},     {"filter_h", n(3)}, {"filter_w", n(3)}, {"pad_h", n(1)}, {"pad_w", n(1)}};
}

const std::vector<std::string> cards{"gpu-v100",     "gpu-p100",        "gpu-gtx-1080-ti", "gpu-t4",
                                     "gpu-rtx-2060", "gpu-rtx-2080-ti", "gpu-titan-v"};

}  // namespace

TEST_CASE("every GPU has its data sheet's peak rate") {
  // NVIDIA's data sheets, TFLOP/s of fp32.
  const std::map<std::string, double> peaks{{"gpu-v100", 15.7},   {"gpu-p100", 10.6},     {"gpu-gtx-1080-ti", 11.3},
                                            {"gpu-t4", 8.1},      {"gpu-rtx-2060", 6.45}, {"gpu-rtx-2080-ti", 13.45},
                                            {"gpu-titan-v", 14.9}};
  for (const std::string& name : cards) {
    Card card(name);
    const Record record = card.record(gemm(4096, 4096, 4096));
    const double peak = card.metric(record, "achieved_rate") / card.metric(record, "peak_share");
    INFO(name);
    CHECK(peak == Approx(peaks.at(name) * 1e12).epsilon(0.01));
    CHECK(card.metric(record, "peak_share") > 0.3);
    CHECK(card.metric(record, "peak_share") < 1);
  }
}

TEST_CASE("No card has more than three fitted constants") {
  for (const std::string& name : cards) {
    const Card card(name);
    int fitted = 0;
    for (const auto& [key, constant] : card.hardware().constants) fitted += !constant.calibrated_to.empty();
    INFO(name);
    CHECK(fitted <= 3);
  }
}

TEST_CASE("Power lies between idle and design power, and its parts add up") {
  for (const std::string& name : cards) {
    Card card(name);
    const auto constant = [&](const std::string& key) { return to_real(card.hardware().constants.at(key).value); };
    for (const Card::Axes& axes : {gemm(4096, 4096, 4096), gemm(64, 64, 64), convolution("conv"), convolution("pool"),
                                   convolution("depthwise"), convolution("elementwise")}) {
      const Record record = card.record(axes);
      INFO(name << " " << std::get<std::string>(axes.at("kind")));
      CHECK(card.metric(record, "power") > constant("power.idle"));
      CHECK(card.metric(record, "power") < constant("power.tdp"));
      CHECK(card.metric(record, "energy") ==
            Approx(card.metric(record, "idle_energy") + card.metric(record, "math_energy") +
                   card.metric(record, "cache_energy") + card.metric(record, "memory_energy")));
      CHECK(card.metric(record, "energy") == Approx(card.metric(record, "power") * card.metric(record, "time")));
    }
  }
}

TEST_CASE("Bandwidth goes with the memory channels left to the GPU") {
  Card card("gpu-rtx-2060");
  Card::Axes axes = convolution("elementwise");
  axes["N"] = n(1000);
  const double all = card.metric(axes, "time");
  const double launch = to_real(card.hardware().constants.at("fitted.launch").value);
  axes["memory_channels"] = n(24);
  CHECK(card.metric(axes, "time") == all);
  axes["memory_channels"] = n(6);
  CHECK(card.metric(axes, "time") - launch == Approx(4 * (all - launch)));
  axes["memory_channels"] = n(25);
  CHECK_THROWS_AS(card.record(axes), PointError);
}

TEST_CASE("times of kernels have the names of the sheets") {
  Card card("gpu-v100");
  const Record product = card.record(gemm(1024, 1024, 1024));
  CHECK(card.metric(product, "time_ms") == Approx(1e3 * card.metric(product, "time")));
  CHECK(std::isnan(card.metric(product, "forward_ms")));

  Card::Axes axes = convolution("conv");
  axes["pass"] = t("backward_weights");
  const Record layer = card.record(axes);
  CHECK(card.metric(layer, "backward_weights_ms") == Approx(1e3 * card.metric(layer, "time")));
  CHECK(card.metric(layer, "backward_total_ms") ==
        Approx(card.metric(layer, "backward_inputs_ms") + card.metric(layer, "backward_weights_ms")));
  CHECK(card.metric(layer, "operations") == 2.0 * 4 * 56 * 56 * 128 * 64 * 9);
}

TEST_CASE("a caveat says where no measured times support a result") {
  const auto caveat = [](const char* card_name, const Card::Axes& axes) {
    Card card(card_name);
    return std::get<std::string>(card.record(axes).metrics.back());
  };
  CHECK(caveat("gpu-v100", gemm(64, 64, 64)).empty());
  CHECK_THAT(caveat("gpu-v100", convolution("pool")), Catch::Contains("of this kind"));
  CHECK_THAT(caveat("gpu-rtx-2060", gemm(64, 64, 64)), Catch::Contains("of this GPU"));
  Card::Axes fewer = convolution("conv");
  fewer["memory_channels"] = n(16);
  CHECK_THAT(caveat("gpu-v100", fewer), Catch::Contains("fewer memory channels"));
  fewer["memory_channels"] = n(32);
  CHECK(caveat("gpu-v100", fewer).empty());
}

TEST_CASE("kernels that a GPU cannot compute are infeasible or refused") {
  Card pascal("gpu-p100");
  Card::Axes axes = gemm(64, 64, 64);
  axes["precision"] = t("fp16-in/tensor-mixed");
  const Record no_cores = pascal.record(axes);
  CHECK(no_cores.status == Status::infeasible);
  CHECK_THAT(no_cores.message, Catch::Contains("no tensor cores"));
  axes["precision"] = t("int8");
  CHECK(pascal.record(axes).status == Status::infeasible);

  axes = gemm(64, 64, 64);
  axes["device"] = t("Tesla T4");
  CHECK_THROWS_WITH(pascal.record(axes), Catch::Contains("measured on 'Tesla T4'") && Catch::Contains("where"));

  axes = gemm(64, 64, 64);
  axes["pass"] = t("backward_inputs");
  CHECK_THROWS_WITH(pascal.record(axes), Catch::Contains("only 'forward'"));

  axes = convolution("conv");
  axes["filter_h"] = n(59);
  CHECK_THROWS_WITH(pascal.record(axes), Catch::Contains("larger than the padded input"));
}
