#include <fmt/format.h>

#include <boost/random/sobol.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "fixture.h"
#include "sweep/sample_sequence.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;
using namespace pimsweep;

namespace {

using Texts = std::vector<std::string>;

const std::string plain_text = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\n";
const std::string machine_text =
    "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\nmodel = \"swin-b\"\n";
const Texts methods{"sobol", "lhs", "random"};

std::string sample(const std::string& method, std::uint64_t points, const std::string& ranges, int seed = 0) {
  return fmt::format("[study.sample]\nmethod = \"{}\"\npoints = {}\nseed = {}\n[study.sample.ranges]\n{}", method,
                     points, seed, ranges);
}

std::size_t axis(const Study& study, const std::string& name) {
  return static_cast<std::size_t>(study.schema().axis_index(name));
}

std::vector<double> reals(const Study& study, const std::string& name) {
  std::vector<double> values;
  Point point(study.schema().axes.size());
  for (std::uint64_t i = 0; i < study.size(); ++i) {
    study.point(i, point);
    values.push_back(point.real(axis(study, name)));
  }
  return values;
}

Study study_of(const Workplace& place, const std::string& text, PlanOptions options = {}) {
  return place.load(text, std::move(options)).studies.at(0);
}

std::vector<std::string> all_values(const Study& study) {
  Texts values;
  Point point(study.schema().axes.size());
  for (std::uint64_t i = 0; i < study.size(); ++i) {
    study.point(i, point);
    for (std::size_t k = 0; k < point.size(); ++k) values.push_back(to_text(point[k]));
  }
  return values;
}

}  // namespace

TEST_CASE("The Sobol sequence is Boost's, moved by an exclusive or") {
  const Texts axes{"a", "b", "c", "d", "e", "f", "g"};
  const auto sequences = sample_sequences(SampleMethod::sobol, 1000, "study", axes);
  boost::random::sobol engine(axes.size());
  for (std::uint64_t n = 1; n < 1000; ++n) {
    for (const SampleSequence& sequence : sequences) {
      const auto& numbers = std::get<SobolSequence>(sequence);
      CHECK((numbers(n) ^ numbers(0)) == engine());
    }
  }
}

TEST_CASE("Sobol points fill dyadic intervals and boxes equally") {
  const auto sequences = sample_sequences(SampleMethod::sobol, 1 << 12, "study", {"a", "b", "c"});
  for (unsigned k = 0; k <= 12; ++k) {
    for (const SampleSequence& sequence : sequences) {
      std::vector<int> points(std::size_t{1} << k, 0);
      for (std::uint64_t n = 0; n < points.size(); ++n) {
        ++points[k == 0 ? 0 : std::get<SobolSequence>(sequence)(n) >> (64 - k)];
      }
      CHECK(points == std::vector<int>(points.size(), 1));
    }
  }
  // The first two dimensions are a (0, 2)-sequence: one point in each elementary box of any shape.
  constexpr unsigned bits = 8;
  for (unsigned wide = 1; wide < bits; ++wide) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> boxes;
    for (std::uint64_t n = 0; n < 1U << bits; ++n) {
      boxes.emplace(std::get<SobolSequence>(sequences[0])(n) >> (64 - wide),
                    std::get<SobolSequence>(sequences[1])(n) >> (64 - bits + wide));
    }
    CHECK(boxes.size() == 1U << bits);
  }
}

TEST_CASE("A Latin hypercube has one point in each stratum of each axis") {
  for (const std::uint64_t points : {1U, 2U, 3U, 4U, 5U, 7U, 16U, 17U, 99U, 1000U, 4096U, 5003U}) {
    for (const SampleSequence& sequence : sample_sequences(SampleMethod::lhs, points, "study", {"a", "b", "c"})) {
      std::vector<int> strata(points, 0);
      for (std::uint64_t n = 0; n < points; ++n) ++strata[scaled(std::get<LatinSequence>(sequence)(n), points)];
      CHECK(strata == std::vector<int>(points, 1));
    }
  }
}

TEST_CASE("A large Latin hypercube meets its strata and does not meet one twice") {
  constexpr std::uint64_t points_text = max_sample_points;
  const LatinSequence sequence(points_text, 77);
  std::set<std::uint64_t> met;
  for (std::uint64_t n = 0; n < points_text; n += points_text / 5000) {
    CHECK(scaled(sequence(n), points_text) == sequence.stratum(n));
    CHECK(met.insert(sequence.stratum(n)).second);
  }
}

TEST_CASE("All permutations of a small Latin hypercube come up about equally often") {
  std::map<std::string, int> seen;
  constexpr int keys = 24000;
  for (std::uint64_t key = 0; key < keys; ++key) {
    const LatinSequence sequence(4, SplitMix64::nth(5, key));
    std::string order;
    for (std::uint64_t n = 0; n < 4; ++n) order += fmt::format("{}", sequence.stratum(n));
    ++seen[order];
  }
  REQUIRE(seen.size() == 24);
  double chi_square = 0;
  for (const auto& [order, count] : seen) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
  CHECK(chi_square < 49.7);  // exceeded with probability 0.001 at 23 degrees of freedom
}

TEST_CASE("Random and Latin axes are uniform and independent") {
  for (const SampleMethod method : {SampleMethod::lhs, SampleMethod::random}) {
    constexpr std::uint64_t points_text = 64000;
    const auto sequences = sample_sequences(method, points_text, "study", {"a", "b"});
    const auto number = [&](std::size_t which, std::uint64_t n) {
      return std::visit([n](const auto& numbers) { return numbers(n); }, sequences[which]);
    };
    std::vector<double> cells(64, 0);
    for (std::uint64_t n = 0; n < points_text; ++n) ++cells[(number(0, n) >> 61U) * 8 + (number(1, n) >> 61U)];
    double chi_square = 0;
    for (const double count : cells) chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
    CHECK(chi_square < 103.4);  // exceeded with probability 0.001 at 63 degrees of freedom
  }
}

TEST_CASE("A point is the same in any order of access, on any load, and in a copy") {
  const Workplace place;
  for (const std::string& method : methods) {
    const std::string text =
        machine_text + sample(method, 300,
                              "batch = { from = 1, to = 1024, scale = \"log\" }\nshare = { from = 0, to = 1 }\n"
                              "buffer = { from = \"1 KiB\", to = \"1 MiB\", step = \"1 KiB\" }\n"
                              "\"hardware.noc.transfer\" = [\"pipelined\", \"store-and-forward\"]\n");
    const Study study = study_of(place, text);
    const Texts forward = all_values(study);
    CHECK(all_values(study_of(place, text)) == forward);
    std::mt19937 random(3);
    Point point(study.schema().axes.size());
    for (int round = 0; round < 500; ++round) {
      const std::uint64_t index = random() % study.size();
      study.point(index, point);
      const Point copy = point;
      study.point((index + 1) % study.size(), point);
      for (std::size_t k = 0; k < copy.size(); ++k) CHECK(to_text(copy[k]) == forward[index * copy.size() + k]);
    }
  }
}

TEST_CASE("Studies, seeds and methods draw differently") {
  const Workplace place;
  std::set<Texts> drawn;
  std::set<Hash128> hashes;
  for (const std::string& method : methods) {
    for (const int seed : {0, 1, -1}) {
      for (const char* id : {"s", "t"}) {
        const std::string text = fmt::format("name = \"x\"\n[[study]]\nid = \"{}\"\nsystem = \"machine\"\n", id) +
                                 "hardware = \"small\"\nmodel = \"swin-b\"\n" +
                                 sample(method, 20, "share = { from = 0, to = 1 }\n", seed);
        const Study study = study_of(place, text);
        CHECK(drawn.insert(column(study, "share")).second);
        CHECK(hashes.insert(study.hash()).second);
        CHECK(study_of(place, text).hash() == study.hash());
      }
    }
  }
}

TEST_CASE("The hash changes with a range") {
  const Workplace place;
  std::set<Hash128> hashes;
  for (const char* range :
       {"share = { from = 0.25, to = 1 }", "share = { from = 0.25, to = 0.75 }", "share = { from = 0.5, to = 1 }",
        "share = { from = 0.25, to = 1, step = 0.25 }", "share = { from = 0.25, to = 1, step = 0.125 }",
        "share = { from = 0.25, to = 1, scale = \"log\" }",
        "share = { from = 0.25, to = 1, scale = \"log\", step = 2 }", "share = [0.25, 1]", "share = [1, 0.25]",
        "batch = { from = 1, to = 8 }", "batch = { from = 1, to = 9 }", "batch = { from = 1, to = 8, step = 7 }",
        "batch = { from = 1, to = 8, scale = \"log\" }"}) {
    for (const char* more : {"", "reuse = [true, false]\n"}) {
      CHECK(
          hashes.insert(study_of(place, machine_text + sample("random", 4, fmt::format("{}\n{}", range, more))).hash())
              .second);
    }
  }
  CHECK(hashes.insert(study_of(place, machine_text + sample("random", 5, "share = { from = 0.25, to = 1 }\n")).hash())
            .second);
}

TEST_CASE("Each value of a grid or list comes up equally often") {
  const Workplace place;
  const std::vector<std::pair<std::string, Texts>> cases{
      {"a = { from = -2, to = 5 }", {"-2", "-1", "0", "1", "2", "3", "4", "5"}},
      {"a = { from = 10, to = 48, step = 5 }", {"10", "15", "20", "25", "30", "35", "40", "45"}},
      {"a = { from = 1, to = 128, scale = \"log\", step = 2 }", {"1", "2", "4", "8", "16", "32", "64", "128"}},
      {"a = { from = 3, to = 7000, scale = \"log\", step = 3 }", {"3", "9", "27", "81", "243", "729", "2187", "6561"}},
      {"a = [8, 7, 6, 5, 4, 3, 2, 1]", {"1", "2", "3", "4", "5", "6", "7", "8"}},
  };
  for (const auto& [range, expected] : cases) {
    for (const char* method : {"sobol", "lhs"}) {
      std::map<std::string, int> counts;
      const Study study = study_of(place, plain_text + sample(method, 512, fmt::format("{}\n", range)));
      for (const std::string& value : column(study, "a")) ++counts[value];
      REQUIRE(counts.size() == expected.size());
      for (const std::string& value : expected) CHECK(counts[value] == 64);
      CHECK(study.varies(0));
    }
  }
}

TEST_CASE("Real grids keep their ends and steps") {
  const Workplace place;
  const auto values = [&](const std::string& range) {
    const auto drawn = reals(study_of(place, machine_text + sample("random", 400, "share = " + range + "\n")), "share");
    return std::set<double>(drawn.begin(), drawn.end());
  };
  CHECK(values("{ from = 0, to = 0.3, step = 0.1 }") == std::set<double>{0, 0.1, 0.2, 0.3});
  CHECK(values("{ from = 0.25, to = 1, step = 0.5 }") == std::set<double>{0.25, 0.75});
  CHECK(values("{ from = 0.0625, to = 1, scale = \"log\", step = 2 }") ==
        std::set<double>{0.0625, 0.125, 0.25, 0.5, 1});
  CHECK(values("{ from = 0.01, to = 0.1, scale = \"log\", step = 10 }") == std::set<double>{0.01, 0.1});
  CHECK(values("{ from = 0.5, to = 0.5 }") == std::set<double>{0.5});
}

TEST_CASE("Ranges are kept, and are uniform on their scale") {
  const Workplace place;
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    const std::string& method = methods[random() % methods.size()];
    const double from = std::ldexp(1.0 + static_cast<double>(random() % 1000) / 1000, -static_cast<int>(random() % 20));
    const double to = from * (1 + static_cast<double>(random() % 10000) / 10);
    for (const bool logarithmic : {false, true}) {
      constexpr std::uint64_t points_text = 1024;
      const Study study = study_of(
          place, machine_text + sample(method, points_text,
                                       fmt::format("\"hardware.noc.link_bandwidth\" = {{ from = \"{} B/s\", to = \"{} "
                                                   "B/s\", scale = \"{}\" }}\n",
                                                   from, to, logarithmic ? "log" : "linear"),
                                       round));
      double below = 0;
      const double middle = logarithmic ? std::sqrt(from * to) : (from + to) / 2;
      for (const double value : reals(study, "hardware.noc.link_bandwidth")) {
        CHECK(value >= from);
        CHECK(value <= to);
        if (value < middle) ++below;
      }
      // Sobol and lhs halve the range exactly; a random count lies within 5 standard deviations of 16 points.
      const double half = static_cast<double>(points_text) / 2;
      if (from < to) CHECK(std::fabs(below - half) <= (method == "random" ? 80.0 : 1.0));
      CHECK(study.varies(axis(study, "hardware.noc.link_bandwidth")) == (from < to));
    }
  }
}

TEST_CASE("A log scale agrees with the exponential function") {
  const Workplace place;
  const std::string ranges = "share = { from = 0.001, to = 1, scale = \"log\" }\n";
  const auto values = reals(study_of(place, machine_text + sample("lhs", 2000, ranges)), "share");
  const auto linear =
      reals(study_of(place, machine_text + sample("lhs", 2000, "share = { from = 0, to = 1 }\n")), "share");
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(values[i] == Approx(0.001 * std::exp(linear[i] * std::log(1000.0))).epsilon(1e-13));
  }
}

TEST_CASE("Integers on a log scale are rounded from the same law") {
  const Workplace place;
  std::map<std::string, double> counts;
  constexpr double points_text = 20000;
  for (const std::string& value : column(
           study_of(place, plain_text + sample("lhs", 20000, "a = { from = 1, to = 10, scale = \"log\" }\n")), "a")) {
    ++counts[value];
  }
  REQUIRE(counts.size() == 10);
  for (int value = 1; value <= 10; ++value) {
    const double expected = points_text * std::log((value + 0.5) / (value - 0.5)) / std::log(10.5 / 0.5);
    // A stratum at each end of the value's interval may fall on either side.
    CHECK(counts[std::to_string(value)] == Approx(expected).margin(2));
  }
}

TEST_CASE("Extreme ranges are kept") {
  const Workplace place;
  for (const std::string& method : methods) {
    const Study study =
        study_of(place, plain_text + sample(method, 2000,
                                            "a = { from = -9223372036854775808, to = 9223372036854775806 }\n"
                                            "b = { from = 9223372036854775806, to = 9223372036854775807 }\n"
                                            "c = { from = 1, to = 9223372036854775807, scale = \"log\", step = 2 }\n"
                                            "d = { from = 1, to = 9007199254740992, scale = \"log\" }\n"));
    Point point(study.schema().axes.size());
    for (std::uint64_t i = 0; i < study.size(); ++i) {
      study.point(i, point);
      CHECK(point.integer(1) >= 9223372036854775806);
      CHECK((point.integer(2) & (point.integer(2) - 1)) == 0);
      CHECK(point.integer(2) >= 1);
      CHECK(point.integer(3) >= 1);
      CHECK(point.integer(3) <= 9007199254740992);
    }
  }
}

TEST_CASE("A sample is the slowest factor of the product") {
  const Workplace place;
  const std::string alone = sample("lhs", 3, "a = { from = 1, to = 1000000 }\nc = [1, 2]\n");
  const Study drawn = study_of(place, plain_text + alone);
  const Study study =
      study_of(place, plain_text + alone + "[study.axes]\nb = [1, 2]\n[[study.zip]]\nd = [3, 4]\ne = [5, 6]\n");
  REQUIRE(study.size() == 12);
  const Texts once = column(drawn, "a");
  Texts repeated;
  for (const std::string& value : once) repeated.insert(repeated.end(), 4, value);
  CHECK(column(study, "a") == repeated);
  CHECK(column(study, "b") == Texts{"1", "1", "2", "2", "1", "1", "2", "2", "1", "1", "2", "2"});
  CHECK(column(study, "e") == Texts{"5", "6", "5", "6", "5", "6", "5", "6", "5", "6", "5", "6"});
  CHECK(study.origin_of(0).text == "sample (lhs, seed 0)");
  CHECK(study.origin_of(1).text == "experiment");
  CHECK(study.varies(0));
  CHECK_FALSE(study.varies(5));
}

TEST_CASE("A sampled axis that takes one value does not vary") {
  const Workplace place;
  const Study study = study_of(place, plain_text + sample("random", 50, "a = { from = 3, to = 3 }\nb = [7]\n"));
  CHECK_FALSE(study.varies(0));
  CHECK_FALSE(study.varies(1));
  const Study one = study_of(place, plain_text + sample("sobol", 1, "a = { from = 3, to = 300 }\n"));
  CHECK_FALSE(one.varies(0));
}

TEST_CASE("An override takes the place of a sampled range and moves no other axis") {
  const Workplace place;
  const std::string text =
      plain_text + sample("sobol", 8, "a = { from = 0, to = 1000 }\nb = { from = 0, to = 1000 }\n");
  const Study whole = study_of(place, text);
  const Study changed = study_of(place, text, {{}, {}, {"a=5"}});
  CHECK(column(changed, "a") == Texts(8, "5"));
  CHECK(column(changed, "b") == column(whole, "b"));
  CHECK(changed.origin_of(0).text == "experiment");
  CHECK(study_of(place, text, {{}, {}, {"a=5", "b=6"}}).size() == 1);
}

TEST_CASE("A sample of the most points takes no memory") {
  const Workplace place;
  for (const std::string& method : methods) {
    const Study study = study_of(place, plain_text + sample(method, max_sample_points, "a = { from = 0, to = 99 }\n"));
    CHECK(study.size() == max_sample_points);
    Point point(study.schema().axes.size());
    study.point(max_sample_points - 1, point);
    CHECK(point.integer(0) >= 0);
    CHECK(point.integer(0) <= 99);
  }
}
