// AttAcc's system simulator, row by row (results/reference/attacc/system.csv).
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "../../hardware/reference.h"
#include "attacc_machine.h"
#include "base/error.h"
#include "base/posix_file.h"
#include "systems/artifacts/attacc/artifact.h"

using namespace pimsweep::systems::artifacts::attacc;
using namespace pimsweep;
namespace attention_pim = pimsweep::hardware::attention_pim;

namespace {

attention_pim::PublishedClocks artifact_clocks() {
  const std::string path = "configs/hardware/attacc-clocks.csv";
  return {read_file(path), path};
}

/// A row of the artifact's results.
struct SystemRow {
  Model model = {};
  Cluster cluster = {};
  AttAcc pim = {};
  Accounting accounting = {};
  Load load = {};
  std::int64_t input = 0;
  std::int64_t output = 0;

  SystemRow(const test::Reference& rows, std::size_t row, const attention_pim::PublishedClocks* published) {
    const std::map<std::string, Model> models{{"GPT-175B", fixture::gpt3_175b()},
                                              {"LLAMA-65B", fixture::llama_65b()},
                                              {"MT-530B", fixture::mt_530b()},
                                              {"OPT-66B", fixture::opt_66b()}};
    const std::map<std::string, attention_pim::Placement> placements{{"BA", attention_pim::Placement::bank},
                                                                     {"BG", attention_pim::Placement::bank_group},
                                                                     {"BUFFER", attention_pim::Placement::buffer}};
    model = models.at(rows.text(row, "model"));
    cluster.gpu = rows.text(row, "xpu") == "H100" ? fixture::h100() : fixture::a100();
    cluster.gpus = rows.integer(row, "ngpu");
    if (rows.text(row, "hw") != "NONE") {
      pim = fixture::attacc(placements.at(rows.text(row, "hw")), rows.text(row, "power_constraint") == "True");
      pim.published = published;
    }
    on_pim_ = rows.text(row, "hw") != "NONE";
    if (rows.text(row, "pipe") == "True") accounting.pipelining = Pipelining::projections;
    accounting.shared_feed_forward = rows.text(row, "ff_parallel") == "True";
    load = {.batch = rows.integer(row, "batch"), .value_bytes = rows.text(row, "dtype") == "W16A16" ? 2.0 : 1.0};
    input = rows.integer(row, "Lin");
    output = rows.integer(row, "Lout");
  }

  bool on_pim() const { return on_pim_; }
  StepCost decode() const { return mean_decode_step(model, with_pim(), accounting, load, input, output); }
  StepCost first() const { return prefill(model, with_pim(), accounting, load, input); }

 private:
  Cluster with_pim() const {
    Cluster gpus_and_pim = cluster;
    if (on_pim_) gpus_and_pim.pim = &pim;
    return gpus_and_pim;
  }

  bool on_pim_ = false;
};

using Columns = std::vector<std::pair<std::string, double>>;

Columns decode_columns(const StepCost& cost, std::int64_t batch) {
  constexpr double ms = 1e3;
  constexpr double nj = 1e9;
  const StepTime& time = cost.time;
  const StepEnergy& energy = cost.energy;
  const KernelEnergy kernels = energy.kernels();
  const auto sequences = static_cast<double>(batch);
  return {{"g_time_ms", time.total() * ms},
          {"g_matmul", time.attention * ms},
          {"g_qkv", time.qkv * ms},
          {"g_prj", time.projection * ms},
          {"g_ff", time.feed_forward * ms},
          {"g_g2g", time.all_reduce * ms},
          {"g_x2g", time.transfer * ms},
          {"g_softmax", time.softmax * ms},
          {"g_act", time.activation * ms},
          {"g_norm", time.norm * ms},
          {"g_energy_nJ", energy.total() * nj},
          {"g_dram_nJ", kernels.memory * nj},
          {"g_l2_nJ", kernels.cache * nj},
          {"g_l1_nJ", kernels.core_memory * nj},
          {"g_reg_nJ", kernels.registers * nj},
          {"g_alu_nJ", kernels.multiply * nj},
          {"g_fc_mem_nJ", energy.dense.memory * nj},
          {"g_fc_comp_nJ", energy.dense.compute() * nj},
          {"g_attn_mem_nJ", energy.attention.memory * nj},
          {"g_attn_comp_nJ", energy.attention.compute() * nj},
          {"g_etc_mem_nJ", energy.elements.memory * nj},
          {"g_etc_comp_nJ", energy.elements.compute() * nj},
          {"g_comm_nJ", energy.links * nj},
          {"g_flops", cost.flops},
          {"tokens_per_s", sequences / time.total()},
          {"J_per_token", energy.total() / sequences}};
}

/// The artifact divides the prefill's operations by the number of decode steps.
Columns prefill_columns(const StepCost& cost, std::int64_t output) {
  constexpr double ms = 1e3;
  const StepTime& time = cost.time;
  return {{"s_time_ms", time.total() * ms}, {"s_matmul", time.attention * ms},
          {"s_fc", time.dense() * ms},      {"s_comm", time.links() * ms},
          {"s_softmax", time.softmax * ms}, {"s_act", time.activation * ms},
          {"s_norm", time.norm * ms},       {"s_flops", cost.flops / static_cast<double>(output - 1)}};
}

void check_columns(const test::Reference& rows, std::size_t row, const Columns& columns) {
  for (const auto& [name, value] : columns) {
    const std::string& published = rows.text(row, name);
    if (published.empty()) continue;
    CAPTURE(row, name, rows.text(row, "model"), rows.text(row, "hw"), rows.text(row, "batch"));
    CHECK(value == Approx(std::stod(published)).epsilon(1e-7).margin(0));
  }
}

Load random_load(std::mt19937& random) {
  return {.batch = std::uniform_int_distribution<std::int64_t>(1, 300)(random),
          .value_bytes = std::uniform_int_distribution<int>(1, 2)(random) == 1 ? 1.0 : 2.0};
}

}  // namespace

TEST_CASE("AttAcc's system simulator: every column of every row") {
  const test::Reference rows("results/reference/attacc/system.csv");
  const attention_pim::PublishedClocks published = artifact_clocks();
  CHECK(rows.size() == 196);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const SystemRow system(rows, row, &published);
    check_columns(rows, row, decode_columns(system.decode(), system.load.batch));
    check_columns(rows, row, prefill_columns(system.first(), system.output));
    check_columns(rows, row,
                  {{"required_cap_B", required_bytes(system.model, system.load, system.input, system.output)}});
  }
}

TEST_CASE("AttAcc's system simulator: steps with modeled instead of published clocks") {
  const test::Reference rows("results/reference/attacc/system.csv");
  int compared = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const SystemRow system(rows, row, nullptr);
    if (!system.on_pim()) continue;
    CAPTURE(row, rows.text(row, "hw"), rows.text(row, "batch"));
    const StepCost cost = system.decode();
    CHECK(cost.time.total() == Approx(rows.real(row, "g_time_ms") * 1e-3).epsilon(0.05));
    CHECK(cost.time.attention == Approx(rows.real(row, "g_matmul") * 1e-3).epsilon(0.1));
    CHECK(cost.energy.total() == Approx(rows.real(row, "g_energy_nJ") * 1e-9).epsilon(1e-7));
    ++compared;
  }
  CHECK(compared == 52);
}

TEST_CASE("AttAcc's system simulator: each fix costs time or energy, or gains it") {
  const AttAcc pim = fixture::attacc(attention_pim::Placement::bank, true);
  const Cluster cluster{.gpu = fixture::a100(), .gpus = 8, .pim = &pim};
  const Load load{.batch = 78};
  const StepCost base = decode_step(fixture::gpt3_175b(), cluster, {}, load, 2048);
  const auto fixed = [&](bool Accounting::*fault) {
    Accounting accounting;
    accounting.*fault = false;
    return decode_step(fixture::gpt3_175b(), cluster, accounting, load, 2048);
  };
  const StepCost with_softmax = fixed(&Accounting::softmax_dropped);
  CHECK(with_softmax.time.total() == Approx(base.time.total() + with_softmax.time.softmax));
  CHECK(with_softmax.time.softmax > 0);
  CHECK(fixed(&Accounting::moves_per_byte).energy.total() > base.energy.total());
  CHECK(fixed(&Accounting::context_products_free).energy.total() > base.energy.total());
  CHECK(fixed(&Accounting::elements_on_one_core).time.total() <= base.time.total());
  const Load many{.batch = 854};
  Accounting all_cores;
  all_cores.elements_on_one_core = false;
  CHECK(decode_step(fixture::gpt3_175b(), cluster, all_cores, many, 256).time.activation <
        decode_step(fixture::gpt3_175b(), cluster, {}, many, 256).time.activation);

  const StepCost in_turn = decode_step(fixture::gpt3_175b(), cluster, {.pipelining = Pipelining::none}, load, 2048);
  CHECK(in_turn.time.total() > base.time.total());
  CHECK(decode_step(fixture::gpt3_175b(), cluster, {.pipelining = Pipelining::projections}, load, 2048).time.total() <
        base.time.total());

  AttAcc unrefreshed = pim;
  unrefreshed.options.refresh = false;
  const Cluster without_refresh{.gpu = fixture::a100(), .gpus = 8, .pim = &unrefreshed};
  CHECK(decode_step(fixture::gpt3_175b(), without_refresh, {}, load, 2048).time.attention < base.time.attention);
}

TEST_CASE("AttAcc's system simulator: a shape without published clocks is an error that names it") {
  const attention_pim::PublishedClocks published = artifact_clocks();
  AttAcc pim = fixture::attacc(attention_pim::Placement::bank, true);
  pim.published = &published;
  const Cluster cluster{.gpu = fixture::a100(), .gpus = 8, .pim = &pim};
  CHECK_THROWS_WITH(decode_step(fixture::gpt3_175b(), cluster, {}, {.batch = 77}, 2048),
                    Catch::Contains("185 heads") && Catch::Contains("context of 2048"));
}

TEST_CASE("AttAcc's system simulator: more bandwidth is never slower, and no product beats its roofline") {
  std::mt19937 random(5);
  for (int i = 0; i < 200; ++i) {
    const Load load = random_load(random);
    const std::int64_t context = std::uniform_int_distribution<std::int64_t>(1, 5000)(random);
    const Model model = i % 2 == 0 ? fixture::gpt3_175b() : fixture::llama_65b();
    Cluster cluster{.gpu = fixture::a100(), .gpus = 8};
    CAPTURE(i, load.batch, load.value_bytes, context);
    const StepCost base = decode_step(model, cluster, {}, load, context);
    const double peak = static_cast<double>(cluster.gpus) * cluster.gpu.peak * 2 / load.value_bytes;
    CHECK(base.time.total() >= base.flops / peak);
    cluster.gpu.bandwidth *= 1.3;
    CHECK(decode_step(model, cluster, {}, load, context).time.total() <= base.time.total());
    cluster.gpu.link_bandwidth *= 1.3;
    CHECK(decode_step(model, cluster, {}, load, context).time.all_reduce <= base.time.all_reduce);
    CHECK(base.energy.total() ==
          Approx(base.energy.kernels().memory + base.energy.kernels().compute() + base.energy.links));
  }
}
