#include "workload/decoder/requests.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "base/error.h"
#include "workload/decoder/tables.h"

namespace pimsweep::workload::decoder {

TEST_CASE("drawn lengths have the mean and spread that they are drawn with") {
  std::vector<std::int64_t> lengths;
  draw_lengths({.mean = 1000, .sigma = 0.8, .seed = 1}, 40000, lengths);
  double sum = 0;
  double log_sum = 0;
  double log_squares = 0;
  for (const std::int64_t length : lengths) {
    CHECK(length >= 1);
    sum += static_cast<double>(length);
    log_sum += std::log(static_cast<double>(length));
    log_squares += std::pow(std::log(static_cast<double>(length)), 2);
  }
  const auto count = static_cast<double>(lengths.size());
  CHECK(sum / count == Approx(1000).epsilon(0.02));
  const double variance = log_squares / count - std::pow(log_sum / count, 2);
  CHECK(std::sqrt(variance) == Approx(0.8).epsilon(0.02));
}

TEST_CASE("a larger batch begins with the lengths of a smaller one, another seed has others") {
  std::vector<std::int64_t> few;
  std::vector<std::int64_t> many;
  std::vector<std::int64_t> others;
  draw_lengths({.mean = 500, .sigma = 1, .seed = 7}, 10, few);
  draw_lengths({.mean = 500, .sigma = 1, .seed = 7}, 100, many);
  draw_lengths({.mean = 500, .sigma = 1, .seed = 8}, 10, others);
  CHECK(std::equal(few.begin(), few.end(), many.begin()));
  CHECK(few != others);
  draw_lengths({.mean = 500, .sigma = 0, .seed = 7}, 10, few);
  CHECK(few == std::vector<std::int64_t>(10, 500));
  draw_lengths({.mean = 1e6, .sigma = 5, .seed = 7}, 1000, many);
  CHECK(*std::max_element(many.begin(), many.end()) == 1 << 24);
}

TEST_CASE("contexts of requests lie between prompt and end, and fill the outputs evenly") {
  const std::vector<Request> requests{{.input = 10, .output = 100}, {.input = 1000, .output = 1}};
  std::vector<std::int64_t> contexts;
  generating_contexts(requests, 2000, contexts);
  double generated = 0;
  for (std::size_t i = 0; i < contexts.size(); i += 2) {
    CHECK(contexts[i] >= 10);
    CHECK(contexts[i] < 110);
    CHECK(contexts[i + 1] == 1000);
    generated += static_cast<double>(contexts[i] - 10);
  }
  CHECK(generated / 1000 == Approx(49.5).margin(1));
  prompt_lengths(requests, 3, contexts);
  CHECK(contexts == std::vector<std::int64_t>{10, 1000, 10});
}

TEST_CASE("tables of requests and shares are read, and say what is wrong where") {
  const std::vector<Request> requests = read_requests("input,output\n80,296\n12,56\n", "r.csv");
  REQUIRE(requests.size() == 2);
  CHECK(requests[1].output == 56);
  CHECK(read_shares("expert,share\n0,0.5\n1,2\n", "s.csv") == std::vector<double>{0.5, 2});
  CHECK_THROWS_WITH(read_requests("input,output\n80,0\nx,3\n", "r.csv"),
                    Catch::Contains("r.csv:2:4: '0': expected a number from 1") && Catch::Contains("r.csv:3:1: 'x'"));
  CHECK_THROWS_WITH(read_requests("input,out\n80,1\n", "r.csv"),
                    Catch::Contains("no column is called output, GeneratedTokens"));
  // Azure, Vidur, vLLM, and lines of JSON.
  for (const std::string text :
       {"TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:17:03.97,374,44\n",
        "arrived_at,num_prefill_tokens,num_decode_tokens\n0.0,374,44\n", "prompt_len,output_len\n374,44\n",
        "{\"input_toks\": 374, \"output_toks\": 44, \"arrival_time_ns\": 0}\n"}) {
    CAPTURE(text);
    const std::vector<Request> trace = read_requests(text, "trace");
    REQUIRE(trace.size() == 1);
    CHECK(trace[0].input == 374);
    CHECK(trace[0].output == 44);
  }
  CHECK_THROWS_WITH(read_requests("{\"input_toks\": 3, \"output_toks\": 0}\n{\"x\": 1}\nno\n", "t.jsonl"),
                    Catch::Contains("t.jsonl:1:1: 'output_toks' is the integer 0") &&
                        Catch::Contains("t.jsonl:2:1: expected one of the keys input") &&
                        Catch::Contains("t.jsonl:3:1"));
  CHECK_THROWS_WITH(read_shares("share\n", "s.csv"), Catch::Contains("no row"));
  CHECK_THROWS_WITH(read_shares("share\n-1\n", "s.csv"), Catch::Contains("s.csv:2:1: '-1'"));
  CHECK_THROWS_WITH(read_shares("share\nnan\n", "s.csv"), Catch::Contains("'nan'"));
}

TEST_CASE("a table that no folder has is an error that names it and what there is") {
  Tables tables(ConfigFolders("configs").models);
  CHECK_THROWS_AS(tables.requests("nothing"), PointError);
  CHECK_THROWS_WITH(tables.content("../hardware/attacc-clocks"), Catch::Contains("no table"));
}

}  // namespace pimsweep::workload::decoder
