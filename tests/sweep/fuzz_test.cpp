#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "fixture.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;

namespace {

const std::string experiment_text = R"(name = "x"
doc = "all of the grammar"
[lists]
machines = ["small", "configs/hardware/large.toml"]
sizes = [1]
[[study]]
id = "one"
system = "machine"
hardware = "@machines"
model = "swin-b"
"hardware.clock" = "1 GHz"
where = [ "batch * share <= 4 || !reuse", 'schedule != "x" && buffer <= "1 MiB" * 2' ]
[study.sample]
method = "sobol"
points = 3
seed = 7
[study.sample.ranges]
"hardware.node_array.rows" = { from = 1, to = 64, scale = "log", step = 2 }
schedule = ["x", "y"]
[study.axes]
batch = ["@sizes", 2]
"hardware.noc.link_bandwidth" = ["1 GB/s", "2 GB/s"]
[[study.zip]]
share = [0.25, 0.5]
reuse = [true, false]
[study.table]
csv = "t.csv"
labels = ["layer"]
reference = ["latency"]
)";
/// A folder with what the experiment names.
class Folder : public Workplace {
 public:
  Folder() {
    std::string large = small_hardware;
    large.replace(large.find("400 MHz"), 7, "800 MHz");
    write("configs/hardware/large.toml", large);
  }
};

const std::string table_text = "buffer,layer,latency [ms]\n8 KiB,\"a, b\",2\n,c,\n";

/// A plan or an InputError; anything else ends the test.
void load_somehow(const Workplace& place, const std::string& experiment) {
  try {
    const Plan plan = place.load(experiment);
    for (const Study& study : plan.studies) {
      Point point(study.schema().axes.size());
      study.point(study.size() - 1, point);
      for (std::size_t axis = 0; axis < point.size(); ++axis) {
        CHECK(type_of(point[axis]) == study.schema().axes[axis].type);
      }
    }
  } catch (const InputError& error) {
    CHECK_FALSE(std::string(error.what()).empty());
    CHECK_FALSE(error.problems().empty());
  }
}

}  // namespace

TEST_CASE("The whole grammar is read") {
  const Folder place;
  place.write("t.csv", table_text);
  const auto drawn = place.load(experiment_text).studies[0];
  const auto schedules = column(drawn, "schedule");
  CHECK(drawn.size() > 0);
  CHECK(std::count(schedules.begin(), schedules.end(), "y") == static_cast<std::ptrdiff_t>(drawn.size()));
  CHECK(drawn.size() % (2 * 2 * 2 * 2 * 2) == 0);
}

TEST_CASE("A file cut anywhere is a plan or an error") {
  const Folder place;
  place.write("t.csv", table_text);
  for (std::size_t length = 0; length <= experiment_text.size(); ++length)
    load_somehow(place, experiment_text.substr(0, length));
  for (std::size_t length = 0; length <= table_text.size(); ++length) {
    place.write("t.csv", table_text.substr(0, length));
    load_somehow(place, experiment_text);
  }
  place.write("t.csv", table_text);
  const std::string hardware = small_hardware;
  for (std::size_t length = 0; length <= hardware.size(); ++length) {
    place.write("configs/hardware/small.toml", hardware.substr(0, length));
    load_somehow(place, experiment_text);
  }
}

TEST_CASE("A file with changed bytes is a plan or an error") {
  const Folder place;
  place.write("t.csv", table_text);
  std::mt19937 random(23);
  const std::string alphabet = "&|<>!?*()\"'[]{}=,.#\n\t 019aeE-+:\\\xff";
  for (int round = 0; round < 2000; ++round) {
    std::string text = experiment_text;
    for (auto changes = 1 + random() % 3; changes > 0; --changes) {
      text[random() % text.size()] = alphabet[random() % alphabet.size()];
    }
    load_somehow(place, text);
  }
}
