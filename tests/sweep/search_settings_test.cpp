#include "sweep/search_settings.h"

#include <catch2/catch.hpp>
#include <vector>

#include "fixture.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

/// Six lines; what a test adds begins on line 7.
const std::string study_text =
    "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\nmodel = \"swin-b\"\n";
/// Two more; the keys of the search begin on line 10.
const std::string search_text = study_text + "[study.axes]\nbatch = [1, 4, 16]\n[study.search]\n";
const std::string whole_search = search_text + "min = [\"latency\"]\npoints = 40\n";

std::string errors(const std::string& experiment) {
  static const Workplace place;
  return place.errors(experiment);
}

Study study_of(const std::string& experiment) {
  static const Workplace place;
  return place.load(experiment).studies.front();
}

}  // namespace

TEST_CASE("The valid search of these tests is valid") { CHECK(errors(whole_search) == "(no error)"); }

TEST_CASE("The keys of a search are checked") {
  CHECK(errors(search_text) ==
        "x.toml:9:1: [study.search] does not have 'min' or 'max': the metrics to optimize, as in min = [\"time\"]\n"
        "x.toml:9:1: [study.search] does not have a budget: add 'points' or 'generations'");
  CHECK(errors(whole_search + "generations = 4\n") ==
        "x.toml:12:15: [study.search] cannot have both 'points' and 'generations'");
  CHECK(
      errors(whole_search + "algorithm = \"nsga\"\n") ==
      "x.toml:12:13: there is no search algorithm 'nsga' (did you mean 'nsga2'?); allowed: nsga2, gaco, random, sobol");
  CHECK(errors(whole_search + "populaton = 4\n") ==
        "x.toml:12:1: unknown key 'populaton' in [study.search] (did you mean 'population'?); allowed: min, max, "
        "constraints, algorithm, population, generations, points, seed, ranges, recheck");
  CHECK(errors(whole_search + "population = 0\n") == "x.toml:12:14: 'population' must be from 1 to 10000000, got 0");
  CHECK(errors(search_text + "min = [\"latency\"]\npopulation = 10000\ngenerations = 10000\n") ==
        "x.toml:9:1: 10000 generations of 10000 points are more than 10000000 points");
  CHECK(errors(study_text + "search = 3\n[study.axes]\nbatch = [1, 4]\n") ==
        "x.toml:7:10: 'search' needs a table [study.search]");
}

TEST_CASE("An objective is a metric that is a number") {
  CHECK(errors(search_text + "min = [\"latncy\"]\npoints = 4\n") ==
        "x.toml:10:8: unknown metric 'latncy' of system 'machine' (did you mean 'latency'?); metrics: latency, cycles");
  CHECK(errors(search_text + "max = [\"bottleneck\"]\npoints = 4\n") ==
        "x.toml:10:8: metric 'bottleneck' is text and cannot be an objective; allowed: latency, cycles");
  CHECK(errors(whole_search + "max = [\"latency\"]\n") == "x.toml:12:8: duplicate objective 'latency'");
}

TEST_CASE("The constraints of a search may name metrics, its study's conditions may not") {
  CHECK(errors(whole_search + "constraints = [\"latency < '1 ms' && batch > 1\"]\n") == "(no error)");
  CHECK(errors(whole_search + "constraints = [\"latncy < 1\"]\n").find("did you mean 'latency'") != std::string::npos);
  CHECK(errors(whole_search + "constraints = []\n") ==
        "x.toml:12:15: 'constraints' has an empty list: add at least one condition");
  CHECK(errors(study_text + "where = \"latency < 1\"\n[study.axes]\nbatch = [1, 4]\n[study.search]\nmin = "
                            "[\"latency\"]\npoints = 4\n")
            .starts_with("x.toml:7:10: unknown name 'latency'"));
}

TEST_CASE("A constraint over axes alone needs no evaluation") {
  const Study study = study_of(whole_search + "constraints = [\"latency < '1 ms'\", \"batch > 1\"]\n");
  REQUIRE(study.search() != nullptr);
  CHECK(study.search()->constraints.size() == 1);
  REQUIRE(study.search()->where.size() == 1);
  CHECK(study.search()->where[0].text == "batch > 1");
  CHECK(study.search()->observed == std::vector<std::size_t>{0});
}

TEST_CASE("Ranges of a search are lists of their values") {
  const std::string ranges = whole_search + "[study.search.ranges]\n";
  const Study study = study_of(ranges +
                               "share = { from = 0, to = 1, step = 0.25 }\n"
                               "\"hardware.clock\" = { from = \"100 MHz\", to = \"800 MHz\", step = 2, scale "
                               "= \"log\" }\n\"hardware.node_array.rows\" = { from = 2, to = 5 }\n");
  const std::vector<SearchDimension>& dimensions = study.search()->dimensions;
  REQUIRE(dimensions.size() == 4);
  CHECK(dimensions[0].size == 3);
  CHECK(dimensions[1].size == 5);
  CHECK(dimensions[2].size == 4);
  CHECK(dimensions[3].size == 4);
  CHECK(study.search()->space == 240);
  CHECK(column(study.space(), "share").at(16) == "0.25");
  CHECK(study.space().size() == 240);
  CHECK(study.size() == 40);
  CHECK(errors(ranges + "share = { from = 0, to = 1 }\n") ==
        "x.toml:13:1: the range of 'share' does not have a step: a search chooses from discrete values");
  CHECK(errors(ranges + "buffer = { from = \"1 B\", to = \"1 MiB\" }\n") ==
        "x.toml:13:1: the range of 'buffer' has 1048576 values, more than the limit of 65536: use a larger "
        "step");
  CHECK(errors(ranges + "share = { from = 1, to = 0, step = 0.1 }\n").starts_with("x.toml:13:"));
  CHECK(errors(ranges) == "x.toml:12:1: [study.search.ranges] does not set any axis");
}

TEST_CASE("Dimensions with numbers that only rise or only fall are ordered, others are categories") {
  const Study study = study_of(
      "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\n[study.axes]\nmodel = "
      "[\"swin-t\", \"swin-b\"]\nbatch = [16, 4, 1]\nshare = [0.1, 0.3, 0.2]\n[study.search]\nmin = [\"latency\"]\n"
      "points = 4\n");
  CHECK_FALSE(study.search()->dimensions[0].ordered);
  CHECK(study.search()->dimensions[1].ordered);
  CHECK_FALSE(study.search()->dimensions[2].ordered);
}

TEST_CASE("A recheck changes axes that do not vary") {
  const std::string recheck = whole_search + "[study.search.recheck]\n";
  const Study study = study_of(recheck + "fidelity = \"cycle\"\n");
  CHECK(study.search()->recheck == std::vector<std::string>{"fidelity"});
  CHECK(study.search()->space == 3);
  CHECK(study.size() == 6);
  CHECK(column(study.space(), "fidelity") ==
        std::vector<std::string>{"analytic", "analytic", "analytic", "cycle", "cycle", "cycle"});
  CHECK(errors(recheck + "fidelity = \"analytic\"\n") ==
        "x.toml:13:1: the recheck of 'fidelity' has the value of the search");
  CHECK(errors(recheck + "batch = 4\n") ==
        "x.toml:13:1: 'batch' varies in the search: a recheck changes axes that the study sets to one value");
  CHECK(errors(recheck + "fidelty = \"cycle\"\n") ==
        "x.toml:13:1: 'fidelty' is not an axis of system 'machine' (did you mean 'fidelity'?)");
  CHECK(errors(recheck + "\"hardware.clock\" = \"1 GHz\"\n")
            .starts_with("x.toml:13:1: 'hardware.clock' is given by the hardware file"));
}

TEST_CASE("A search excludes samples and sampled machines, and needs something to choose from") {
  CHECK(errors(whole_search + "[study.uncertainty]\nsamples = 4\n") ==
        "x.toml:9:1: a study has either [study.search] or [study.uncertainty]");
  CHECK(errors(study_text + "[study.search]\nmin = [\"latency\"]\npoints = 4\n") ==
        "x.toml:7:1: the study varies nothing: a search needs lists in [study.axes] or ranges");
}

TEST_CASE("Points of a search are those that it has chosen, for all copies of the study") {
  const Study study = study_of(whole_search);
  const std::vector<Study> copies{study};
  study.choose(1, 2);
  CHECK(copies.front().chosen(1) == 2);
  CHECK(copies.front().chosen(0) == Study::not_chosen);
  Point point(study.schema().axes.size());
  copies.front().point(1, point);
  CHECK(point.integer(1) == 16);
}

TEST_CASE("What determines the points of a search determines its hash") {
  const Hash128 hash = study_of(whole_search).hash();
  CHECK(study_of(whole_search).hash() == hash);
  for (const char* key :
       {"seed = 3\n", "population = 7\n", "algorithm = \"random\"\n", "constraints = \"batch > 1\"\n"})
    CHECK(study_of(whole_search + key).hash() != hash);
}
