#include <catch2/catch.hpp>

#include "llm_points.h"
#include "sweep/hardware_file.h"
#include "systems/parts/parts.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;

const Overrides all_on_hbm_pim{{"model", text("gpt2-xl")}, {"policy", text("pim-all")}, {"context", integer(256)}};

Record hbm_pim_record(SystemPoints& points, const char* axis, const Value& value) {
  Overrides point = all_on_hbm_pim;
  point[axis] = value;
  return points.record(point);
}

}  // namespace

TEST_CASE("GEMMs on HBM-PIM take no less than its multipliers need, and as many passes as vectors") {
  SystemPoints points = points_on("llm-a100-hbm-pim");
  double before = 0;
  for (const std::int64_t batch : {1, 2, 7}) {
    const Record record = hbm_pim_record(points, "batch", integer(batch));
    REQUIRE(record.status == Status::ok);
    // 80 channels of 8 units with 16 lanes, a column every four cycles of 1 ns.
    const double rate = 80.0 * 8 * 16 * 1e9 / 4;
    CHECK(sum(points, record, "pim_time") >= points.metric(record, "pim_bytes") / 2 / rate);
    CHECK(points.metric(record, "pim_bytes") >= static_cast<double>(batch) * 2 * 1.5e9);
    CHECK(points.metric(record, "pim_weight_bytes") == 0);
    CHECK(points.metric(record, "time") > before);
    before = points.metric(record, "time");
  }
  const Record record = points.record(all_on_hbm_pim);
  CHECK(points.metric(hbm_pim_record(points, "hardware.pim.hbm_pim.energy.cells", Value{1e-11}), "energy") >
        points.metric(record, "energy"));
  CHECK(points.metric(hbm_pim_record(points, "hardware.pim.hbm_pim.channels", integer(160)), "time") <
        points.metric(record, "time"));
  CHECK(points.metric(hbm_pim_record(points, "weight_bits", Value{8.0}), "pim_busy") == 0);
}

TEST_CASE("stacks of attention PIM have the times of their memory") {
  const auto constants = [](const std::string& hardware, const systems::Schema& schema) {
    const sweep::HardwareFile file = sweep::load_hardware(hardware, schema, "configs");
    return [file](const std::string& key) { return to_real(file.constants.at(key).value); };
  };
  const auto llm = systems::llm::make_llm(ConfigFolders("configs"));
  const auto dram = systems::parts::make_dram(ConfigFolders("configs"));
  for (const auto& [stack, memory] :
       {std::pair{"HBM2E", "HBM2E_3600"}, std::pair{"HBM3", "HBM3_6400"}, std::pair{"HBM3E", "HBM3E_9200"}}) {
    CAPTURE(stack);
    const auto of_stack = constants(std::string("llm-8-a100-attacc-") + stack, llm->schema());
    const auto of_memory = constants(std::string("dram-") + memory, dram->schema());
    const auto seconds = [&](const char* key) {
      return of_stack(std::string("pim.stack.") + key) / of_stack("pim.stack.clock");
    };
    for (const auto& [key, parameter] :
         {std::pair{"nBL", "nBL"}, std::pair{"nCCDS", "nCCDS"}, std::pair{"nCCDL", "nCCDL"}, std::pair{"nMAC", "nCCDL"},
          std::pair{"nRCD", "nRCDRD"}, std::pair{"nRP", "nRP"}, std::pair{"nRAS", "nRAS"}, std::pair{"nRTP", "nRTP"},
          std::pair{"nFAW", "nFAW"}, std::pair{"nRFC", "nRFC"}, std::pair{"nREFI", "nREFI"}}) {
      CAPTURE(key);
      CHECK(seconds(key) ==
            Approx(of_memory(std::string("timing.") + parameter) * of_memory("clock_period")).epsilon(1e-5));
    }
    CHECK(seconds("nMAC_power_limit") >= seconds("nMAC"));
    CHECK(of_stack("pim.stack.pseudo_channels") == of_memory("organization.pseudochannels"));
    CHECK(of_stack("pim.stack.bank_groups") == of_memory("organization.bankgroups"));
    CHECK(of_stack("pim.stack.banks") == of_memory("organization.banks"));
    CHECK(of_stack("pim.stack.columns") == of_memory("organization.accesses_per_row"));
  }
}

TEST_CASE("attention PIM whose banks open rows four at a time is slower, except where banks take turns") {
  SystemPoints points = points_on("llm-8-a100-attacc-HBM3");
  const auto time = [&](std::int64_t window, const char* placement) {
    return points.metric(points.record({{"model", text("llama-2-70b")},
                                        {"policy", text("attacc")},
                                        {"batch", integer(64)},
                                        {"context", integer(4096)},
                                        {"hardware.pim.stack.nFAW", integer(window)},
                                        {"hardware.pim.stack.placement", text(placement)}}),
                         "time");
  };
  CHECK(time(0, "bank") < time(24, "bank"));
  CHECK(time(24, "bank") < time(48, "bank"));
  CHECK(time(0, "bank-group") == time(48, "bank-group"));
}
