#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "fixture.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

using Texts = std::vector<std::string>;

const std::string study_head = "[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\n";

/// An experiment with `lists` on line 3 and below, whose study ends in `rest`.
std::string experiment(const std::string& lists, const std::string& rest) {
  return "name = \"x\"\n[lists]\n" + lists + study_head + rest;
}

}  // namespace

TEST_CASE("A named list stands for its values where a list may stand") {
  const Workplace place;
  const Plan plan = place.load(experiment(
      "swins = [\"swin-t\", \"swin-b\"]\nall = [\"@swins\", \"vit-b\"]\nsizes = [1, 2, 4]\n",
      "[study.axes]\nmodel = [\"vit-b\", \"@swins\"]\n[[study.zip]]\nbatch = \"@sizes\"\nshare = [0, 0.5, 1]\n" +
          study_head.substr(0, study_head.find("\"s\"")) + "\"t\"" + study_head.substr(study_head.find("\"s\"") + 3) +
          "[study.axes]\nmodel = \"@all\"\n"));
  CHECK(column(plan.studies[0], "model") ==
        Texts{"vit-b", "vit-b", "vit-b", "swin-t", "swin-t", "swin-t", "swin-b", "swin-b", "swin-b"});
  CHECK(column(plan.studies[0], "batch") == Texts{"1", "2", "4", "1", "2", "4", "1", "2", "4"});
  CHECK(column(plan.studies[1], "model") == Texts{"swin-t", "swin-b", "vit-b"});
}

TEST_CASE("Named lists serve samples, columns and conditions as well, also above [lists]") {
  const Workplace place;
  place.write("t.csv", "model,a,b\nswin-t,1,2\nswin-b,3,4\n");
  const Plan plan = place.load(
      "name = \"x\"\n" + study_head +
      "where = \"@limits\"\n[study.table]\ncsv = \"t.csv\"\nlabels = \"@notes\"\n"
      "[study.sample]\nmethod = \"lhs\"\npoints = 4\n[study.sample.ranges]\nbatch = \"@sizes\"\n"
      "[lists]\nnotes = [\"a\", \"b\"]\nlimits = [\"batch < 4\", \"model == 'swin-b'\"]\nsizes = [1, 2, 3, 4]\n");
  CHECK(plan.studies[0].carried().size() == 2);
  CHECK(column(plan.studies[0], "model") == Texts{"swin-b", "swin-b", "swin-b"});
}

TEST_CASE("A problem with a value of a named list has its place in the list, once") {
  const Workplace place;
  const std::string twice = "[study.axes]\nbatch = \"@sizes\"\n";
  CHECK(place.errors(experiment("sizes = [1, 0]\n", "model = \"swin-t\"\n" + twice +
                                                        "[[study]]\nid = \"t\"\nsystem = \"machine\"\nhardware = "
                                                        "\"small\"\nmodel = \"swin-t\"\n" +
                                                        twice)) ==
        "x.toml:3:13: axis 'batch' must be at least 1, got 0");
  CHECK(place.errors(experiment("sizes = [1, 2]\n", "model = \"swin-t\"\n[study.axes]\nbatch = [\"@sizes\", 2]\n")) ==
        "x.toml:10:20: axis 'batch' has the value 2 twice: first at x.toml:3:13");
}

TEST_CASE("Mistakes with named lists are reported") {
  const Workplace place;
  const auto errors = [&](const std::string& lists, const std::string& rest) {
    return place.errors(experiment(lists, rest));
  };
  CHECK(errors("swins = [\"swin-t\"]\n", "[study.axes]\nmodel = \"@swims\"\n") ==
        "x.toml:9:9: unknown list 'swims' in [lists] (did you mean 'swins'?)");
  CHECK(errors("swins = [\"swin-t\"]\n", "model = \"@swins\"\n") ==
        "x.toml:8:1: 'model' is a list: lists of values belong in [study.axes]");
  CHECK(errors("a = [\"@b\"]\nb = [\"swin-t\"]\n", "[study.axes]\nmodel = \"@a\"\n") ==
        "x.toml:3:6: unknown list 'b' in [lists]");
  CHECK(errors("a = [\"@a\"]\n", "model = \"swin-t\"\n") == "x.toml:3:6: unknown list 'a' in [lists]");
  CHECK(errors("a = []\nb = 3\n", "[study.axes]\nmodel = \"@a\"\n") ==
        "x.toml:3:5: the list 'a' is empty: add at least one value\n"
        "x.toml:4:5: 'b' in [lists]: expected a list, got the integer 3");
  CHECK(errors("a = [{ b = 1 }]\n", "[study.axes]\nmodel = \"@a\"\n") ==
        "x.toml:3:6: axis 'model': expected numbers, text, true or false, got a table");
  CHECK(place.errors("name = \"x\"\nlists = 3\n" + study_head + "model = \"swin-t\"\n") ==
        "x.toml:2:9: 'lists': expected a table [lists], got the integer 3");
  CHECK(errors("a = [1]\n",
               "model = \"swin-t\"\n[study.sample]\nmethod = \"lhs\"\npoints = 2\n[study.sample.ranges]\n"
               "batch = { from = \"@a\", to = 3 }\n") ==
        "x.toml:13:18: axis 'batch': expected numbers, text, true or false, got the text '@a'");
}

TEST_CASE("A text that begins with @ is written with two") {
  const Workplace place;
  CHECK(place.errors(experiment("a = [\"swin-t\"]\n", "model = \"@@a\"\n")).find("'@a'") != std::string::npos);
  CHECK(place.errors(experiment("a = [\"@@a\"]\n", "[study.axes]\nmodel = \"@a\"\n")).find("'@a'") !=
        std::string::npos);
}

TEST_CASE("An unused list is not an error") {
  const Workplace place;
  CHECK(place.errors(experiment("later = [1, 2]\n", "model = \"swin-t\"\n")) == "(no error)");
}

TEST_CASE("Lists of lists do not grow beyond all memory") {
  std::string lists = "a0 = [1, 2]\n";
  for (int i = 1; i < 60; ++i) lists += fmt::format("a{0} = [\"@a{1}\", \"@a{1}\"]\n", i, i - 1);
  const std::string message =
      Workplace().errors("name = \"x\"\n[lists]\n" + lists + "[[study]]\nid = \"s\"\nsystem = \"plain\"\n");
  CHECK_THAT(message, Catch::Contains("'a18' makes the list longer than 1000000 values"));
}
