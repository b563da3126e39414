#include <catch2/catch.hpp>

#include "base/csv.h"
#include "base/posix_file.h"
#include "hardware/newton/artifact_timing.h"
#include "literal.h"
#include "samples.h"

using namespace pimsweep::hardware::newton;
using namespace pimsweep;

namespace {

/// A table of whole numbers and names.
class Rows {
 public:
  explicit Rows(const std::string& path) : table_(parse_csv(read_file(path), path)) {}
  std::size_t size() const { return table_.rows.size(); }
  std::int64_t number(std::size_t row, std::string_view column) const {
    return std::stoll(table_.rows[row][static_cast<std::size_t>(table_.column(column))].text);
  }
  Layer layer(std::size_t row) const {
    const std::int64_t pad = number(row, "pad");
    return {number(row, "H"),
            number(row, "W"),
            number(row, "Cin"),
            number(row, "Cout"),
            number(row, "KH"),
            number(row, "KW"),
            number(row, "stride"),
            pad,
            pad};
  }

 private:
  CsvTable table_;
};

}  // namespace

TEST_CASE("every row of the artifact's results, command by command and in closed form") {
  const Rows rows("results/reference/newton/newton_detail.csv");
  REQUIRE(rows.size() > 700);
  const Dram dram = hardware::newton::samples::gddr6_3500();
  Newton newton;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const std::optional<Layer> part = pim_part(rows.layer(row), rows.number(row, "split_out_of_10"));
    REQUIRE(part);
    Options options{Controller::artifact, Fidelity::cycle, rows.number(row, "channels"), rows.number(row, "n_gwrite"),
                    rows.number(row, "gwrite_hiding") == 1};
    const Result by_command = newton(*part, dram, options);
    options.fidelity = Fidelity::closed_form;
    const Result closed = newton(*part, dram, options);
    const std::int64_t gwrites = rows.number(row, "n_GWRITE");
    const Run expected{rows.number(row, "pim_cycles"),
                       {gwrites, gwrites, rows.number(row, "n_G_ACT"), rows.number(row, "n_COMP"),
                        rows.number(row, "n_READRES"), rows.number(row, "n_PREA"), rows.number(row, "n_REF")}};
    CAPTURE(row);
    CHECK(part->height == rows.number(row, "pim_H"));
    CHECK(part->pad_height == rows.number(row, "pad_h_used"));
    CHECK(part->pad_width == rows.number(row, "pad_w_used"));
    CHECK(by_command.busiest == expected);
    CHECK(closed.busiest == expected);
    CHECK(closed.first_grouping == rows.number(row, "k_first_segment"));
  }
}

TEST_CASE("schedule and timing equal a literal second artifact, all channels included") {
  std::mt19937 random(5);
  int cut = 0;
  for (int i = 0; i < 1000; ++i) {
    const bool odd = i % 2 == 1;
    const Dram dram = odd ? hardware::newton::samples::odd_dram(random) : hardware::newton::samples::gddr6_3500();
    const Layer layer = hardware::newton::samples::odd_layer(random, 60);
    const std::int64_t channels = hardware::newton::samples::draw(random, 1, 32);
    const std::int64_t n_gwrite = hardware::newton::samples::draw(random, 1, 5);
    const bool hiding = hardware::newton::samples::draw(random, 0, 1) == 1;
    CAPTURE(i, channels, n_gwrite, hiding, layer.height, layer.width, layer.inputs, layer.outputs);
    const std::vector<hardware::newton::literal::Trace> traces =
        hardware::newton::literal::traces(layer, dram, channels, n_gwrite);
    REQUIRE(artifact_groups_fit(channels, n_gwrite) == !traces.empty());
    if (traces.empty()) continue;

    const ArtifactSchedule schedule = artifact_schedule(layer, dram, channels, n_gwrite);
    const ArtifactRules rules(dram, hiding);
    const Run expected = hardware::newton::literal::run(traces[0], dram, hiding);
    CHECK(artifact_cycle_by_cycle(schedule, rules) == expected);
    CHECK(artifact_closed_form(schedule, rules, dram) == expected);

    Counts all;
    for (const Segment& segment : schedule) {
      all += segment.all_channels;
      cut += segment.granularity == Granularity::comp;
    }
    Counts listed;
    for (const hardware::newton::literal::Trace& trace : traces) {
      for (const std::int16_t command : trace) {
        listed.gwrite += command == hardware::newton::literal::gwrite;
        listed.comp += command == hardware::newton::literal::comp;
        listed.readres += command == hardware::newton::literal::readres;
        listed.g_act += command >= hardware::newton::literal::g_act;
      }
    }
    listed.buffers = listed.gwrite;
    CHECK(all == listed);
    // No channel outlasts the first one, whose end is the layer's.
    if (!odd && i % 6 == 0) {
      for (const hardware::newton::literal::Trace& trace : traces) {
        const bool computes = std::count(trace.begin(), trace.end(), hardware::newton::literal::readres) > 0;
        if (computes) CHECK(hardware::newton::literal::run(trace, dram, hiding).cycles <= expected.cycles);
      }
    }
  }
  // The sample has what is easily got wrong.
  CHECK(cut > 10);
}

TEST_CASE("closed form and command by command agree on long runs of any DRAM") {
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    const Dram dram = hardware::newton::samples::odd_dram(random);
    const Layer layer = hardware::newton::samples::odd_layer(random, 1500);
    const ArtifactRules rules(dram, hardware::newton::samples::draw(random, 0, 1) == 1);
    const ArtifactSchedule schedule = artifact_schedule(layer, dram, hardware::newton::samples::draw(random, 4, 32), 4);
    CAPTURE(i);
    CHECK(artifact_closed_form(schedule, rules, dram) == artifact_cycle_by_cycle(schedule, rules));
  }
}

TEST_CASE("groupings that the artifact cannot distribute are reported") {
  Newton newton;
  const Layer layer{8, 8, 64, 64, 1, 1, 1, 0, 0};
  CHECK(
      !newton(layer, hardware::newton::samples::gddr6_3500(), {Controller::artifact, Fidelity::closed_form, 3, 4, true})
           .failure.empty());
  CHECK(
      newton(layer, hardware::newton::samples::gddr6_3500(), {Controller::artifact, Fidelity::closed_form, 3, 3, true})
          .failure.empty());
  CHECK(newton(layer, hardware::newton::samples::gddr6_3500(), {Controller::paper, Fidelity::closed_form, 3, 4, true})
            .failure.empty());
}

TEST_CASE("the largest layers are answered at once") {
  // A million by a million pixels: years of refreshes, found to repeat.
  Newton newton;
  const std::int64_t most = std::int64_t{1} << 20;
  for (const Controller controller : {Controller::artifact, Controller::paper}) {
    for (const std::int64_t n_gwrite : {1, 4}) {
      const Options options{controller, Fidelity::closed_form, 16, n_gwrite, true};
      const Layer small{1 << 12, 1 << 12, 24, 40, 1, 1, 1, 0, 0};
      const Layer large{most, most, 24, 40, 1, 1, 1, 0, 0};
      const double ratio =
          static_cast<double>(newton(large, hardware::newton::samples::gddr6_3500(), options).busiest.cycles) /
          static_cast<double>(newton(small, hardware::newton::samples::gddr6_3500(), options).busiest.cycles);
      CHECK(ratio == Approx(65536).epsilon(1e-3));
    }
  }
}
