#include "systems/upmem/upmem.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/error.h"
#include "systems/system_points.h"
#include "systems/upmem/kernel.h"

using namespace pimsweep;
using namespace pimsweep::systems;
using Overrides = SystemPoints::Overrides;

namespace {

SystemPoints machine(const std::string& hardware = "upmem-480") { return {upmem::make_upmem("configs"), hardware}; }

Value whole(std::int64_t number) { return number; }
Value text(std::string words) { return words; }

std::vector<std::map<std::string, std::string>> rows_of(const std::string& file) {
  std::ifstream stream(file);
  std::stringstream content;
  content << stream.rdbuf();
  const CsvTable table = parse_csv(content.str(), file);
  std::vector<std::map<std::string, std::string>> rows;
  for (const auto& cells : table.rows) {
    auto& row = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) row[table.header[i].text] = cells[i].text;
  }
  return rows;
}

Overrides point_of(const std::map<std::string, std::string>& row) {
  Overrides point{{"benchmark", row.at("benchmark")},
                  {"problem", row.at("problem")},
                  {"host", row.at("host")},
                  {"dpus", whole(std::stoll(row.at("dpus")))}};
  if (!row.at("launches").empty()) point["launches"] = std::stod(row.at("launches"));
  return point;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.at(values.size() / 2);
}

double share_within(const std::vector<double>& values, double bound) {
  return static_cast<double>(std::ranges::count_if(values, [&](double v) { return v <= bound; })) /
         static_cast<double>(values.size());
}

std::vector<std::string> benchmarks(SystemPoints& points) {
  return points.schema().axes.at(static_cast<std::size_t>(points.schema().axis_index("benchmark"))).choices;
}

}  // namespace

TEST_CASE("UPMEM: kernels that were not fitted are within a few percent of measured runs") {
  SystemPoints points = machine();
  std::vector<double> deviations;
  for (const auto& row : rows_of("results/reference/upmem/prim_rows.csv")) {
    // The fixed part of a DMA was fitted to the rows of the binary search.
    const bool is_search = row.at("role") == "search";
    if (row.at("role") != "held-out" && !is_search) continue;
    INFO(row.at("source") << " " << row.at("benchmark") << " " << row.at("dpus"));
    const Record record = points.record(point_of(row));
    REQUIRE(record.status == Status::ok);
    const double deviation = std::abs(points.metric(record, "kernel") / (1e-3 * std::stod(row.at("kernel [ms]"))) - 1);
    CHECK(deviation < 0.05);
    if (!is_search) deviations.push_back(deviation);
    for (const char* exact : {"elements_per_dpu", "to_dpu_bytes", "from_dpu_bytes", "from_dpu_calls"}) {
      INFO(exact);
      if (!row.at(exact).empty()) CHECK(points.metric(record, exact) == std::stod(row.at(exact)));
    }
  }
  CHECK(deviations.size() == 28);
  CHECK(median(deviations) < 0.01);
}

TEST_CASE("UPMEM: large transfers with the bandwidth of VA on the same host, and on an unknown one") {
  SystemPoints points = machine();
  std::vector<double> known;
  std::vector<double> unknown;
  for (const auto& row : rows_of("results/reference/upmem/prim_rows.csv")) {
    const std::string& benchmark = row.at("benchmark");
    if (row.at("role") == "approximate" || benchmark == "VA" || benchmark == "TRNS") continue;
    // VA moves less than 1 MB a DPU on these hosts.
    if (row.at("dpus") == "60" && row.at("host").starts_with("vpim-rank")) continue;
    Overrides point = point_of(row);
    const Record record = points.record(point);
    point["host"] = text("unknown");
    const Record elsewhere = points.record(point);
    for (const auto& [bytes, metric, cell] :
         {std::tuple{"to_dpu_bytes", "to_dpus", "to_dpus [ms]"}, std::tuple{"from_dpu_bytes", "back", "back [ms]"}}) {
      if (row.at(bytes).empty() || row.at(cell).empty() || std::stod(row.at(bytes)) < 1e6) continue;
      const double measured = 1e-3 * std::stod(row.at(cell));
      known.push_back(std::abs(points.metric(record, metric) / measured - 1));
      const std::string name = metric;
      unknown.push_back(measured >= points.metric(elsewhere, name + "_low") &&
                                measured <= points.metric(elsewhere, name + "_high")
                            ? 0
                            : 1);
    }
  }
  CHECK(known.size() > 30);
  CHECK(median(known) < 0.1);
  CHECK(share_within(known, 0.25) > 0.85);
  CHECK(share_within(unknown, 0) > 0.8);
}

TEST_CASE("UPMEM: instructions a cycle at 1, 4 and 16 tasklets are those of uPIMulator") {
  SystemPoints points = machine();
  int checked = 0;
  for (const auto& row : rows_of("results/reference/upmem/issue_rates.csv")) {
    const std::string& benchmark = row.at("benchmark");
    if (benchmark != "GEMV" && benchmark != "HST-S" && benchmark != "RED" && benchmark != "TRNS") continue;
    const Record record = points.record(
        {{"benchmark", benchmark}, {"dpus", whole(8)}, {"tasklets", whole(std::stoll(row.at("tasklets")))}});
    INFO(benchmark << " " << row.at("tasklets"));
    CHECK(points.metric(record, "issue_rate") == Approx(std::stod(row.at("issue_rate"))).margin(0.06));
    ++checked;
  }
  CHECK(checked == 12);
}

TEST_CASE("UPMEM: up to 11 tasklets more are never slower, nor a faster clock, a faster DMA or a faster host") {
  SystemPoints points = machine();
  for (const std::string& benchmark : benchmarks(points)) {
    // Rows of a multiple of 2048 elements for each number of tasklets would hide what padding costs.
    if (benchmark == "SEL" || benchmark == "UNI" || benchmark.starts_with("SCAN")) continue;
    INFO(benchmark);
    const Overrides base{{"benchmark", benchmark}, {"dpus", whole(60)}};
    double last = INFINITY;
    for (std::int64_t tasklets = 1; tasklets <= 11; ++tasklets) {
      Overrides point = base;
      point["tasklets"] = whole(tasklets);
      const Record record = points.record(point);
      REQUIRE(record.status == Status::ok);
      // Merging histograms, and queries rounded up to a multiple of the tasklets, take a little longer.
      CHECK(points.metric(record, "kernel") <= last * 1.002);
      last = points.metric(record, "kernel");
    }
    const Record record = points.record(base);
    for (const auto& [axis, better] :
         {std::pair{"hardware.clock", 400e6}, std::pair{"hardware.dma.rate", 4.0},
          std::pair{"hardware.host.to.rank", 9e9}, std::pair{"hardware.launch.several", 0.0}}) {
      INFO(axis);
      Overrides point = base;
      point[axis] = better;
      CHECK(points.metric(points.record(point), "time") <= points.metric(record, "time"));
    }
  }
}

TEST_CASE("UPMEM: the bytes of all DPUs are those of the problem and its padding") {
  SystemPoints points = machine();
  for (const std::int64_t dpus : {1, 7, 60, 479}) {
    const Record record =
        points.record({{"benchmark", text("VA")}, {"problem", text("n=2621440")}, {"dpus", whole(dpus)}});
    const double moved = points.metric(record, "to_dpu_bytes") * static_cast<double>(dpus);
    CHECK(moved >= 8.0 * 2621440);
    CHECK(moved < 8.0 * (2621440 + 2.0 * static_cast<double>(dpus)));
    CHECK(points.metric(record, "to_dpu_bytes") == 2 * points.metric(record, "from_dpu_bytes"));
    CHECK(points.metric(record, "time") == Approx(points.metric(record, "to_dpus") + points.metric(record, "kernel") +
                                                  points.metric(record, "between") + points.metric(record, "back")));
  }
}

TEST_CASE("UPMEM: types cost what their operations cost, and what they move") {
  SystemPoints points = machine();
  const auto kernel = [&](const char* type) {
    return points.metric(points.record({{"benchmark", text("GEMV")}, {"dpus", whole(60)}, {"data_type", text(type)}}),
                         "kernel");
  };
  CHECK(kernel("own") == kernel("int32"));
  CHECK(kernel("int8") < kernel("int32"));
  CHECK(kernel("int32") < kernel("float"));
  CHECK(kernel("float") < kernel("double"));
}

TEST_CASE("UPMEM: what a machine cannot run says why") {
  SystemPoints points = machine();
  const auto reason = [&](Overrides point) {
    point.try_emplace("benchmark", text("VA"));
    const Record record = points.record(point);
    CHECK(record.status == Status::infeasible);
    return record.message;
  };
  CHECK(reason({{"dpus", whole(481)}}) == "dpus is 481, but the machine has 480: 8 ranks of 64 less 32 dead");
  CHECK(reason({{"tasklets", whole(25)}}) == "tasklets is 25, but a DPU holds 24 (hardware.threads)");
  CHECK(reason({{"block_bytes", whole(12)}}) == "block_bytes is 12, but a DMA moves multiples of 8 bytes up to 2048");
  CHECK(reason({{"block_bytes", whole(4096)}}) ==
        "block_bytes is 4096, but a DMA moves multiples of 8 bytes up to 2048");
  CHECK(reason({{"problem", text("n=100000000")}, {"dpus", whole(1)}}) ==
        "the data of a DPU take 1200000000 bytes, but its bank (MRAM) has 67108864: use more DPUs");
  CHECK(reason({{"block_bytes", whole(2048)}, {"tasklets", whole(24)}}) ==
        "buffers and stacks take 172032 bytes, but the scratchpad (WRAM) has 65536: use smaller blocks or fewer "
        "tasklets");
  CHECK(reason({{"benchmark", text("BS")}, {"problem", text("keys=1000 queries=2000")}, {"dpus", whole(8)}}) ==
        "BS: queries beyond the keys are printed by the DPU, which is not a search");
  CHECK_THROWS_WITH(points.record({{"benchmark", text("VA")}, {"problem", text("m=5")}}),
                    "problem: unknown size 'm' (did you mean 'n'?); sizes of this benchmark: n");
  CHECK_THROWS_WITH(points.record({{"benchmark", text("VA")}, {"problem", text("n=many")}}),
                    "problem: expected sizes as in \"m=8192 n=1024\", whole numbers from 1 to 2^50, got 'n=many'");
}

TEST_CASE(
    "UPMEM: a mistake in the description of a kernel has its place and the nearest name, and harms no other kernel") {
  const std::filesystem::path root = std::filesystem::temp_directory_path() / "pimsweep-upmem-test";
  std::filesystem::create_directories(root / "upmem-kernels");
  const std::string file = (root / "upmem-kernels" / "own.toml").string();
  const auto problem = [&](const std::string& lines) {
    std::ofstream(file)
        << "family = \"upmem-kernel\"\n[[model]]\nname = \"own\"\nsource = \"here\"\nbasis = \"counted\"\n"
        << lines;
    ConfigFolders folders;
    folders.hardware.push_back({root.string(), false, {}});
    try {
      upmem::KernelLibrary(folders).kernel("own");
    } catch (const InputError& error) {
      const std::string message = error.what();
      return message.substr(message.find('\n') + 1);
    }
    return std::string();
  };
  const std::string rest = "problem = \"n=8\"\nmram_bytes = \"8 * elements\"\n";
  CHECK(problem(rest + "elements = \"n / dpus\"\ninstructions = 6\n").empty());
  CHECK(problem(rest + "elements = \"n / dpu\"\ninstructions = 6\n") ==
        file +
            ":8:17: 'elements': unknown name 'dpu' (did you mean 'dpus'?); names: dpus, tasklets, block_bytes, "
            "type_bytes, n");
  CHECK(problem(rest + "elements = \"n / dpus\"\ninstructions = 6\ncycles = 7\n") ==
        file + ":10:1: expected either 'cycles' (measured) or 'instructions' (counted) of an element");
  CHECK(problem(rest + "elements = \"n / dpus\"\ninstructions = 6\nread_byte = 4\n").find("read_byte") !=
        std::string::npos);
  ConfigFolders folders("configs");
  folders.hardware.insert(folders.hardware.begin(), {root.string(), false, {}});
  SystemPoints points{upmem::make_upmem(folders), "upmem-480"};
  CHECK(points.record({{"benchmark", text("VA")}}).status == Status::ok);
  CHECK_THROWS_AS(points.record({{"benchmark", text("own")}}), InputError);
  std::filesystem::remove_all(root);
}
