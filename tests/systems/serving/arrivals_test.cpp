#include "systems/serving/arrivals.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/error.h"
#include "base/posix_file.h"
#include "systems/serving/engine/simulation.h"
#include "systems/serving/engine/vllm.h"

using namespace pimsweep;
using namespace pimsweep::systems::serving;
using engine::Request;

namespace {

workload::decoder::Tables traces() {
  return workload::decoder::Tables({ConfigFolder{.path = "results/reference/serving"}});
}

std::vector<Request> requests_of(const Traffic& traffic) {
  workload::decoder::Tables tables = traces();
  std::vector<Request> requests;
  make_requests(traffic, tables, requests);
  return requests;
}

/// Mean and variance over mean squared of the gaps between arrivals.
std::pair<double, double> gaps_of(const std::vector<Request>& requests) {
  double sum = 0;
  double squares = 0;
  double last = 0;
  for (const Request& request : requests) {
    const double gap = request.arrival - last;
    last = request.arrival;
    sum += gap;
    squares += gap * gap;
  }
  const auto count = static_cast<double>(requests.size());
  const double mean = sum / count;
  return {mean, squares / count / (mean * mean) - 1};
}

}  // namespace

TEST_CASE("Random arrivals have their rate and burstiness", "[serving]") {
  const auto [mean, variance] = gaps_of(requests_of({.request_rate = 4, .requests = 20000}));
  CHECK(mean == Approx(0.25).epsilon(0.03));
  CHECK(variance == Approx(1).epsilon(0.05));
  for (const double shape : {0.25, 1.0, 8.0}) {
    CAPTURE(shape);
    const auto [gap, spread] =
        gaps_of(requests_of({.arrivals = Arrivals::gamma, .request_rate = 4, .burstiness = shape, .requests = 20000}));
    CHECK(gap == Approx(0.25).epsilon(0.05));
    CHECK(spread == Approx(1 / shape).epsilon(0.1));
  }
}

TEST_CASE("A rate scales arrivals, and a seed changes them", "[serving]") {
  const std::vector<Request> slow = requests_of({.request_rate = 1, .requests = 50});
  const std::vector<Request> fast = requests_of({.request_rate = 4, .requests = 50});
  const std::vector<Request> other = requests_of({.request_rate = 1, .seed = 2, .requests = 50});
  for (std::size_t i = 0; i < slow.size(); ++i) CHECK(slow[i].arrival == Approx(4 * fast[i].arrival));
  CHECK(slow[10].arrival != other[10].arrival);
}

TEST_CASE("A trace gives arrivals, lengths and shared prefixes", "[serving]") {
  const std::vector<Request> run =
      requests_of({.arrivals = Arrivals::trace, .trace = "rtx4090-llama-3.1-8b", .requests = 0});
  REQUIRE(run.size() == 300);
  CHECK(run[1].arrival == 0.265091);
  CHECK(run[1].input == 1034);
  CHECK(run[1].output == 769);
  CHECK(offered_rate(run) == Approx(299 / run.back().arrival));
  // Scaled to twice the rate.
  const std::vector<Request> scaled = requests_of({.arrivals = Arrivals::trace,
                                                   .request_rate = 2 * offered_rate(run),
                                                   .trace = "rtx4090-llama-3.1-8b",
                                                   .requests = 0});
  CHECK(scaled[1].arrival == Approx(0.265091 / 2));
  // Random arrivals use the lengths again from the first one.
  const std::vector<Request> again = requests_of({.request_rate = 1, .trace = "rtx4090-llama-3.1-8b", .requests = 301});
  CHECK(again[300].input == run[0].input);
}

TEST_CASE("A prefix may be shared with the first request", "[serving]") {
  const std::vector<Request> requests =
      requests_of({.request_rate = 1, .requests = 3, .input_tokens = 100, .shared_prefix_share = 0.5});
  CHECK(requests[0].shared_prefix == 0);
  CHECK(requests[2].shared_prefix == 50);
  CHECK(requests[2].shared_with == 0);
}

TEST_CASE("Settings that contradict each other are errors", "[serving]") {
  CHECK_THROWS_WITH(requests_of({}), Catch::Contains("request_rate is 0, but poisson arrivals need a rate above 0"));
  CHECK_THROWS_WITH(requests_of({.arrivals = Arrivals::trace}), Catch::Contains("need a 'trace'"));
  CHECK_THROWS_WITH(requests_of({.arrivals = Arrivals::closed_loop}), Catch::Contains("max_concurrency is 0"));
  CHECK_THROWS_WITH(requests_of({.request_rate = 1, .requests = 0}), Catch::Contains("requests is 0"));
  CHECK_THROWS_WITH(requests_of({.arrivals = Arrivals::trace, .trace = "azure-2023-cov"}),
                    Catch::Contains("no table 'azure-2023-cov.csv'") && Catch::Contains("azure-2023-conv"));
  CHECK_THROWS_WITH(requests_of({.arrivals = Arrivals::trace, .trace = "azure-2023-conv", .requests = 3000}),
                    Catch::Contains("requests is 3000, but trace 'azure-2023-conv' has 2000"));
}

TEST_CASE("Tables of requests with faulty times and prefixes are errors with places", "[serving]") {
  using workload::decoder::read_requests;
  CHECK_THROWS_WITH(read_requests("arrival_s,input,output\n1,2,3\n0.5,2,3\n", "t.csv"),
                    Catch::Contains("t.csv:3:1") && Catch::Contains("arrives 0.5 s before"));
  CHECK_THROWS_WITH(read_requests("arrival_s,input,output\nsoon,2,3\n", "t.csv"), Catch::Contains("t.csv:2:1: 'soon'"));
  CHECK_THROWS_WITH(read_requests("TIMESTAMP,input,output\n2023-13-01 1:2:3,2,3\n", "t.csv"),
                    Catch::Contains("expected a date and a time"));
  CHECK_THROWS_WITH(read_requests("input,output,shared_prefix_tokens,shared_with\n4,2,0,\n4,2,4,1\n", "t.csv"),
                    Catch::Contains("t.csv:3:7"));
  CHECK_THROWS_WITH(read_requests("input,output\n", "t.csv"), Catch::Contains("t.csv:2:1"));
  const auto azure = read_requests(
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 23:59:59.5,374,44\n2023-11-17 00:00:01.25,396,109\n",
      "t.csv");
  CHECK(azure[1].arrival == Approx(1.75));
  const auto lines = read_requests(
      "{\"input_toks\": 12, \"output_toks\": 34, \"arrival_time_ns\": 500}\n"
      "{\"input_toks\": 12, \"output_toks\": 34, \"arrival_time_ns\": 2500}\n",
      "t.jsonl");
  CHECK(lines[1].arrival == Approx(2e-6));
}

// NeuPIMs' artifact has the channel of each of 512 requests of ShareGPT on 32 channels; the table has the batches of
// docs/serving.md.
TEST_CASE("Requests that stay in their channels fill them about as unevenly as those of NeuPIMs", "[serving]") {
  constexpr std::size_t channels = 32;
  const auto imbalance = [](const std::vector<double>& loads) {
    double sum = 0;
    for (const double load : loads) sum += load;
    return std::ranges::max(loads) * static_cast<double>(channels) / sum;
  };
  const std::string name = "results/reference/serving/neupims-sharegpt-channels.csv";
  const CsvTable table = parse_csv(read_file(name), name);
  std::map<std::string, std::map<std::string, std::vector<double>>> batches;
  for (const auto& row : table.rows) {
    const auto cell = [&](const char* column) { return row[static_cast<std::size_t>(table.column(column))].text; };
    std::vector<double>& loads = batches[cell("policy")][cell("batch")];
    loads.resize(channels);
    loads.at(std::stoul(cell("channel"))) += std::stod(cell("context"));
  }
  // Contexts with about the same mean and deviation. The traces are somewhat less even.
  const std::vector<Request> requests = requests_of({.arrivals = Arrivals::closed_loop,
                                                     .max_concurrency = 512,
                                                     .requests = 3000,
                                                     .lengths = Lengths::log_normal,
                                                     .input_tokens = 120,
                                                     .output_tokens = 150,
                                                     .length_sigma = 0.9});
  const auto simulated = [&](engine::Placement placement) {
    engine::VllmScheduler scheduler;
    engine::Outcome outcome;
    double fullest = 0;
    double mean = 0;
    engine::simulate(
        requests,
        {.max_sequences = 512,
         .blocks = 1 + 2000 * static_cast<std::int64_t>(channels),
         .prefix_caching = false,
         .pools = channels,
         .placement = placement},
        {.max_concurrency = 512}, scheduler,
        [&](const engine::Step& step) {
          std::vector<double> loads(channels, 0);
          for (const engine::Work& work : step.works) {
            if (!work.is_prompt()) loads[static_cast<std::size_t>(work.pool)] += work.context;
          }
          // Steps as full as the batches of the table.
          if (step.works.size() < 500) return 1.0;
          for (const double load : loads) mean += load / static_cast<double>(channels);
          fullest += std::ranges::max(loads);
          return 1.0;
        },
        outcome);
    return fullest / mean;
  };
  const auto compare = [&](const char* policy, engine::Placement placement) {
    double sum = 0;
    for (const auto& [batch, loads] : batches[policy]) sum += imbalance(loads);
    CHECK(batches[policy].size() == 3);
    CAPTURE(policy);
    CHECK(simulated(placement) == Approx(sum / 3).epsilon(0.2));
  };
  compare("clb", engine::Placement::min_tokens);
  compare("rr", engine::Placement::round_robin);
}
