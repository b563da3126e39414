#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "../../hardware/reference.h"
#include "../system_points.h"
#include "systems/parts/parts.h"
#include "workload/import/network_files.h"

using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

Value text(std::string value) { return Value{std::move(value)}; }
Value count(std::int64_t value) { return Value{value}; }

SystemPoints nvdla() { return {make_gemm("configs"), "gemm-nvdla"}; }

SystemPoints::Overrides product(std::int64_t m, std::int64_t n, std::int64_t k) {
  return {{"M", count(m)},          {"N", count(n)},          {"K", count(k)},
          {"array_rows", count(8)}, {"array_cols", count(8)}, {"dram_words_per_cycle", Value{16.0}}};
}

SystemPoints::Overrides of_row(const test::Reference& rows, std::size_t row) {
  return product(rows.integer(row, "M"), rows.integer(row, "N"), rows.integer(row, "K"));
}

/// Registers a network, and returns its name.
std::string network(const std::string& name, const std::string& contents) {
  const auto folder = std::filesystem::temp_directory_path() / ("pimsweep-gemm-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name) << contents;
  const auto read = workload::import::read_network_file((folder / name).string(), {});
  std::filesystem::remove_all(folder);
  return read->name;
}

SystemPoints::Overrides on_array(const std::string& model, const char* dataflow, std::int64_t side = 16) {
  return {
      {"model", text(model)}, {"dataflow", text(dataflow)}, {"array_rows", count(side)}, {"array_cols", count(side)}};
}

std::int64_t integer(const Value& value) { return std::get<std::int64_t>(value); }

std::int64_t sum(const std::vector<Value>& values) {
  std::int64_t total = 0;
  for (const Value& value : values) total += integer(value);
  return total;
}

const char* const convolutions =
    "Layer name, IFMAP Height, IFMAP Width, Filter Height, Filter Width, Channels, Num Filter, Strides,\n";

}  // namespace

TEST_CASE("SCALE-Sim's rows are met exactly") {
  SystemPoints points = nvdla();
  const test::Reference rows("results/reference/gemm/scalesim.csv");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    CAPTURE(rows.text(row, "case_id"));
    SystemPoints::Overrides overrides = of_row(rows, row);
    overrides["dataflow"] = text(rows.text(row, "dataflow"));
    for (const char* axis : {"array_rows", "array_cols"}) overrides[axis] = count(rows.integer(row, axis));
    overrides["dram_words_per_cycle"] = Value{0.0};
    const Record record = points.record(overrides);
    for (const char* name : {"array_busy_lines", "cycles_total_no_stall", "sram_ifmap_reads", "sram_filter_reads",
                             "sram_ofmap_writes", "folds"}) {
      CAPTURE(name);
      if (!rows.text(row, name).empty()) CHECK(points.metric(record, name) == rows.real(row, name));
    }
    for (const char* name : {"overall_util_pct", "mapping_efficiency_pct", "compute_util_pct"}) {
      CAPTURE(name);
      if (!rows.text(row, name).empty())
        CHECK(points.metric(record, name) == Approx(rows.real(row, name)).margin(6e-5));
    }
    CHECK(points.metric(record, "cycles") == rows.real(row, "array_busy_lines"));
  }
}

TEST_CASE("the hardware file has the engine and the energies of Timeloop's rows") {
  SystemPoints points = nvdla();
  const test::Reference rows("results/reference/gemm/timeloop.csv");
  for (std::size_t row = 0; row < rows.size(); ++row) {
    CAPTURE(rows.text(row, "case_id"));
    SystemPoints::Overrides overrides = of_row(rows, row);
    overrides["dram_words_per_cycle"] = Value{rows.real(row, "dram_words_per_cycle")};
    overrides["metrics"] = text(rows.text(row, "metrics"));
    overrides["best_mapping"] = text(rows.text(row, "best_mapping"));
    const Record best = points.record(overrides);
    overrides["mapper"] = text("given");
    const Record theirs = points.record(overrides);
    const auto metric = [&](const Record& record, const char* name) { return points.metric(record, name); };
    CHECK(metric(theirs, "compute_cycles") == rows.real(row, "compute_cycles"));
    if (rows.text(row, "best_mapping").find(';') == std::string::npos) {
      CHECK(metric(theirs, "utilization_pct") == Approx(rows.real(row, "utilization_pct")).margin(0.00501));
      for (const char* part : {"MACs", "Registers", "AccBuffer", "Buffer", "DRAM"}) {
        const std::string name = std::string("fJ_") + part;
        CHECK(points.metric(theirs, name) == Approx(rows.real(row, name)).margin(0.00501));
      }
    }
    const char* first = rows.text(row, "metrics") == "delay then energy" ? "cycles" : "energy";
    CHECK(metric(best, first) <= metric(theirs, first));
  }
}

TEST_CASE("cycles, utilization and energy of every dataflow are consistent") {
  SystemPoints points = nvdla();
  for (const char* dataflow : {"mapped", "os", "ws", "is"}) {
    CAPTURE(dataflow);
    SystemPoints::Overrides overrides = product(197, 64, 197);
    overrides["dataflow"] = text(dataflow);
    const Record r = points.record(overrides);
    const auto m = [&](const char* name) { return points.metric(r, name); };
    CHECK(m("cycles") >= m("compute_cycles"));
    CHECK(m("utilization_pct") == Approx(100 * m("macs") / (64 * m("cycles"))));
    CHECK(m("utilization_pct") <= 100);
    CHECK(m("energy_delay") == Approx(m("energy") * m("cycles")));
    CHECK(m("fJ_per_MAC_total") ==
          Approx(m("fJ_MACs") + m("fJ_Registers") + m("fJ_AccBuffer") + m("fJ_Buffer") + m("fJ_DRAM")));
    CHECK(std::isnan(m("folds")) == (std::string(dataflow) == "mapped"));
    CHECK(std::isnan(m("dram_reads_A")) == (std::string(dataflow) != "mapped"));
    // A slow DRAM is what cycles then wait for.
    overrides["dram_words_per_cycle"] = Value{0.5};
    CHECK(points.metric(points.record(overrides), "cycles") == 2 * m("dram_words"));
    CHECK(points.explanation(overrides).sections.size() == 3);
  }
}

TEST_CASE("points without a meaning are refused, those without a mapping infeasible") {
  SystemPoints points = nvdla();
  const auto with = [](const char* axis, Value value) {
    SystemPoints::Overrides overrides = product(49, 49, 32);
    overrides[axis] = std::move(value);
    return overrides;
  };
  SystemPoints::Overrides large = with("mapper", text("given"));
  CHECK_THROWS_WITH(points.record(large), Catch::Contains("column 1: expected 'L3[ABZ]', got 'end'"));
  large["best_mapping"] = text("L3[ABZ] - L2[ABZ] - L1[Z] M49 K32Y - L0[B]");
  CHECK_THROWS_WITH(points.record(large), Catch::Contains("do not cover N = 49"));
  large["best_mapping"] = text("L3[ABZ] - L2[ABZ] N7 N7X - L1[Z] M49 K32Y - L0[B]");
  CHECK_THROWS_WITH(points.record(large), Catch::Contains("does not fit an array of 8 x 8"));
  CHECK_THROWS_WITH(points.record(with("hardware.data.word", count(128))), Catch::Contains("do not hold a word"));
  CHECK_THROWS_WITH(points.record(product(49, 0, 32)), Catch::Contains("N = 0, K = 32: a GEMM needs all three sizes"));
  CHECK_THROWS_WITH(points.record(with("batch", count(2))), Catch::Contains("axis 'batch' is for networks"));
  CHECK_THROWS_WITH(points.record(with("model", text("resnet-18"))), Catch::Contains("set either them or 'model'"));
  SystemPoints::Overrides given = on_array("resnet-18", "mapped");
  given["mapper"] = text("given");
  CHECK_THROWS_WITH(points.record(given), Catch::Contains("not for a network"));
  SystemPoints::Overrides huge = product(1 << 20, 1 << 20, 1 << 20);
  CHECK_THROWS_WITH(points.record(huge), Catch::Contains("multiply-accumulates"));
  const Record slow = points.record(with("max_cycles", count(1371)));
  CHECK(slow.status == Status::infeasible);
  CHECK(slow.message == "no mapping takes at most max_cycles");
  CHECK(points.record(with("max_cycles", count(1372))).status == Status::ok);
  const Record cramped = points.record(with("hardware.sram.buffer", count(2)));
  CHECK(cramped.status == Status::infeasible);
  CHECK(cramped.message == "a buffer of 2 words cannot hold a word of each operand");
}

TEST_CASE("a network's layers are the GEMMs of SCALE-Sim") {
  SystemPoints points = nvdla();
  const std::string model =
      network("small.csv", convolutions + std::string("conv, 14, 14, 3, 3, 8, 20, 2,\nDP, 7, 7, 3, 3, 20, 1, 1,\n"));
  const Record record = points.record(on_array(model, "ws"));
  const auto column = [&](const char* name) { return points.column(record, "by_layer", name); };
  // The windows of the first layer reach one row and one column beyond its map.
  CHECK(column("layer") == std::vector<Value>{text("conv"), text("DP")});
  CHECK(column("M") == std::vector<Value>{count(49), count(25)});
  CHECK(column("gemms") == std::vector<Value>{count(1), count(20)});
  // Folds of 49 + 2 x 16 + 16 - 2 and 25 + 2 x 16 + 16 - 2 cycles.
  CHECK(column("cycles") == std::vector<Value>{count(5 * 2 * 95), count(20 * 71)});
  CHECK(column("cycles_total_no_stall") == std::vector<Value>{Value{949.0}, Value{20.0 * 70}});
  CHECK(points.metric(record, "cycles") == 950 + 1420);
  CHECK(points.metric(record, "cycles_total_no_stall") == 949 + 1400);
  CHECK(points.metric(record, "vector_cycles") == 0);
  CHECK(points.metric(record, "macs") == 49 * 72 * 20 + 20 * 25 * 9);
  // DRAM has the maps, not their windows.
  CHECK(column("dram_words").front() == count(15 * 15 * 8 + 72 * 20 + 49 * 20));
}

TEST_CASE("SCALE-Sim's topologies take the cycles that it reports, layer by layer") {
  SystemPoints points = nvdla();
  const test::Reference rows("results/reference/gemm/scalesim-topologies.csv");
  std::size_t row = 0;
  while (row < rows.size()) {
    const std::string topology = rows.text(row, "topology");
    CAPTURE(topology);
    const bool is_gemm = !rows.text(row, "M").empty();
    std::string table = is_gemm ? "Layer, M, N, K,\n" : convolutions;
    std::vector<Value> cycles;
    const std::size_t first = row;
    for (; row < rows.size() && rows.text(row, "topology") == topology; ++row) {
      table += rows.text(row, "layer");
      for (const char* name : {"M", "N", "K", "ifmap_height", "ifmap_width", "filter_height", "filter_width",
                               "channels", "filters", "stride"}) {
        if (!rows.text(row, name).empty()) table += ", " + rows.text(row, name);
      }
      table += ",\n";
      cycles.emplace_back(rows.real(row, "cycles_total_no_stall"));
    }
    const std::string dataflow = rows.text(first, "dataflow");
    const Record record =
        points.record(on_array(network(topology + ".csv", table), dataflow.c_str(), rows.integer(first, "array_rows")));
    CHECK(points.column(record, "by_layer", "cycles_total_no_stall") == cycles);
  }
}

TEST_CASE("every operator of a network is timed, and the sums are those of the layers") {
  SystemPoints points = nvdla();
  for (const char* model : {"resnet-18", "mobilenet-v2", "bert-base"}) {
    for (const char* dataflow : {"mapped", "os", "ws", "is"}) {
      CAPTURE(model, dataflow);
      const Record record = points.record(on_array(model, dataflow));
      const auto column = [&](const char* name) { return points.column(record, "by_layer", name); };
      const std::vector<Value> cycles = column("cycles");
      for (const Value& layer : cycles) CHECK(integer(layer) > 0);
      for (const char* name : {"cycles", "macs", "sram_words", "dram_words"}) {
        CHECK(points.metric(record, name) == static_cast<double>(sum(column(name))));
      }
      double energy = 0;
      for (const Value& layer : column("energy")) energy += to_real(layer);
      CHECK(points.metric(record, "energy") == Approx(energy));
      CHECK(points.metric(record, "array_cycles") + points.metric(record, "vector_cycles") ==
            points.metric(record, "cycles"));
      CHECK(points.metric(record, "vector_cycles") > 0);
      CHECK(points.explanation(on_array(model, dataflow)).sections.front().lines.size() == cycles.size());
      SystemPoints::Overrides eight = on_array(model, dataflow);
      eight["batch"] = count(8);
      const Record batch = points.record(eight);
      CHECK(points.metric(batch, "macs") == 8 * points.metric(record, "macs"));
      CHECK(points.metric(batch, "vector_cycles") == Approx(8 * points.metric(record, "vector_cycles")).epsilon(0.1));
      CHECK(points.metric(batch, "cycles") < 8.01 * points.metric(record, "cycles"));
    }
  }
}

TEST_CASE("weights of a quantized network take their bits in DRAM, and words in the SRAM") {
  SystemPoints points = nvdla();
  const std::string llama = R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64,
      "intermediate_size": 128, "num_attention_heads": 4, "num_hidden_layers": 1, "vocab_size": 100,
      "max_position_embeddings": 32)";
  const std::string plain = network("plain.json", llama + "}");
  const std::string quantized =
      network("quantized.json", llama + R"(, "quantization_config": {"quant_method": "gptq", "bits": 4}})");
  // Queries, keys, values and projection; gate, up and down. The head keeps 16 bits, which are a word.
  const double weights = 4 * 64 * 64 + 3 * 64 * 128;
  for (const char* dataflow : {"mapped", "os", "ws", "is"}) {
    CAPTURE(dataflow);
    const Record wide = points.record(on_array(plain, dataflow));
    const Record narrow = points.record(on_array(quantized, dataflow));
    const auto saved = [&](const char* name) { return points.metric(wide, name) - points.metric(narrow, name); };
    CHECK(saved("dram_words") == weights / 2);
    CHECK(saved("sram_words") == 0);
    CHECK(saved("macs") == 0);
    // Lines of 16 words at 0.66 pJ/bit.
    CHECK(saved("energy") == Approx(weights / 2 / 16 * 84.48e-12));
  }
}

TEST_CASE("the energy of an SRAM's access grows with its capacity") {
  SystemPoints points = nvdla();
  const auto buffer_energy = [&](const char* dataflow, const char* axis, std::int64_t kib) {
    SystemPoints::Overrides overrides = product(64, 64, 64);
    overrides["dataflow"] = text(dataflow);
    overrides[axis] = count(kib * 1024);
    return points.metric(points.record(overrides), "fJ_Buffer");
  };
  // Everything fits the smaller buffer, so that the words are the same. From 32 KiB to 1 MiB energy grows fivefold.
  const double rated = buffer_energy("mapped", "hardware.sram.buffer", 48);
  CHECK(buffer_energy("mapped", "hardware.sram.buffer", 48 * 32) == Approx(5 * rated));
  CHECK(buffer_energy("mapped", "hardware.sram.buffer", 32) ==
        Approx(rated * std::pow(32.0 / 48, std::log(5) / std::log(32))));
  const double array = buffer_energy("ws", "hardware.sram.buffer", 48);
  CHECK(buffer_energy("ws", "hardware.sram.filter", 48) == Approx(array));
  const double larger = buffer_energy("ws", "hardware.sram.filter", 48 * 32);
  CHECK(larger > array);
  CHECK(larger < 5 * array);
}
