// Networks of ONNX files as values of the axis `model`.
#include <catch2/catch.hpp>
#include <filesystem>

#include "base/error.h"
#include "base/posix_file.h"
#include "fixture.h"
#include "sweep/plan.h"
#include "workload/import/network_files.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::test;
using Catch::Matchers::Contains;

namespace {

const std::string networks = "tests/workload/import/networks/";

/// A study of the system `gpu` over networks, given as a list of TOML.
std::string study_of(const std::string& models, const std::string& keys = "") {
  return "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"gpu\"\nhardware = \"gpu-v100\"\nimage_px = 64\n" + keys +
         "[study.axes]\nmodel = " + models + "\n";
}

Plan load(const Workplace& place, const std::string& text) {
  place.write("x.toml", text);
  return load_plan(place.path("x.toml"), {"configs", {}, {}});
}

std::string error_of(const Workplace& place, const std::string& text) {
  try {
    load(place, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::vector<Hash128> identities(const Plan& plan) {
  const auto system = systems::make_system("gpu", "configs");
  std::vector<Hash128> result;
  systems::Point point(plan.studies[0].schema().axes.size());
  for (std::uint64_t i = 0; i < plan.size(); ++i) {
    plan.studies[0].point(i, point);
    result.push_back(systems::identity(*system, point));
  }
  return result;
}

}  // namespace

TEST_CASE("A point of a network is known by the network's content, not by its file's name") {
  const Workplace place;
  place.write("nets/first.onnx", read_file(networks + "squeezenet.onnx"));
  place.write("second.onnx", read_file(networks + "squeezenet.onnx"));
  place.write("third.onnx", read_file(networks + "alexnet.onnx"));
  const Plan plan = load(place, study_of(R"(["nets/first.onnx", "second.onnx", "third.onnx", "resnet-18"])"));
  const std::vector<Hash128> found = identities(plan);
  REQUIRE(found.size() == 4);
  CHECK(found[0] == found[1]);
  CHECK(found[0] != found[2]);
  CHECK(found[0] != found[3]);
}

TEST_CASE("A stored network is the same as its file") {
  const Workplace place;
  place.write("stored.onnx", read_file(networks + "u-net.onnx"));
  const Plan plan = load(place, study_of(R"(["stored.onnx"])"));
  const auto network = workload::import::find_network("stored.onnx");
  CHECK(workload::import::restore_network("stored.onnx", network->text()) == network);
  const auto renamed = workload::import::restore_network("renamed.onnx", network->text());
  CHECK(renamed->model.content == network->model.content);
  CHECK_THROWS_WITH(workload::import::restore_network("lost.onnx", ""), Contains("'lost.onnx' is not stored"));
  CHECK_THROWS_WITH(workload::import::restore_network("lost.onnx", "refuse ???"), Contains("damaged"));
}

TEST_CASE("Configurations and layer tables stand where models do, and are stored as they are") {
  const Workplace place;
  place.write("bert/config.json", read_file(networks + "bert-base-uncased/config.json"));
  place.write("table.csv", read_file(networks + "encoder-gemm.csv"));
  const std::string models = R"(["bert/config.json", "table.csv"])";
  const Plan plan = load(place,
                         "name = \"x\"\n[[study]]\nid = \"s\"\nsystem = \"gpu\"\nhardware = \"gpu-v100\"\n"
                         "[study.axes]\nmodel = " +
                             models + "\n");
  CHECK(identities(plan).size() == 2);
  for (const std::string name : {"bert/config.json", "table.csv"}) {
    CAPTURE(name);
    const auto network = workload::import::find_network(name);
    CHECK(workload::import::restore_network(name, network->text()) == network);
  }
}

TEST_CASE("Networks that cannot be read are errors at their place in the experiment") {
  const Workplace place;
  place.write("text.onnx", "no network at all");
  CHECK_THAT(error_of(place, study_of(R"(["missing.onnx", "text.onnx"])")),
             Contains("x.toml:8:10: cannot read") && Contains("x.toml:8:26:") &&
                 Contains("cannot be read as an ONNX network"));
  place.write("nets/same.onnx", read_file(networks + "u-net.onnx"));
  place.write("same.onnx", read_file(networks + "alexnet.onnx"));
  CHECK_THAT(error_of(place, study_of(R"(["nets/same.onnx", "same.onnx"])")), Contains("has the same file name"));
  CHECK_THAT(error_of(place, study_of(R"(["resnet-18"])", "unknown_operators = \"fre\"\n")),
             Contains("x.toml:7:21: invalid unknown_operators 'fre' (did you mean 'free'?)"));
}
