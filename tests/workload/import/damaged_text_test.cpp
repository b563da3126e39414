// Damaged configurations and layer tables are refused or read, but never more.
#include <catch2/catch.hpp>
#include <ctime>
#include <random>
#include <string>

#include "base/error.h"
#include "base/posix_file.h"
#include "workload/import/formats.h"

namespace pimsweep::workload {

namespace {

const std::string seeds = "tests/workload/import/networks/";

/// Changes, drops, doubles or inserts a few bytes, or a word that reaches further than random bytes do.
std::string damaged(std::string text, std::mt19937& random) {
  static const std::vector<std::string> words{"0",       "-1",         "9223372036854775807",
                                              "1e308",   "1000000000", "null",
                                              "[[[[",    "{",          "\"",
                                              ",",       "\n",         "DP",
                                              "true",    "[]",         "yes",
                                              "no",      "1:2",        ":",
                                              "\\u0000", "16384"};
  const auto below = [&](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  for (std::size_t edits = 1 + below(4); edits > 0 && !text.empty(); --edits) {
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(8);
    switch (below(4)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      default:
        text.replace(at, length, words[below(words.size())]);
    }
  }
  return text;
}

template <typename Read>
void read_damaged(const std::string& file, const Read& read) {
  const std::string whole = read_file(seeds + file);
  std::mt19937 random(18);
  int sound = 0;
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 1500; ++i) {
    const std::string text = damaged(whole, random);
    CAPTURE(file, i, text);
    const std::clock_t start = std::clock();
    try {
      const Model model = read(text, import::NetworkSource{"net", "", {}});
      const OperatorGraph graph = model.architecture->graph(model.default_size);
      for (const std::string& defect : graph.defects()) FAIL_CHECK(defect);
      CHECK(graph.macs() > 0);
      ++sound;
    } catch (const InputError&) {
    } catch (const PointError&) {
    }
    CHECK(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC < 2);
    if (static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC > 4) break;
  }
  CHECK(sound > 0);
}

}  // namespace

TEST_CASE("Damaged configurations are refused or read, but never more", "[import]") {
  for (const std::string folder : {"bert-base-uncased", "vit-base-patch16-224", "swin-tiny-patch4-window7-224"}) {
    read_damaged(folder + "/config.json", import::read_json_network);
  }
}

TEST_CASE("Damaged layer tables are refused or read, but never more", "[import]") {
  for (const std::string name : {"resnet-18-topology", "encoder-gemm", "attention-products"}) {
    read_damaged(name + ".csv", import::read_csv_network);
  }
}

}  // namespace pimsweep::workload
