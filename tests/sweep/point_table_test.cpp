#include <catch2/catch.hpp>
#include <cmath>

#include "fixture.h"

using namespace pimsweep::sweep;
using namespace pimsweep::test;
using namespace pimsweep;
using namespace pimsweep::systems;

namespace {

using Texts = std::vector<std::string>;

const std::string study_text = "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"machine\"\nhardware = \"small\"\n";
const std::string table = "[study.table]\ncsv = \"t.csv\"\n";

std::string table_errors(const std::string& csv, const std::string& more = {}) {
  const Workplace place;
  place.write("t.csv", csv);
  return place.errors(study_text + table + more);
}

}  // namespace

TEST_CASE("Each row of a table is a point") {
  const Workplace place;
  place.write("t.csv",
              "model,batch,share,reuse,buffer,hardware.clock [MHz],schedule\r\n"
              "swin-t,2,0.25,false,8 KiB,200,\"1x1, \"\"2x2\"\"\"\r\n"
              "swin-b,,,,,,\r\n");
  const Plan plan = place.load(study_text + table);
  const Study& study = plan.studies[0];
  CHECK(study.size() == 2);
  CHECK(column(study, "model") == Texts{"swin-t", "swin-b"});
  CHECK(column(study, "batch") == Texts{"2", "1"});
  CHECK(column(study, "share") == Texts{"0.25", "0.5"});
  CHECK(column(study, "reuse") == Texts{"false", "true"});
  CHECK(column(study, "buffer") == Texts{"8192", "1024"});
  // An empty cell of a hardware axis takes the hardware file's value.
  CHECK(column(study, "hardware.clock") == Texts{"200000000", "400000000"});
  CHECK(column(study, "schedule") == Texts{"1x1, \"2x2\"", ""});
  CHECK(study.carried().empty());
}

TEST_CASE("An ignored column leaves its axis to the rest of the file") {
  const Workplace place;
  place.write("t.csv", "model,batch,note\nswin-t,7,a\nswin-b,8,b\n");
  const Plan plan = place.load(study_text + table + "ignore = [\"batch\", \"note\"]\n[study.axes]\nbatch = [1, 2]\n");
  const Study& study = plan.studies[0];
  CHECK(column(study, "batch") == Texts{"1", "1", "2", "2"});
  CHECK(study.carried().empty());
  CHECK(table_errors("model,note\nswin-t,a\n", "labels = [\"note\"]\nignore = [\"note\", \"nott\"]\n") ==
        "x.toml:8:11: column 'note' is also named in 'ignore'\n"
        "x.toml:9:19: the table t.csv does not have a column 'nott' (did you mean 'note'?)");
}

TEST_CASE("A table is the fastest factor of the product") {
  const Workplace place;
  place.write("data/t.csv", "model,layer\nswin-t,first\nswin-b,second\n");
  const Plan plan =
      place.load(study_text +
                 "[study.table]\ncsv = \"data/t.csv\"\nlabels = [\"layer\"]\n[study.axes]\nbatch = [1, 2]\n"
                 "[[study.zip]]\nshare = [0, 1]\n");
  const Study& study = plan.studies[0];
  CHECK(column(study, "batch") == Texts{"1", "1", "1", "1", "2", "2", "2", "2"});
  CHECK(column(study, "share") == Texts{"0", "0", "1", "1", "0", "0", "1", "1"});
  CHECK(column(study, "model") ==
        Texts{"swin-t", "swin-b", "swin-t", "swin-b", "swin-t", "swin-b", "swin-t", "swin-b"});
  for (std::uint64_t i = 0; i < 8; ++i) CHECK(to_text(study.carried_value(0, i)) == (i % 2 == 0 ? "first" : "second"));
}

TEST_CASE("Labels and references ride along") {
  const Workplace place;
  place.write("t.csv",
              "model,layer,size,depth,latency [ms],cycles\n"
              "swin-t,a,1.5,3,2,100\n"
              "swin-b,b,,4,,1e3\n"
              "vit-b,7,2,5,1.25,0\n");
  const Plan plan = place.load(study_text + table +
                               "labels = [\"layer\", \"size\", \"depth\"]\nreference = [\"cycles\", \"latency\"]\n");
  const Study& study = plan.studies[0];
  const auto& carried = study.carried();
  REQUIRE(carried.size() == 5);
  CHECK(carried[0].name == "layer");
  CHECK(carried[0].role == CarriedColumn::Role::label);
  CHECK(carried[0].type == ValueType::text);
  CHECK(carried[1].type == ValueType::real);
  CHECK(carried[2].type == ValueType::integer);
  CHECK(carried[3].name == "cycles");
  CHECK(carried[3].role == CarriedColumn::Role::reference);
  CHECK(carried[3].type == ValueType::real);
  CHECK(std::get<std::string>(study.carried_value(0, 2)) == "7");
  CHECK(std::get<double>(study.carried_value(1, 0)) == 1.5);
  CHECK(std::isnan(std::get<double>(study.carried_value(1, 1))));
  CHECK(std::get<std::int64_t>(study.carried_value(2, 1)) == 4);
  CHECK(std::get<double>(study.carried_value(3, 1)) == 1000.0);
  CHECK(std::get<double>(study.carried_value(4, 0)) == 2e-3);
  CHECK(std::isnan(std::get<double>(study.carried_value(4, 1))));
}

TEST_CASE("A reference may be SI, or have its unit in the header or in the cell") {
  const Workplace place;
  place.write("t.csv", "model,latency\nswin-t,0.5\nswin-b,3 us\n");
  const Plan plan = place.load(study_text + table + "reference = [\"latency\"]\n");
  CHECK(std::get<double>(plan.studies[0].carried_value(0, 0)) == 0.5);
  CHECK(std::get<double>(plan.studies[0].carried_value(0, 1)) == 3e-6);
}

TEST_CASE("Problems in a table have its own line and column") {
  CHECK(table_errors("model,batch\nswin-t,0\nswim-b,2\n\"vit-b\",x\n") ==
        "t.csv:2:8: axis 'batch' must be at least 1, got 0\n"
        "t.csv:3:1: 'swim-b' is not a value of axis 'model' (did you mean 'swin-b'?); allowed: swin-t, swin-b, vit-b\n"
        "t.csv:4:9: axis 'batch': expected an integer, got 'x' (text)");
  CHECK(table_errors("model,hardware.clock\nswin-t,400\n") ==
        "t.csv:2:8: axis 'hardware.clock': '400' has no unit; a quantity in Hz is needed, for example '400 MHz'");
  CHECK(table_errors("model,hardware.clock [MHz]\nswin-t,400 MHz\n") ==
        "t.csv:2:8: axis 'hardware.clock': expected a plain number, got '400 MHz': the header gives the unit MHz");
  CHECK(table_errors("model,hardware.clock [MB]\nswin-t,400\n") ==
        "t.csv:1:7: axis 'hardware.clock': '1 MB' has the wrong dimension; a quantity in Hz is needed, for example "
        "'400 MHz'");
  CHECK(table_errors("model [MHz],batch [kOP]\nswin-t,4\n") ==
        "t.csv:1:1: axis 'model' is text and cannot have a unit, got [MHz]\n"
        "t.csv:1:13: axis 'batch' is a plain number, got [kOP]");
  CHECK(table_errors("model,batch\n,2\n") == "t.csv:2:1: axis 'model' has no default: this cell cannot be empty");
  CHECK(table_errors("model,batch\nswin-t\n") == "t.csv:2:1: this row has 1 cells, the header has 2");
  CHECK(table_errors("model,cycles [ms]\nswin-t,4\n", "reference = [\"cycles\"]\n") ==
        "t.csv:1:7: reference 'cycles': '1 ms' has the wrong dimension; a plain number is needed");
  CHECK(table_errors("model,latency\nswin-t,x\n", "reference = [\"latency\"]\n") ==
        "t.csv:2:8: reference 'latency': 'x' does not begin with a number; a quantity in s is needed, for example '10 "
        "ns'");
}

TEST_CASE("An unknown or repeated column is an error") {
  CHECK(table_errors("model,bacth\nswin-t,2\n") ==
        "t.csv:1:7: column 'bacth' is not an axis of system 'machine' (did you mean 'batch'?); name it in labels or "
        "reference "
        "to carry it into the results, or in ignore");
  CHECK(table_errors("model,batch,batch\nswin-t,2,3\n") ==

        "t.csv:1:13: column 'batch' occurs twice in the header: first at t.csv:1:7");
  CHECK(table_errors("model,layer\nswin-t,2\n", "labels = [\"layr\", \"layer\", \"layer\"]\n") ==
        "x.toml:8:11: the table t.csv does not have a column 'layr' (did you mean 'layer'?)\n"
        "x.toml:8:28: column 'layer' is named twice in 'labels'");
  CHECK(table_errors("model,latncy\nswin-t,2\n", "reference = [\"latncy\"]\n") ==
        "x.toml:8:14: 'latncy' is not a metric of system 'machine' (did you mean 'latency'?) and cannot be a "
        "reference");
  CHECK(table_errors("model,bottleneck\nswin-t,noc\n", "reference = [\"bottleneck\"]\n") ==
        "x.toml:8:14: metric 'bottleneck' is text: it cannot be a reference");
  CHECK(table_errors("model,batch\nswin-t,2\n", "labels = [\"batch\"]\n") ==
        "x.toml:8:11: column 'batch' is an axis of system 'machine': it is in the results already");
  CHECK(table_errors("model\nswin-t\n", "labels = \"layer\"\nreference = [1]\n") ==
        "x.toml:8:10: 'labels': expected a list of column names, got the text 'layer'\n"
        "x.toml:9:14: 'reference': expected text, got the integer 1");
}

TEST_CASE("A table is there and not empty") {
  CHECK(table_errors("") == "t.csv: the table is empty: a header line with column names is needed");
  CHECK(table_errors("model\n") == "t.csv: the table does not have rows after its header");
  const Workplace place;
  CHECK(place.errors(study_text + "model = \"swin-b\"\n" + table) ==
        "x.toml:8:7: cannot read 't.csv': No such file or directory");
}

TEST_CASE("An axis is not both in a table and elsewhere") {
  const Workplace place;
  place.write("t.csv", "model,batch\nswin-t,2\n");
  CHECK(place.errors(study_text + "batch = 3\n" + table) ==
        "t.csv:1:7: axis 'batch' is set twice: first at x.toml:6:1");
}

TEST_CASE("An overridden axis leaves the table's rows and labels") {
  const Workplace place;
  place.write("t.csv", "model,layer\nswin-t,a\nswin-b,b\n");
  const Plan plan = place.load(study_text + table + "labels = [\"layer\"]\n", {{}, {}, {"model=vit-b"}});
  CHECK(column(plan.studies[0], "model") == Texts{"vit-b", "vit-b"});
  CHECK(to_text(plan.studies[0].carried_value(0, 1)) == "b");
}
