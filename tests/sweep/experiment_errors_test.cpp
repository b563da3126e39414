#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "fixture.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

/// Lines 1 to 5 of a valid study; what a test adds begins on line 6.
const std::string study_text = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\n";
const std::string model_text = study_text + "model = \"swin-b\"\n";

std::string errors(const std::string& experiment) {
  static const Workplace place;
  return place.errors(experiment);
}

}  // namespace

TEST_CASE("The valid study of these tests is valid") { CHECK(errors(model_text) == "(no error)"); }

TEST_CASE("A missing experiment file is named") {
  const Workplace place;
  try {
    load_plan(place.path("none.toml"), {place.path("configs"), {}, {}}, schema_in);
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(place.shorten(error.what()) == "cannot read 'none.toml': No such file or directory");
  }
  try {
    load_plan(place.path("configs"), {place.path("configs"), {}, {}}, schema_in);
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(place.shorten(error.what()) == "cannot read 'configs': it is a folder, not a regular file");
  }
}

TEST_CASE("A TOML syntax error has its place") {
  const std::string message = errors("name = \"x\"\n[[study]]\nid = = 3\n");
  CHECK(message.find("x.toml:3:6: not valid TOML: ") == 0);
  CHECK(errors("name = \"x\"\nname = \"y\"\n").find("x.toml:2:8: not valid TOML: ") == 0);
  CHECK(errors("name = \"\xff\"\n").find("x.toml:1:") == 0);
}

TEST_CASE("The top of the file is checked") {
  CHECK(errors("") ==
        "x.toml: the experiment does not have a name: add name = \"...\"\n"
        "x.toml: the experiment does not have a study: add at least one [[study]]");
  CHECK(errors("nmae = \"x\"\n" + model_text.substr(model_text.find('\n') + 1)) ==
        "x.toml: the experiment does not have a name: add name = \"...\"\n"
        "x.toml:1:1: unknown key 'nmae' in an experiment file (did you mean 'name'?); allowed: name, doc, "
        "model_folders, hardware_folders, "
        "training_folders, format, lists, include, study");
  CHECK(errors("name = 3\nstudy = 4\ndoc = true\n") ==
        "x.toml:1:8: 'name': expected text, got the integer 3\n"
        "x.toml:2:9: 'study': expected [[study]] blocks, got the integer 4\n"
        "x.toml:3:7: 'doc': expected text, got the boolean true");
  CHECK(errors("name = \"x\"\nstudy = []\n") ==
        "x.toml:2:9: the experiment does not have a study: add at least one [[study]]");
  CHECK(errors("name = \"x\"\nstudy = [1]\n") == "x.toml:2:10: 'study': expected [[study]] blocks, got the integer 1");
  CHECK(errors("name = \"../x\"\n" + model_text.substr(model_text.find('\n') + 1)) ==
        "x.toml:1:8: name '../x' is not allowed: use letters, digits, '_', '.' and '-'");
}

TEST_CASE("A study's id is needed, plain and unique") {
  CHECK(errors("name = \"x\"\n[[study]]\n") ==
        "x.toml:2:1: the study does not have 'id': add id = \"...\"\nx.toml:2:1: the study does not have 'system': add "
        "system = \"...\"");
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"a b\"\nsystem = \"plain\"\n") ==
        "x.toml:3:6: id 'a b' is not allowed: use letters, digits, '_', '.' and '-'");
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"..\"\nsystem = \"plain\"\n") ==
        "x.toml:3:6: id '..' is not allowed: use letters, digits, '_', '.' and '-'");
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"provenance\"\nsystem = \"plain\"\n") ==
        "x.toml:3:6: a study cannot be called 'provenance': results files use that name");
  CHECK(
      errors("name = \"x\"\n[[study]]\nid = \"a\"\nsystem = \"plain\"\n[[study]]\nid = \"a\"\nsystem = \"plain\"\n") ==
      "x.toml:6:6: study id 'a' is used twice: first at x.toml:3:6");
}

TEST_CASE("A misspelled key of a study and a key in the wrong table are named") {
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"s\"\nsytem = \"plain\"\n") ==
        "x.toml:4:1: unknown key 'sytem' (did you mean 'system'?)");
  CHECK(
      errors("name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\n[study.axes]\nwhere = \"n > 1\"\n") ==
      "x.toml:6:1: 'where' is a key of the study and not an axis: move it above the first table of the study, such as "
      "[study.axes]");
}

TEST_CASE("An unknown system or hardware gets the nearest name") {
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machin\"\n") ==
        "x.toml:4:10: there is no system 'machin' (did you mean 'machine'?)");
  CHECK(
      errors("name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"smal\"\nmodel = \"swin-b\"\n") ==
      "x.toml:5:12: unknown hardware 'smal' (did you mean 'small'?); available: small; searched in "
      "configs/hardware");
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nmodel = \"swin-b\"\n") ==
        "x.toml:2:1: system 'machine' needs a hardware file: hardware = \"...\"; available: small");
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\nhardware = \"small\"\n") ==
        "x.toml:5:12: system 'plain' has no hardware constants: remove 'hardware'");
  CHECK(errors("name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"none.toml\"\nmodel = "
               "\"swin-b\"\n") == "x.toml:5:12: cannot read 'none.toml': No such file or directory");
  CHECK(
      errors(
          "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware.clock = \"1 GHz\"\nmodel = \"swin-b\"\n")
          .find("'hardware': expected the name or path of a hardware file, got a table; an axis whose name has dots is "
                "written in "
                "quotes") != std::string::npos);
}

TEST_CASE("An unknown key of a study is named with the nearest one") {
  CHECK(errors(model_text + "bacth = 4\n") ==
        "x.toml:7:1: unknown key 'bacth': neither a key of a study nor an axis of system 'machine' (did you mean "
        "'batch'?)");
  CHECK(errors(model_text + "wehre = \"batch > 1\"\n").find("x.toml:7:1: unknown key 'wehre'") == 0);
  CHECK(errors(model_text + "[study.axis]\nbatch = [4]\n") ==
        "x.toml:7:8: unknown key 'axis': neither a key of a study nor an axis of system 'machine' (did you mean "
        "'axes'?)");
  CHECK(errors(model_text + "[study.axes]\n\"hardware.clok\" = [\"1 GHz\"]\n") ==
        "x.toml:8:1: unknown key 'hardware.clok': not an axis of system 'machine' (did you mean 'hardware.clock'?)");
  CHECK(errors(model_text + "[[study.zip]]\nbtch = [1, 2]\n") ==
        "x.toml:8:1: unknown key 'btch': not an axis of system 'machine' (did you mean 'batch'?)");
}

TEST_CASE("A value has the axis' type") {
  CHECK(errors(model_text + "batch = \"four\"\n") ==
        "x.toml:7:9: axis 'batch': expected an integer, got 'four' (text)");
  CHECK(errors(model_text + "batch = 4.0\n").find("x.toml:7:9: axis 'batch': expected an integer, got 4") == 0);
  CHECK(errors(model_text + "batch = true\n") == "x.toml:7:9: axis 'batch': expected an integer, got true (boolean)");
  CHECK(errors(model_text + "reuse = 1\n") == "x.toml:7:9: axis 'reuse': expected true or false, got 1 (integer)");
  CHECK(errors(model_text + "share = \"0.5\"\n") == "x.toml:7:9: axis 'share': expected a number, got '0.5' (text)");
  CHECK(errors(model_text + "share = nan\n") == "x.toml:7:9: axis 'share': expected a finite number, got nan (real)");
  CHECK(errors(model_text + "schedule = 3\n") == "x.toml:7:12: axis 'schedule': expected text, got 3 (integer)");
  CHECK(errors(model_text + "batch = 2020-01-01\n") ==
        "x.toml:7:9: axis 'batch': expected numbers, text, true or false, got a date or time");
  CHECK(errors(model_text + "batch = [1, 2]\n") ==
        "x.toml:7:1: 'batch' is a list: lists of values belong in [study.axes]");
  CHECK(
      errors(model_text + "batch = { a = 1 }\n").find("x.toml:7:1: 'batch' is a table; an axis whose name has dots") ==
      0);
}

TEST_CASE("A quantity has the axis' dimension") {
  CHECK(errors(model_text + "\"hardware.clock\" = 400\n") ==
        "x.toml:7:20: axis 'hardware.clock': '400' has no unit; a quantity in Hz is needed, for example '400 MHz'");
  CHECK(errors(model_text + "\"hardware.clock\" = \"400 MB\"\n") ==
        "x.toml:7:20: axis 'hardware.clock': '400 MB' has the wrong dimension; a quantity in Hz is needed, for example "
        "'400 MHz'");
  CHECK(errors(model_text + "buffer = \"1 bit\"\n") ==
        "x.toml:7:10: axis 'buffer': expected a whole number of B, got '1 bit'");
  CHECK(errors(model_text + "buffer = 8\n") ==
        "x.toml:7:10: axis 'buffer': '8' has no unit; a quantity in B is needed, for example '8 MiB'");
  CHECK(errors(model_text + "buffer = true\n") ==
        "x.toml:7:10: axis 'buffer': expected a quantity with a unit, got true (boolean)");
  CHECK(errors(model_text + "buffer = \"1e30 B\"\n") == "x.toml:7:10: axis 'buffer': '1e30 B' is too large");
}

TEST_CASE("A value is within the axis' range and choices") {
  CHECK(errors(model_text + "batch = 0\n") == "x.toml:7:9: axis 'batch' must be at least 1, got 0");
  CHECK(errors(model_text + "batch = 1025\n") == "x.toml:7:9: axis 'batch' must be at most 1024, got 1025");
  CHECK(errors(model_text + "share = 1.5\n") == "x.toml:7:9: axis 'share' must be at most 1, got 1.5");
  CHECK(errors(model_text + "\"hardware.clock\" = \"5 GHz\"\n") ==
        "x.toml:7:20: axis 'hardware.clock' must be at most 4 GHz, got 5 GHz");
  CHECK(errors(study_text + "model = \"swim-b\"\n") ==
        "x.toml:6:9: 'swim-b' is not a value of axis 'model' (did you mean 'swin-b'?); allowed: swin-t, swin-b, vit-b");
}

TEST_CASE("An axis without a default needs a value") {
  CHECK(errors(study_text) == "x.toml:2:1: the study does not set axis 'model', and it has no default");
}

TEST_CASE("An axis is set once") {
  CHECK(errors(model_text + "[study.axes]\nmodel = [\"swin-t\"]\n") ==
        "x.toml:8:1: axis 'model' is set twice: first at x.toml:6:1");
  CHECK(errors(model_text + "[[study.zip]]\nbatch = [1, 2]\n[[study.zip]]\nbatch = [3, 4]\n") ==
        "x.toml:10:1: axis 'batch' is set twice: first at x.toml:8:1");
}

TEST_CASE("A list is neither empty nor repeats itself") {
  CHECK(errors(model_text + "[study.axes]\nbatch = []\n") ==
        "x.toml:8:9: axis 'batch' has an empty list: add at least one value");
  CHECK(errors(model_text + "[study.axes]\nbatch = [1, 2, 1]\n") ==
        "x.toml:8:16: axis 'batch' has the value 1 twice: first at x.toml:8:10");
  CHECK(errors(model_text + "[study.axes]\nbuffer = [\"1 KiB\", \"1024 B\"]\n") ==
        "x.toml:8:20: axis 'buffer' has the value 1024 twice: first at x.toml:8:11");
  CHECK(errors(model_text + "[study.axes]\nbatch = [1, [2]]\n") ==
        "x.toml:8:13: axis 'batch': expected numbers, text, true or false, got a list");
  CHECK(errors(model_text + "[study.axes]\nhardware.clock = [\"1 GHz\"]\n")
            .find("x.toml:8:1: 'hardware' is a table; an axis whose name has dots") == 0);
}

TEST_CASE("The lists of a zip are equally long") {
  CHECK(errors(model_text + "[[study.zip]]\nbatch = [1, 2]\nreuse = [true]\nshare = [0, 1]\n") ==
        "x.toml:7:1: the lists of a [[study.zip]] must be equally long: 'batch' has 2, 'reuse' has 1, 'share' has 2");
  CHECK(errors(model_text + "[[study.zip]]\nbatch = 2\n") ==
        "x.toml:8:1: 'batch': expected a list in [[study.zip]], got the integer 2");
  CHECK(errors(model_text + "[[study.zip]]\nbatch = []\n") ==
        "x.toml:8:9: axis 'batch' has an empty list: add at least one value");
  CHECK(errors(model_text + "[[study.zip]]\n") == "x.toml:7:1: [[study.zip]] does not set any axis");
  CHECK(errors(model_text + "[study.zip]\nbatch = [1]\n").find("'zip': expected [[study.zip]] blocks, got a table") !=
        std::string::npos);
  CHECK(errors(model_text + "axes = 3\n") == "x.toml:7:8: 'axes': expected a table [study.axes], got the integer 3");
}

TEST_CASE("More than 2^63 points are refused") {
  std::string list;
  for (int i = 0; i < 2100; ++i) list += std::to_string(i) + ",";
  std::string text = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\n[study.axes]\n";
  for (const char* axis : {"a", "b", "c", "d", "e", "f"}) text += std::string(axis) + " = [" + list + "]\n";
  CHECK(errors(text) == "x.toml:2:1: the study has more than 2^63 points");
}

TEST_CASE("All problems are reported at once, in file order, each once") {
  CHECK(
      errors("name = \"x\"\n"
             "[[study]]\nid = \"one\"\nsystem = \"machine\"\nhardware = \"small\"\nmodel = \"swin\"\nbatch = 0\n"
             "[[study]]\nid = \"one\"\nsystem = \"plan\"\n"
             "[[study]]\nid = \"three\"\nsystem = \"machine\"\nhardware = \"smal\"\nmodel = "
             "\"vit-b\"\n[study.axes]\nbatch = []\n"
             "[study.table]\ncvs = \"t.csv\"\n") ==
      "x.toml:6:9: 'swin' is not a value of axis 'model' (did you mean 'swin-t'?); allowed: swin-t, swin-b, vit-b\n"
      "x.toml:7:9: axis 'batch' must be at least 1, got 0\n"
      "x.toml:9:6: study id 'one' is used twice: first at x.toml:3:6\n"
      "x.toml:10:10: there is no system 'plan' (did you mean 'plain'?)\n"
      "x.toml:14:12: unknown hardware 'smal' (did you mean 'small'?); available: small; searched in "
      "configs/hardware\n"
      "x.toml:17:9: axis 'batch' has an empty list: add at least one value\n"
      "x.toml:18:1: [study.table] does not name a file: add csv = \"points.csv\"\n"
      "x.toml:19:1: unknown key 'cvs' in [study.table] (did you mean 'csv'?); allowed: csv, labels, reference, ignore");
}

TEST_CASE("a file of another format is refused with what to do, and nothing else of it is reported") {
  CHECK(errors("format = \"1.0\"\n" + model_text) == "(no error)");
  using Catch::Contains;
  CHECK_THAT(errors("format = \"1.1\"\nnews = 1\n" + model_text),
             Contains(":1:10: the experiment file has format 1.1, and this program reads 1.0: use a newer pimsweep") &&
                 !Contains("news"));
  CHECK_THAT(errors("format = \"2.0\"\n" + model_text), Contains("use a newer pimsweep"));
  CHECK_THAT(errors("format = \"0.9\"\n" + model_text), Contains("CHANGELOG.md"));
  for (const char* damaged : {"1", "1.", ".1", "1.0.0", "-1.0", "one", "99999999999999999999.0"}) {
    CHECK_THAT(errors(fmt::format("format = \"{}\"\n", damaged) + model_text),
               Contains(fmt::format("'{}' is not a format: write two numbers", damaged)));
  }
  CHECK_THAT(errors("format = 1.0\n" + model_text), Contains("format"));
}
