#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "fixture.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

/// Six lines; what a test adds begins on line 7.
const std::string model_text =
    "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\nmodel = \"swin-b\"\n";
/// Four more; ranges begin on line 11.
const std::string sample_text = model_text + "[study.sample]\nmethod = \"lhs\"\npoints = 4\n[study.sample.ranges]\n";

std::string errors(const std::string& experiment) {
  static const Workplace place;
  return place.errors(experiment);
}

}  // namespace

TEST_CASE("The valid sample of these tests is valid") {
  CHECK(errors(sample_text + "share = { from = 0, to = 1 }\n") == "(no error)");
}

TEST_CASE("The keys of a sample are checked") {
  CHECK(errors(model_text + "[study.sample]\n") ==
        "x.toml:7:1: [study.sample] does not have 'method': one of sobol, lhs, random, saltelli\n"
        "x.toml:7:1: [study.sample] does not have 'points': the number of points\n"
        "x.toml:7:1: [study.sample] does not have [study.sample.ranges]");
  CHECK(errors(model_text + "sample = 3\n") ==
        "x.toml:7:10: 'sample': expected a table [study.sample], got the integer 3");
  CHECK(errors(model_text +
               "[study.sample]\nmehtod = \"lhs\"\nmethod = \"sobl\"\npoints = 0\nseed = \"a\"\nranges = 4\n") ==
        "x.toml:8:1: unknown key 'mehtod' in [study.sample] (did you mean 'method'?); allowed: method, points, seed, "
        "ranges\n"
        "x.toml:9:10: there is no sample method 'sobl' (did you mean 'sobol'?); allowed: sobol, lhs, random, saltelli\n"
        "x.toml:10:10: 'points' must be from 1 to 4294967295, got 0\n"
        "x.toml:11:8: 'seed': expected an integer, got the text 'a'\n"
        "x.toml:12:10: 'ranges': expected a table [study.sample.ranges], got the integer 4");
  CHECK(errors(model_text + "[study.sample]\nmethod = 1\npoints = 1.5\n[study.sample.ranges]\n") ==
        "x.toml:8:10: 'method': expected text, got the integer 1\n"
        "x.toml:9:10: 'points': expected an integer, got the real 1.5\n"
        "x.toml:10:1: [study.sample.ranges] does not set any axis");
  CHECK(errors(model_text +
               "[study.sample]\nmethod = \"lhs\"\npoints = 4294967296\n[study.sample.ranges]\nbatch = [1]\n") ==
        "x.toml:9:10: 'points' must be from 1 to 4294967295, got 4294967296");
}

TEST_CASE("The keys of a range are checked") {
  CHECK(errors(sample_text + "bacth = { from = 1, to = 2 }\n") ==
        "x.toml:11:1: unknown key 'bacth': not an axis of system 'machine' (did you mean 'batch'?)");
  CHECK(errors(sample_text + "batch = { form = 1, to = 2 }\n") ==
        "x.toml:11:9: the range of 'batch' does not have 'from'\n"
        "x.toml:11:11: unknown key 'form' in the range of 'batch' (did you mean 'from'?); allowed: from, to, scale, "
        "step");
  CHECK(errors(sample_text + "batch = 4\n") ==
        "x.toml:11:1: 'batch': expected a range { from = ..., to = ... } or a list, got the integer 4");
  CHECK(errors(sample_text + "batch = { from = 1, to = 4, scale = \"lgo\" }\n") ==
        "x.toml:11:37: there is no scale 'lgo' (did you mean 'log'?); allowed: linear, log");
  CHECK(errors(sample_text + "batch = { from = [1], to = 4 }\n") ==
        "x.toml:11:18: axis 'batch': expected numbers, text, true or false, got a list");
  CHECK(errors(sample_text + "batch = []\n") == "x.toml:11:9: axis 'batch' has an empty list: add at least one value");
  CHECK(errors(sample_text + "hardware.clock = { from = \"1 GHz\", to = \"2 GHz\" }\n") ==
        "x.toml:11:1: 'hardware' contains tables; an axis whose name has dots is written in quotes, as in "
        "\"hardware.node_array.rows\" = 8");
}

TEST_CASE("An axis is sampled or set, not both") {
  CHECK(errors(sample_text + "batch = { from = 1, to = 4 }\n[study.axes]\nbatch = [1]\n") ==
        "x.toml:13:1: axis 'batch' is set twice: first at x.toml:11:1");
  CHECK(errors(sample_text + "model = [\"swin-t\"]\n") ==
        "x.toml:11:1: axis 'model' is set twice: first at x.toml:6:1");
}

TEST_CASE("A range fits its axis") {
  CHECK(errors(sample_text + "schedule = { from = 1, to = 4 }\nreuse = { from = false, to = true }\n") ==
        "x.toml:11:1: axis 'schedule' is text: use a list of values instead of a range\n"
        "x.toml:12:1: axis 'reuse' is true or false: use a list of values instead of a range");
  CHECK(errors(sample_text + "batch = { from = 0, to = 2000 }\nshare = { from = \"a\", to = 1 }\n") ==
        "x.toml:11:18: axis 'batch' must be at least 1, got 0\n"
        "x.toml:11:26: axis 'batch' must be at most 1024, got 2000\n"
        "x.toml:12:18: axis 'share': expected a number, got 'a' (text)");
  CHECK(errors(sample_text + "\"hardware.noc.transfer\" = [\"pipelined\", \"pipeline\"]\n") ==
        "x.toml:11:41: 'pipeline' is not a value of axis 'hardware.noc.transfer' (did you mean 'pipelined'?); allowed: "
        "pipelined, store-and-forward");
  CHECK(errors(sample_text + "batch = [1, 2, 1]\n") ==
        "x.toml:11:16: axis 'batch' has the value 1 twice: first at x.toml:11:10");
  CHECK(errors(sample_text + "\"hardware.clock\" = { from = 1, to = \"2 GHz\", step = \"1 MB\" }\n") ==
        "x.toml:11:29: axis 'hardware.clock': '1' has no unit; a quantity in Hz is needed, for example '400 MHz'\n"
        "x.toml:11:53: axis 'hardware.clock': '1 MB' has the wrong dimension; a quantity in Hz is needed, for example "
        "'400 MHz'");
}

TEST_CASE("A range runs upwards and has room for its step") {
  CHECK(errors(sample_text + "batch = { from = 8, to = 4 }\n") ==
        "x.toml:11:18: axis 'batch': 'from' 8 exceeds 'to' 4");
  CHECK(errors(sample_text + "buffer = { from = \"2 KiB\", to = \"1 KiB\" }\n") ==
        "x.toml:11:19: axis 'buffer': 'from' 2 KiB exceeds 'to' 1 KiB");
  CHECK(errors(sample_text + "batch = { from = 1, to = 4, step = 4 }\n") ==
        "x.toml:11:36: axis 'batch': step 4 is larger than the range from 1 to 4");
  CHECK(errors(sample_text + "share = { from = 0, to = 0.5, step = 0.75 }\n") ==
        "x.toml:11:38: axis 'share': step 0.75 is larger than the range from 0 to 0.5");
  CHECK(errors(sample_text + "batch = { from = 1, to = 4, step = 0 }\nshare = { from = 0, to = 1, step = -0.5 }\n") ==
        "x.toml:11:36: axis 'batch': step 0 is not above zero\n"
        "x.toml:12:36: axis 'share': step -0.5 is not above zero");
  CHECK(errors(sample_text + "batch = { from = 1, to = 4, step = 0.5 }\n") ==
        "x.toml:11:36: axis 'batch': expected an integer, got 0.5 (real)");
  CHECK(errors(sample_text + "share = { from = 0, to = 1, step = 1e-300 }\n") ==
        "x.toml:11:36: axis 'share': the range has more than 2^53 steps");
}

TEST_CASE("A log scale has a positive start and a factor") {
  CHECK(errors(sample_text + "share = { from = 0, to = 1, scale = \"log\" }\n") ==
        "x.toml:11:18: axis 'share': expected a log scale's 'from' above zero, got 0");
  CHECK(errors(sample_text + "batch = { from = 1, to = 4, scale = \"log\", step = 1 }\n") ==
        "x.toml:11:51: axis 'batch': expected a log scale's step above 1, got 1");
  CHECK(errors(sample_text + "batch = { from = 1, to = 4, scale = \"log\", step = 1.5 }\n") ==
        "x.toml:11:51: axis 'batch': expected an integer, got 1.5 (real)");
  CHECK(errors(sample_text + "batch = { from = 2, to = 4, scale = \"log\", step = 3 }\n") ==
        "x.toml:11:51: axis 'batch': the factor 3 is larger than the range from 2 to 4");
  CHECK(errors(sample_text + "share = { from = 1e-300, to = 1, scale = \"log\" }\n") == "(no error)");
  CHECK(errors(sample_text + "\"hardware.noc.link_bandwidth\" = { from = \"1e-300 B/s\", to = \"1e300 B/s\", scale = "
                             "\"log\" }\n") ==
        "x.toml:11:61: axis 'hardware.noc.link_bandwidth': the range is too wide");
  CHECK(errors(sample_text + "\"hardware.clock\" = { from = \"1 GHz\", to = \"2 GHz\", scale = \"log\", step = \"2 "
                             "Hz\" }\n") ==
        "x.toml:11:74: axis 'hardware.clock': expected a number, got '2 Hz' (text)");
}

TEST_CASE("Sampled points count in the product") {
  std::string axes = "[study.axes]\n";
  for (const char* axis : {"b", "c", "d"}) {
    axes += std::string(axis) + " = [";
    for (int i = 0; i < 2100; ++i) axes += std::to_string(i) + ",";
    axes += "]\n";
  }
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\n[study.sample]\nmethod = \"lhs\"\npoints = "
               "4294967295\n[study.sample.ranges]\na = { from = 1, to = 2 }\n" +
               axes) == "x.toml:2:1: the study has more than 2^63 points");
}

TEST_CASE("More ranges than a sequence has dimensions are unknown axes") {
  for (const char* method : {"sobol", "saltelli"}) {
    std::string experiment = fmt::format(
        "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\n[study.sample]\nmethod = \"{}\"\npoints = "
        "4\n[study.sample.ranges]\n",
        method);
    for (int i = 0; i < 4000; ++i) experiment += fmt::format("b{} = [1]\n", i);
    CHECK_THAT(Workplace().errors(experiment),
               Catch::Contains("unknown key 'b0'") && Catch::Contains("3800 more problems of the kinds above"));
  }
}
