// The combinations of values that some axes take in a study, one point for each.
#include <catch2/catch.hpp>
#include <set>

#include "fixture.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;
using namespace pimsweep;

namespace {

const std::string head = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\n";
const std::string axes =
    "[study.axes]\na = [1, 2, 3]\nb = [1, 2, 3, 4]\n[[study.zip]]\nc = [1, 2, 1, 2]\nd = [5, 5, 5, 6]\n";
constexpr std::uint64_t no_limit = 1000000;

/// A study made of parts of its text.
std::string experiment(const std::vector<std::string>& parts) {
  std::string text = head;
  for (const std::string& part : parts) text += part;
  return text;
}

using Combination = std::vector<std::string>;

std::vector<std::size_t> places_of(const Study& study, const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  places.reserve(names.size());
  for (const std::string& name : names) places.push_back(static_cast<std::size_t>(study.schema().axis_index(name)));
  return places;
}

Combination at(const Study& study, std::uint64_t index, const std::vector<std::size_t>& places) {
  Point point(study.schema().axes.size());
  study.point(index, point);
  Combination values;
  values.reserve(places.size());
  for (const std::size_t place : places) values.push_back(to_text(point[place]));
  return values;
}

/// Every point's combination, found by looking at all points.
std::set<Combination> all_of(const Study& study, const std::vector<std::size_t>& places) {
  std::set<Combination> all;
  for (std::uint64_t i = 0; i < study.size(); ++i) all.insert(at(study, i, places));
  return all;
}

}  // namespace

TEST_CASE("Each combination that a study has is found once") {
  const Workplace place;
  place.write("t.csv", "e,f\n1,1\n2,1\n1,1\n2,2\n");
  const std::string table = "[study.table]\ncsv = \"t.csv\"\n";
  const std::string sample =
      "[study.sample]\nmethod = \"sobol\"\npoints = 16\n[study.sample.ranges]\nf = { from = 1, to = 5 }\n";
  for (const std::string& text : {experiment({axes}), experiment({axes, table}), experiment({sample, axes}),
                                  experiment({"where = \"a + b < 4 && c != a\"\n", axes}),
                                  experiment({"where = \"a + b < 4 && d == 6\"\n", sample, axes})}) {
    const Plan plan = place.load(text);
    const Study& study = plan.studies[0];
    for (const std::vector<std::string>& names : {std::vector<std::string>{},
                                                  {"a"},
                                                  {"c"},
                                                  {"a", "c", "d"},
                                                  {"d", "e"},
                                                  {"f", "b"},
                                                  {"a", "b", "c", "d", "e", "f"}}) {
      CAPTURE(text, names);
      const std::vector<std::size_t> places = places_of(study, names);
      const Study::Combinations found = study.combinations(places, no_limit);
      std::set<Combination> distinct;
      for (const std::uint64_t index : found.points) distinct.insert(at(study, index, places));
      CHECK(found.complete);
      CHECK(distinct.size() == found.points.size());
      CHECK(distinct == all_of(study, places));
    }
  }
}

TEST_CASE("Too many combinations are reduced to the limit, and that is reported") {
  const Workplace place;
  for (const std::string& text : {experiment({axes}), experiment({"where = \"a + b < 7\"\n", axes})}) {
    const Plan plan = place.load(text);
    const std::vector<std::size_t> places = places_of(plan.studies[0], {"a", "b", "c"});
    for (const std::uint64_t limit : {1U, 5U, 21U}) {
      const Study::Combinations found = plan.studies[0].combinations(places, limit);
      std::set<Combination> distinct;
      for (const std::uint64_t index : found.points) distinct.insert(at(plan.studies[0], index, places));
      CHECK(!found.complete);
      CHECK(distinct.size() == limit);
    }
  }
}

TEST_CASE("Combinations of a huge study are found without visiting its points") {
  const Workplace place;
  const Plan plan = place.load(head +
                               "[study.sample]\nmethod = \"random\"\npoints = 4294967295\n[study.sample.ranges]\nf = { "
                               "from = 1, to = 1000000000 }\n"
                               "[study.axes]\na = [1, 2, 3]\nb = [1, 2, 3, 4]\n");
  const Study& study = plan.studies[0];
  const Study::Combinations few = study.combinations(places_of(study, {"a", "b"}), no_limit);
  CHECK(few.complete);
  CHECK(few.points.size() == 12);
  const Study::Combinations many = study.combinations(places_of(study, {"a", "f"}), 100);
  CHECK(!many.complete);
  CHECK(many.points.size() == 100);
}
