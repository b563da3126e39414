// Table by_operator beside measured kernels (results/reference/gpu-llm).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "../../hardware/reference.h"
#include "llm_points.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using systems::Record;
using systems::Status;
using test::Reference;

namespace {

const std::string folder = "results/reference/gpu-llm/";

/// Operators that a measured row is the mean of.
const std::map<std::string, std::vector<std::string>> operators_of_layer{{"embedding", {"embedding"}},
                                                                         {"layernorm", {"attention_norm", "ffn_norm"}},
                                                                         {"final_layernorm", {"final_norm"}},
                                                                         {"qk_norm", {"query_norm", "key_norm"}},
                                                                         {"rotary_emb", {"rotary"}},
                                                                         {"act_fn", {"ffn_activation"}},
                                                                         {"qkv_proj", {"qkv"}},
                                                                         {"o_proj", {"output"}},
                                                                         {"gate_up_proj", {"ffn_up"}},
                                                                         {"down_proj", {"ffn_down"}},
                                                                         {"lm_head", {"head"}},
                                                                         {"sampler", {"sampling"}}};

/// Steps on the measured GPUs, each evaluated once.
class MeasuredGpus {
 public:
  /// Seconds of an operator, once on one GPU, in a decode step of `batch` sequences.
  double seconds(const Reference& rows, std::size_t row, std::int64_t batch, std::int64_t context,
                 const std::string& name) {
    const auto key = std::tuple(rows.text(row, "card"), rows.text(row, "model"), rows.integer(row, "tensor_parallel"),
                                batch, context);
    auto found = steps_.find(key);
    if (found == steps_.end()) found = steps_.emplace(key, step(rows, row, batch, context)).first;
    return found->second.at(name);
  }

 private:
  using Step = std::map<std::string, double>;

  Step step(const Reference& rows, std::size_t row, std::int64_t batch, std::int64_t context) {
    SystemPoints& points = rows.text(row, "card") == "RTX 4090" ? rtx_4090_ : rtx_pro_6000_;
    const std::string model = rows.text(row, "model") == "Llama-3.1-8B" ? "llama-3.1-8b" : "qwen3-30b-a3b";
    const Record record = points.record({{"model", Value{model}},
                                         {"policy", text("gpu")},
                                         {"tensor_parallel", integer(rows.integer(row, "tensor_parallel"))},
                                         {"hardware.gpu.count", integer(2)},
                                         {"hardware.gpu.memory.capacity", Value{1e15}},
                                         {"batch", integer(batch)},
                                         {"context", integer(context)}});
    INFO(record.message);
    REQUIRE(record.status == Status::ok);
    const std::vector<Value> names = points.column(record, "by_operator", "operator");
    const std::vector<Value> times = points.column(record, "by_operator", "times");
    const std::vector<Value> seconds = points.column(record, "by_operator", "gpu_time");
    Step step;
    for (std::size_t i = 0; i < names.size(); ++i) {
      step[std::get<std::string>(names[i])] = to_real(seconds[i]) / to_real(times[i]);
    }
    return step;
  }

  SystemPoints rtx_4090_ = points_on("gpu-rtx-4090");
  SystemPoints rtx_pro_6000_ = points_on("gpu-rtx-pro-6000");
  std::map<std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::int64_t>, Step> steps_;
};

/// Errors |modeled / measured - 1| by layer.
using Errors = std::map<std::string, std::vector<double>>;

void add_errors(MeasuredGpus& gpus, const std::string& file, const std::string& tokens, Errors& errors) {
  const Reference rows(folder + file);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::string& layer = rows.text(row, "layer");
    // Rows of two GPUs have all heads on each.
    if (layer == "qk_norm" && rows.integer(row, "tensor_parallel") > 1) continue;
    const std::vector<std::string>& names = operators_of_layer.at(layer);
    double seconds = 0;
    for (const std::string& name : names) seconds += gpus.seconds(rows, row, rows.integer(row, tokens), 1, name);
    errors[layer].push_back(
        std::abs(seconds / static_cast<double>(names.size()) / (rows.real(row, "time_us") * 1e-6) - 1));
  }
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

TEST_CASE("each operator of a step takes the time that was measured for its kernel") {
  MeasuredGpus gpus;
  Errors errors;
  add_errors(gpus, "dense.csv", "tokens", errors);
  add_errors(gpus, "per_sequence.csv", "sequences", errors);
  const Reference decode(folder + "decode.csv");
  for (std::size_t row = 0; row < decode.size(); ++row) {
    // The new token attends to itself too.
    const std::int64_t context = decode.integer(row, "context") - 1;
    const double seconds = gpus.seconds(decode, row, decode.integer(row, "sequences"), context, "attention");
    errors["decode attention"].push_back(std::abs(seconds / (decode.real(row, "time_us") * 1e-6) - 1));
  }
  CHECK(errors.size() == operators_of_layer.size() + 1);
  for (const auto& [layer, all] : errors) {
    CAPTURE(layer, all.size(), median(all));
    const std::map<std::string, double> higher_limits{{"embedding", 0.16}, {"sampler", 0.14}, {"act_fn", 0.12}};
    const auto higher = higher_limits.find(layer);
    CHECK(median(all) <= (higher == higher_limits.end() ? 0.10 : higher->second));
  }
}
