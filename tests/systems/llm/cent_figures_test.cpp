// CENT's phases (results/reference/cent-phases.csv) and the bars of its Figures 13 to 15 (results/published/cent.csv),
// each from our tokens and the GPU's measured values (results/reference/cent-gpu-measured.csv).
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

#include "hardware/reference.h"
#include "systems/llm/cent_machine.h"
#include "systems/llm/step/cent/token.h"

using namespace pimsweep;
using namespace pimsweep::systems::llm::step::cent;

namespace {

constexpr std::int64_t inputs = 512;
constexpr std::int64_t outputs = 3584;
constexpr std::int64_t step = 128;

struct Model {
  Shape shape;
  std::int64_t devices;
};

Model model_of(const std::string& name) {
  if (name == "llama-2-7b") return {test::llama_2_7b(), 8};
  if (name == "llama-2-13b") return {test::llama_2_13b(), 20};
  return {test::llama_2_70b(), 32};
}

Phase phase_on(const Model& model, Mapping mapping, std::int64_t group, const Positions& positions) {
  const Machine machine = test::cent_machine(model.devices);
  const Layout layout = layout_of(model.shape, machine, mapping, group);
  return phase(model.shape, machine, layout, positions, artifact_faults);
}

Positions positions_of(const std::string& name) {
  if (name == "prefill") return {0, inputs, step};
  if (name == "decoding") return {inputs, inputs + outputs, step};
  return {0, inputs + outputs, step};
}

Phase pipeline(const std::string& model, const std::string& name) {
  return phase_on(model_of(model), Mapping::pipeline, 1, positions_of(name));
}

/// The measured GPU's value.
double measured(const std::string& quantity, const std::string& model, const std::string& phase_name,
                std::int64_t prompt = inputs) {
  const test::Reference rows("results/reference/cent-gpu-measured.csv");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const bool same_prompt = rows.integer(row, "inputs") == prompt;
    if (same_prompt && rows.text(row, "quantity") == quantity && rows.text(row, "model") == model &&
        rows.text(row, "phase") == phase_name) {
      return rows.real(row, "value");
    }
  }
  throw std::runtime_error("no measured " + quantity);
}

/// Values of a figure by id, each of which is asked for once.
class Bars {
 public:
  explicit Bars(const std::string& prefix) {
    const test::Reference rows("results/published/cent.csv");
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::string& id = rows.text(row, "id");
      if (id.starts_with(prefix)) values_[id] = rows.real(row, "value");
    }
  }

  void check(const std::string& id, double value) {
    CAPTURE(id, value);
    REQUIRE(values_.contains(id));
    CHECK(value == Approx(values_.at(id)).epsilon(0.005));
    values_.erase(id);
  }
  bool all_checked() const { return values_.empty(); }

 private:
  std::map<std::string, double> values_;
};

const std::map<std::string, std::string> short_names{
    {"llama-2-7b", "7b"}, {"llama-2-13b", "13b"}, {"llama-2-70b", "70b"}};
constexpr std::array phase_names{"prefill", "decoding", "query"};

}  // namespace

TEST_CASE("every phase of CENT within 1 %") {
  const test::Reference rows("results/reference/cent-phases.csv");
  REQUIRE(rows.size() == 36);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Mapping mapping = rows.text(row, "mapping") == "tensor" ? Mapping::tensor : Mapping::pipeline;
    const Phase result = phase_on(model_of(rows.text(row, "model")), mapping, rows.integer(row, "tensor_parallel"),
                                  positions_of(rows.text(row, "phase")));
    CAPTURE(row);
    CHECK(result.time == Approx(rows.real(row, "time_s")).epsilon(0.006));
    CHECK(result.tokens_per_second == Approx(rows.real(row, "tokens_per_second")).epsilon(0.006));
    CHECK(result.energy * 1e3 == Approx(rows.real(row, "energy_mJ")).epsilon(1e-4));
    CHECK(result.power == Approx(rows.real(row, "power_W")).epsilon(0.009));
  }
}

TEST_CASE("Figure 13a: time of a query on one GPU system over that on all devices as one stage") {
  Bars bars("cent-fig13a");
  for (const auto& [model, name] : short_names) {
    const Model on = model_of(model);
    const Phase query = phase_on(on, Mapping::tensor, on.devices, positions_of("query"));
    bars.check("cent-fig13a-" + name, measured("time of a query", model, "query") / query.time);
  }
  CHECK(bars.all_checked());
}

TEST_CASE("Figures 13b and 15c: rate and efficiency of a pipeline over the GPU's") {
  Bars rates("cent-fig13b");
  Bars efficiencies("cent-fig15c");
  double rate_product = 1;
  double efficiency_product = 1;
  for (const auto& [model, name] : short_names) {
    for (const std::string phase_name : phase_names) {
      const Phase result = pipeline(model, phase_name);
      const double rate = result.tokens_per_second / measured("tokens per second", model, phase_name);
      const double efficiency = 1 / result.energy / measured("tokens per joule", model, phase_name);
      rates.check("cent-fig13b-" + phase_name + "-" + name, rate);
      efficiencies.check("cent-fig15c-" + phase_name + "-" + name, efficiency);
      if (phase_name != "query") continue;
      rate_product *= rate;
      efficiency_product *= efficiency;
    }
  }
  rates.check("cent-fig13b-geomean", std::cbrt(rate_product));
  efficiencies.check("cent-fig15c-geomean", std::cbrt(efficiency_product));
  CHECK(rates.all_checked());
  CHECK(efficiencies.all_checked());
}

TEST_CASE("Figure 14a: decoding at the middle of 3584 outputs at the end of a context") {
  Bars bars("cent-fig14a");
  const Model on = model_of("llama-2-70b");
  const Machine machine = test::cent_machine(on.devices);
  const Layout layout = layout_of(on.shape, machine, Mapping::pipeline, 1);
  for (const std::int64_t context : {4096, 8192, 16384, 32768}) {
    const double gpu = measured("tokens per second", "llama-2-70b", "decoding", context - outputs);
    const Token middle = token(on.shape, machine, layout, context - outputs / 2, artifact_faults);
    bars.check("cent-fig14a-" + std::to_string(context / 1024) + "k", middle.tokens_per_second / gpu);
  }
  CHECK(bars.all_checked());
}

TEST_CASE("Figures 14b and 14c: queries with as many requests in flight as stages, and parts of their time") {
  Bars queries("cent-fig14b-cent");
  Bars parts("cent-fig14c");
  const Model on = model_of("llama-2-70b");
  constexpr double minute = 60;
  constexpr auto tokens = static_cast<double>(inputs + outputs);
  for (const std::int64_t stages : {80, 16, 8, 4, 2, 1}) {
    const bool is_pipeline = stages == on.shape.blocks;
    const Phase query = is_pipeline ? pipeline("llama-2-70b", "query")
                                    : phase_on(on, Mapping::tensor, on.devices / stages, positions_of("query"));
    const std::string id = "cent-fig14b-cent-" + std::to_string(stages);
    queries.check(id + "-rate", query.tokens_per_second * minute / tokens);
    queries.check(id + "-time", query.time / minute);

    const std::string part = "cent-fig14c-" + std::to_string(stages);
    double pim = query.pim_time;
    double near_memory = query.near_memory_time;
    if (is_pipeline) {
      // The mean of this bar is that of all of the artifact's rows, three long contexts (Figure 14a) among them.
      constexpr double rows = static_cast<double>((inputs + outputs) / step);
      double long_pim = 0;
      double long_near_memory = 0;
      for (const std::int64_t context : {6400, 14592, 30976}) {
        const Phase one = phase_on(on, Mapping::pipeline, 1, {context - 1, context, 1});
        long_pim += one.pim_time;
        long_near_memory += one.near_memory_time;
      }
      pim = (rows * pim + long_pim) / (rows + 3);
      near_memory = (rows * near_memory + long_near_memory) / (rows + 3);
    }
    parts.check(part + "-pim", pim * tokens / minute);
    parts.check(part + "-link", query.link_time * tokens / minute);
    parts.check(part + "-near-memory", near_memory * tokens / minute);
    parts.check(part + "-host", test::cent_machine(on.devices).host_time * tokens / minute);
  }
  CHECK(queries.all_checked());
  CHECK(parts.all_checked());
}

TEST_CASE("Figure 14d: prefill and decoding of some outputs in a pipeline") {
  Bars bars("cent-fig14d-cent");
  const Model on = model_of("llama-2-70b");
  constexpr double minute = 60;
  bars.check("cent-fig14d-cent-prefill", pipeline("llama-2-70b", "prefill").time / minute);
  for (const std::int64_t tokens : {128, 512, 1024, 3584}) {
    const Phase decoding = phase_on(on, Mapping::pipeline, 1, {inputs, inputs + tokens, step});
    bars.check("cent-fig14d-cent-decoding-" + std::to_string(tokens), decoding.time / minute);
  }
  CHECK(bars.all_checked());
}

TEST_CASE("Figure 15a: power of a pipeline") {
  Bars bars("cent-fig15a-cent");
  for (const auto& [model, name] : short_names) {
    for (const std::string phase_name : phase_names) {
      bars.check("cent-fig15a-cent-" + phase_name + "-" + name, pipeline(model, phase_name).power);
    }
  }
  CHECK(bars.all_checked());
}
