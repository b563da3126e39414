#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "fixture.h"
#include "sweep/bit_set.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;
using namespace pimsweep;

namespace {

using Texts = std::vector<std::string>;

const std::string plain_text = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"plain\"\n";
/// Six lines; `where` stands on line 7.
const std::string machine_text =
    "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\nmodel = \"swin-b\"\n";
const std::string axes_text = "[study.axes]\nbatch = [1, 2, 3]\nshare = [0.25, 0.5]\nreuse = [true, false]\n";

std::string where(const std::string& condition) { return "where = '" + condition + "'\n"; }

std::uint64_t count(const std::string& text) {
  static const Workplace place;
  return place.load(text).size();
}

std::string errors(const std::string& text) {
  static const Workplace place;
  return place.errors(text);
}

/// Error in a condition on line 7, whose first character is in column 10.
std::string errors_of(const std::string& condition) { return errors(machine_text + where(condition) + axes_text); }

}  // namespace

TEST_CASE("A ranked bit set finds its members") {
  std::mt19937_64 random(1);
  for (const std::uint64_t size : {1U, 63U, 64U, 65U, 511U, 512U, 513U, 5000U, 70000U}) {
    for (const std::uint64_t rarity : {1U, 2U, 50U, 3000U}) {
      BitSet bits(size);
      std::vector<std::uint64_t> members;
      for (std::uint64_t i = 0; i < size; ++i) {
        if (random() % rarity != 0) continue;
        bits.insert(i);
        members.push_back(i);
      }
      const RankedBitSet ranked(std::move(bits));
      REQUIRE(ranked.size() == members.size());
      for (std::size_t k = 0; k < members.size(); ++k) CHECK(ranked.member(k) == members[k]);
    }
  }
}

TEST_CASE("where keeps the points for which it is true, in their order") {
  const Workplace place;
  const Plan plan = place.load(machine_text + where("batch * share <= 1 && reuse") + axes_text);
  const Study& study = plan.studies[0];
  CHECK(column(study, "batch") == Texts{"1", "1", "2", "2", "3"});
  CHECK(column(study, "share") == Texts{"0.25", "0.5", "0.25", "0.5", "0.25"});
  CHECK(study.varies(1));
  CHECK(study.varies(3));
  CHECK_FALSE(study.varies(4));
}

TEST_CASE("All conditions of a list must hold") {
  CHECK(count(machine_text + "where = [ \"batch >= 2\", \"share < 0.5\" ]\n" + axes_text) == 4);
  CHECK(count(machine_text + "where = \"batch >= 2 && share < 0.5\"\n" + axes_text) == 4);
}

TEST_CASE("Conditions use every kind of axis") {
  CHECK(count(machine_text + where("hardware.node_array.rows == 8") + axes_text) == 12);
  CHECK(count(machine_text + where("hardware.node_array.rows * batch >= 16") + axes_text) == 8);
  CHECK(count(machine_text + where("model == \"swin-b\"") + axes_text) == 12);
  CHECK(count(machine_text + where("!reuse") + axes_text) == 6);
  CHECK(count(machine_text + where("reuse == false || batch == 1") + axes_text) == 8);
  CHECK(count(machine_text + where("max(batch, 2) == 2") + axes_text) == 8);
  CHECK(count(machine_text + where("reuse ? batch > 1 : batch == 1") + axes_text) == 6);
  CHECK(count(machine_text + where("batch^2 > 8.5e0") + axes_text) == 4);
  CHECK(count(machine_text + where("true") + axes_text) == 12);
  const std::string more =
      "[study.axes]\nschedule = [\"\", \"a b\", \"c\"]\nbuffer = [\"1 KiB\", \"1 MiB\", \"4 MiB\"]\n"
      "\"hardware.noc.transfer\" = [\"pipelined\", \"store-and-forward\"]\n"
      "\"hardware.clock\" = [\"400 MHz\", \"1 GHz\"]\n";
  CHECK(count(machine_text + where("schedule != \"a b\"") + more) == 24);
  CHECK(count(machine_text + where("\"\" == schedule") + more) == 12);
  CHECK(count(machine_text + where("schedule != \"not there\"") + more) == 36);
  CHECK(count(machine_text + where("buffer >= \"1 MiB\"") + more) == 24);
  CHECK(count(machine_text + where("\"1 MiB\" < buffer && hardware.clock == \"1 GHz\"") + more) == 6);
  CHECK(count(machine_text + where("buffer > 1048575") + more) == 24);
  CHECK(count(machine_text + where("hardware.noc.transfer == \"pipelined\" && schedule != model") + more) == 18);
  CHECK(count(machine_text + where("(schedule == \"c\") + (buffer == \"1 KiB\") == 1") + more) == 16);
  // Quantities outside the axis' limits are fine in a comparison.
  CHECK(count(machine_text + where("hardware.clock < \"900 GHz\"") + more) == 36);
}

TEST_CASE("A condition filters samples, zips and tables") {
  const Workplace place;
  place.write("t.csv", "e,tag\n1,a\n2,b\n3,c\n");
  const std::string rest =
      "[study.sample]\nmethod = \"lhs\"\npoints = 50\n[study.sample.ranges]\na = { from = 1, to = 50 }\nb = [1, 2, 3]\n"
      "[study.axes]\nc = [1, 2]\n[[study.zip]]\nd = [4, 5]\n[study.table]\ncsv = \"t.csv\"\nlabels = [\"tag\"]\n";
  const Plan whole = place.load(plain_text + rest);
  const Plan filtered = place.load(plain_text + where("a <= 10 * c && b + d != 6 && e != 2") + rest);
  const Study& all = whole.studies[0];
  const Study& kept = filtered.studies[0];
  REQUIRE(all.size() == 600);
  Point point(6);
  Point expected(6);
  std::uint64_t next = 0;
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    all.point(i, expected);
    if (expected.integer(0) > 10 * expected.integer(2)) continue;
    if (expected.integer(1) + expected.integer(3) == 6 || expected.integer(4) == 2) continue;
    REQUIRE(next < kept.size());
    kept.point(next, point);
    for (std::size_t k = 0; k < 6; ++k) CHECK(point[k] == expected[k]);
    CHECK(kept.carried_value(0, next) == all.carried_value(0, i));
    ++next;
  }
  CHECK(next == kept.size());
  CHECK(next > 0);
}

TEST_CASE("Random conditions keep what a loop keeps") {
  const Workplace place;
  std::mt19937 random(17);
  const char* const names = "abcdef";
  for (int round = 0; round < 100; ++round) {
    const auto p = random() % 6;
    const auto q = random() % 6;
    const auto limit = static_cast<std::int64_t>(random() % 12);
    const auto divisor = 1 + static_cast<std::int64_t>(random() % 4);
    std::string axes = "[study.axes]\n";
    for (int k = 0; k < 6; ++k) axes += fmt::format("{} = [{}]\n", names[k], random() % 2 == 0 ? "1, 2, 3" : "0, 5");
    const Plan whole = place.load(plain_text + axes);
    const std::string conditions = fmt::format("where = [ \"{} + 2 * {} <= {}\", \"{} * {} != {}\" ]\n", names[p],
                                               names[q], limit, names[q], divisor, limit);
    std::vector<Texts> expected;
    Point point(6);
    const auto row = [&] {
      Texts values;
      for (std::size_t k = 0; k < 6; ++k) values.push_back(to_text(point[k]));
      return values;
    };
    for (std::uint64_t i = 0; i < whole.size(); ++i) {
      whole.studies[0].point(i, point);
      if (point.integer(p) + 2 * point.integer(q) > limit || point.integer(q) * divisor == limit) continue;
      expected.push_back(row());
    }
    const std::string text = fmt::format("{}{}{}", plain_text, conditions, axes);
    if (expected.empty()) {
      CHECK(place.errors(text).find("'where' keeps none of the ") != std::string::npos);
      continue;
    }
    const Plan filtered = place.load(text);
    REQUIRE(filtered.size() == expected.size());
    std::vector<std::set<std::string>> seen(6);
    for (std::uint64_t i = filtered.size(); i-- > 0;) {
      filtered.studies[0].point(i, point);
      CHECK(row() == expected[i]);
      for (std::size_t k = 0; k < 6; ++k) seen[k].insert(expected[i][k]);
    }
    for (std::size_t k = 0; k < 6; ++k) CHECK(filtered.studies[0].varies(k) == (seen[k].size() > 1));
  }
}

TEST_CASE("where is applied after overrides") {
  const Workplace place;
  const std::string text = machine_text + where("batch * share > 0.6") + axes_text;
  CHECK(place.load(text, {{}, {}, {"batch=2"}}).size() == 2);
  CHECK(place.errors(text, {{}, {}, {"batch=1"}}) == "x.toml:7:9: 'where' keeps none of the 4 points");
}

TEST_CASE("The hash changes with a condition") {
  const Workplace place;
  std::set<Hash128> hashes;
  for (const char* line : {"", "where = 'batch < 3'\n", "where = 'batch < 2'\n", "where = ['batch < 3', 'reuse']\n",
                           "where = ['reuse', 'batch < 3']\n"}) {
    CHECK(hashes.insert(place.load(fmt::format("{}{}{}", machine_text, line, axes_text)).hash()).second);
  }
}

TEST_CASE("A wrong word in a condition has its own place") {
  CHECK(errors_of("batch <= 4 && bacth > 1") ==
        "x.toml:7:24: unknown name 'bacth': neither an axis of system 'machine' nor a function (did you mean "
        "'batch'?)");
  CHECK(errors_of("hardware.node_array.row == 1") ==
        "x.toml:7:10: unknown name 'hardware.node_array.row': neither an axis of system 'machine' nor a function (did "
        "you mean 'hardware.node_array.rows'?)");
  CHECK(errors_of("buffer > 4 MiB") ==
        "x.toml:7:21: unknown name 'MiB': neither an axis of system 'machine' nor a function (did you mean 'min'?); "
        "write a "
        "quantity with a unit in quotes");
  CHECK(errors_of("batch = 4") == "x.toml:7:16: unexpected '=': write == to compare");
  CHECK(errors_of("batch == 4 & reuse") == "x.toml:7:21: unexpected '&': write && for 'and'");
  CHECK(errors_of("batch == 4 \xc3\xa4") == "x.toml:7:21: unexpected '\xc3\xa4'");
  CHECK(errors_of("model == \"swin-b") == "x.toml:7:19: missing closing quote");
  CHECK(errors_of("sqrt batch > 1") == "x.toml:7:10: function 'sqrt' needs parentheses: sqrt(...)");
}

TEST_CASE("A syntax error has its place") {
  CHECK(errors_of("batch batch") == "x.toml:7:16: unexpected 'batch'");
  CHECK(errors_of("batch < < 4") == "x.toml:7:18: unexpected '<'");
  CHECK(errors_of("* batch") == "x.toml:7:10: unexpected '*'");
  CHECK(errors_of("batch > 1) && reuse") == "x.toml:7:19: unexpected ')'");
  CHECK(errors_of("(batch > 1") == "x.toml:7:20: a ')' is missing");
  CHECK(errors_of("batch >") == "x.toml:7:17: the condition ends too early");
  CHECK(errors_of("!") == "x.toml:7:11: the condition ends too early");
  CHECK(errors_of("2 batch > 1") == "x.toml:7:12: unexpected 'batch'");
  CHECK(errors_of("1.2.3 < batch") == "x.toml:7:10: unexpected '1.2.3'");
  CHECK(errors_of("reuse && sqrt(batch, 2) > 1") == "x.toml:7:19: too many operands for function 'sqrt'");
  CHECK(errors_of("reuse && min() > 1") == "x.toml:7:19: too few operands for function 'min'");
  CHECK(errors_of("reuse ? batch > 1") == "x.toml:7:27: the '?' has no matching ':'");
  CHECK(errors_of("batch > 1, reuse") ==
        "x.toml:7:9: this is more than one condition: join them with && or write a list of conditions");
  CHECK(errors_of("") == "x.toml:7:9: the condition is empty");
  CHECK(errors_of("   ") == "x.toml:7:9: the condition is empty");
}

TEST_CASE("Texts are compared with texts") {
  CHECK(errors_of("model == \"swim-b\"") ==
        "x.toml:7:19: 'swim-b' is not a value of axis 'model' (did you mean 'swin-b'?); allowed: swin-t, swin-b, "
        "vit-b");
  CHECK(errors_of("model == 4") == "x.toml:7:10: axis 'model' is text: compare it with a text, as in model == \"...\"");
  CHECK(errors_of("model") == "x.toml:7:10: axis 'model' is text: compare it with a text, as in model == \"...\"");
  CHECK(errors_of("batch == model") ==
        "x.toml:7:19: axis 'model' is text: compare it with a text, as in model == \"...\"");
  CHECK(errors_of("batch == \"four\"") ==
        "x.toml:7:19: axis 'batch' is a number: compare it with a number, not with 'four'");
  CHECK(errors_of("reuse == \"true\"") == "x.toml:7:19: axis 'reuse' is true or false, not the text 'true'");
  CHECK(errors_of("buffer > \"4 MHz\"") ==
        "x.toml:7:19: axis 'buffer': '4 MHz' has the wrong dimension; a quantity in B is needed, for example '8 MiB'");
  CHECK(errors_of("model < \"swin-b\"") == "x.toml:7:16: expected == or != between texts, got <");
  CHECK(errors_of("\"a\" == \"a\"") ==
        "x.toml:7:10: the text 'a' is not compared with an axis, as in axis == \"...\"\n"
        "x.toml:7:17: the text 'a' is not compared with an axis, as in axis == \"...\"");
  CHECK(errors_of("model == \"swin-b\" + 1") ==
        "x.toml:7:10: write a comparison of texts within a formula in parentheses");
  CHECK(errors_of("!model == \"swin-b\"") ==
        "x.toml:7:11: write a comparison of texts within a formula in parentheses");
}

TEST_CASE("A condition is true or false at every point") {
  CHECK(errors_of("batch * share") ==
        "x.toml:7:9: the condition must be true or false, but is 0.25 at batch = 1, share = 0.25: compare it with "
        "something");
  CHECK(errors_of("(batch - 2) / (share - 0.5) > 1 || (batch - 2) / (share - 0.5) < 7") ==
        "x.toml:7:9: the condition is not a number at batch = 2, share = 0.5: it divides zero by zero or leaves the "
        "domain of a function");
  CHECK(errors_of("sqrt(batch - 2) >= 0") ==
        "x.toml:7:9: the condition is not a number at batch = 1: it divides zero by zero or leaves the domain of a "
        "function");
  CHECK(errors_of("0 / 0 == 1") ==
        "x.toml:7:9: the condition is not a number: it divides zero by zero or leaves the domain of a function");
  CHECK(errors_of("batch > 3") == "x.toml:7:9: 'where' keeps none of the 12 points");
  CHECK(errors_of("false") == "x.toml:7:9: 'where' keeps none of the 12 points");
}

TEST_CASE("where is text or a list of texts") {
  CHECK(errors(machine_text + "where = true\n") ==
        "x.toml:7:9: 'where': expected a condition in quotes, as in \"batch <= 8\", got the boolean true");
  CHECK(errors(machine_text + "where = [ \"batch >= 1\", 4, \"bath > 1\" ]\n") ==
        "x.toml:7:25: 'where': expected a condition in quotes, as in \"batch <= 8\", got the integer 4\n"
        "x.toml:7:29: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
  CHECK(errors(machine_text + "where = []\n") == "x.toml:7:9: 'where' has an empty list: add at least one condition");
}

TEST_CASE("Places are found through escapes and lines") {
  CHECK(errors(machine_text + "where = \"model == \\\"swin-b\\\" && bath > 1\"\n") ==
        "x.toml:7:33: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
  CHECK(errors(machine_text + "where = \"\\u0062atch > 1 && \\t bath > 1\"\n") ==
        "x.toml:7:31: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
  CHECK(errors(machine_text + "where = \"\"\"\nbatch > 1 &&\n  bath > 1\"\"\"\n") ==
        "x.toml:9:3: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
  CHECK(errors(machine_text + "where = \"\"\"batch > 1 && \\\n    bath > 1\"\"\"\n") ==
        "x.toml:8:5: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
  CHECK(errors(machine_text + "where = '''\n\nbath > 1'''\n") ==
        "x.toml:9:1: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
  CHECK(errors(machine_text + "doc = \"\xc3\xa4\"\nwhere = \"schedule != '\xc3\xa4\xc3\xb6' && bath > 1\"\n") ==
        "x.toml:8:30: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
  CHECK(errors("\xef\xbb\xbf" + machine_text + "\nwhere = 'bath > 1'\n") ==
        "x.toml:8:10: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
}

TEST_CASE("A condition is checked though other things are wrong") {
  CHECK(errors(machine_text + "bacth = 3\nwhere = 'bath > 1'\n") ==
        "x.toml:7:1: unknown key 'bacth': neither a key of a study nor an axis of system 'machine' (did you mean "
        "'batch'?)\n"
        "x.toml:8:10: unknown name 'bath': neither an axis of system 'machine' nor a function (did you mean 'batch'?)");
}

TEST_CASE("A product that is too large is not filtered") {
  CHECK(errors(plain_text + "where = 'b == 1'\n[study.sample]\nmethod = \"random\"\npoints = 4294967295\n"
                            "[study.sample.ranges]\na = { from = 1, to = 2 }\n[study.axes]\nb = [1, 2]\n") ==
        "x.toml:5:9: 'where' supports products of at most 4294967296 points, this one has 8589934590");
}

TEST_CASE("A long condition is refused") {
  std::string condition = "batch > 0";
  while (condition.size() < 200'000) condition += " && batch > 0";
  CHECK(errors_of(condition) == "x.toml:7:9: the condition is too long: write a list of several");
}
