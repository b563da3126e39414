// Attention on PIM against AttAcc's artifact.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <vector>

#include "attacc_rows.h"
#include "attacc_stack.h"
#include "base/error.h"
#include "base/posix_file.h"
#include "hardware/attention_pim/attention.h"
#include "hardware/attention_pim/published_clocks.h"

using namespace pimsweep::hardware::attention_pim;
using namespace pimsweep;

namespace {

PublishedClocks published_clocks() {
  const std::string path = "configs/hardware/attacc-clocks.csv";
  return {read_file(path), path};
}

/// Shapes of the published table: contexts of a line of the file.
struct PublishedShapes {
  test::Reference lines{"configs/hardware/attacc-clocks.csv"};
  PublishedClocks clocks = published_clocks();

  template <typename Function>
  void each(const Function& function) const {
    for (std::size_t row = 0; row < lines.size(); ++row) {
      AttentionShape shape{.heads = lines.integer(row, "heads"),
                           .context = lines.integer(row, "first_context"),
                           .head_size = lines.integer(row, "head_size"),
                           .value_bytes = lines.real(row, "value_bytes")};
      const Placement placement = attacc::placement_of(lines, row);
      const bool power_limit = attacc::power_limit_of(lines, row);
      while (const std::optional<double> published = clocks.find(placement, power_limit, shape)) {
        function(shape, placement, power_limit, *published);
        ++shape.context;
      }
    }
  }
};

/// True if the artifact's table has this shape's clocks from the scheduler that its sources have
/// (results/reference/attacc/clocks.md).
bool of_published_sources(const AttentionShape& shape, Placement placement) {
  constexpr std::array<std::int64_t, 4> heads{3, 159, 396, 584};
  return placement != Placement::bank || std::ranges::count(heads, shape.heads) > 0;
}

double error(double model, double reference) { return model / reference - 1; }

}  // namespace

TEST_CASE("AttAcc: commands of the published table, even and odd rounds") {
  const test::Reference rows("results/reference/attacc/commands.csv");
  const Device device = attacc::stack();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const AttentionShape shape = attacc::shape_of(rows, row);
    CAPTURE(shape.heads, shape.context, shape.head_size, rows.text(row, "placement"));
    const Counts counts = attacc::counts_of(rows, row);
    CHECK(count_commands(device, attacc::placement_of(rows, row), shape, Commands::tabulated) == counts);
    if (rounds(device, shape) % 2 == 0) {
      CHECK(count_commands(device, attacc::placement_of(rows, row), shape, Commands::generated) == counts);
    }
  }
}

TEST_CASE("AttAcc: commands and clocks of the sources as built") {
  const test::Reference rows("results/reference/attacc/rebuilt.csv");
  const Device device = attacc::stack();
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const AttentionShape shape = attacc::shape_of(rows, row);
    CAPTURE(shape.heads, shape.context, shape.head_size, rows.text(row, "placement"));
    const Attention result = attention(device, shape,
                                       {.placement = attacc::placement_of(rows, row),
                                        .power_limit = attacc::power_limit_of(rows, row),
                                        .commands = Commands::generated});
    CHECK(result.counts == attacc::counts_of(rows, row));
    CHECK(std::abs(error(result.clocks.total, rows.real(row, "clocks"))) < 0.015);
  }
}

TEST_CASE("AttAcc: clocks of the published table, each by the scheduler that made it") {
  const Device device = attacc::stack();
  std::size_t shapes = 0;
  double worst = 0;
  std::vector<double> errors;
  PublishedShapes().each([&](const AttentionShape& shape, Placement placement, bool power_limit, double published) {
    const RowCommands row_commands =
        of_published_sources(shape, placement) ? RowCommands::pass_barriers : RowCommands::wait_for_barriers;
    const double model = clocks(device, shape,
                                {.placement = placement,
                                 .power_limit = power_limit,
                                 .row_commands = row_commands,
                                 .commands = Commands::tabulated})
                             .total;
    errors.push_back(std::abs(error(model, published)));
    worst = std::max(worst, errors.back());
    ++shapes;
  });
  CHECK(shapes == 62889);
  CHECK(worst < 0.06);
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::ranges::nth_element(errors, middle);
  CHECK(*middle < 0.005);
}

TEST_CASE("AttAcc: clocks of all even rounds within 10 % by one scheduler") {
  const Device device = attacc::stack();
  double worst = 0;
  PublishedShapes().each([&](const AttentionShape& shape, Placement placement, bool power_limit, double published) {
    if (rounds(device, shape) % 2 != 0) return;
    const double model = clocks(device, shape,
                                {.placement = placement,
                                 .power_limit = power_limit,
                                 .row_commands = RowCommands::wait_for_barriers,
                                 .commands = Commands::tabulated})
                             .total;
    worst = std::max(worst, std::abs(error(model, published)));
  });
  CHECK(worst < 0.1);
}

TEST_CASE("AttAcc: a shape without published clocks is named") {
  const PublishedClocks clocks = published_clocks();
  CHECK(clocks.size() == 62889);
  // Listed twice; the first counts.
  CHECK(clocks.at(Placement::bank, true, {.heads = 130, .context = 2048, .head_size = 128}) == 38138);
  CHECK_THROWS_AS(clocks.at(Placement::bank, true, {.heads = 130, .context = 9, .head_size = 128}), PointError);
  CHECK_THROWS_WITH(clocks.at(Placement::bank, true, {.heads = 130, .context = 9, .head_size = 128}),
                    Catch::Contains("130 heads") && Catch::Contains("context of 9") && Catch::Contains("2048 to 4096"));
  CHECK_THROWS_WITH(clocks.at(Placement::bank, true, {.heads = 131, .context = 9, .head_size = 128}),
                    Catch::Contains("none of any context"));
}

TEST_CASE("published clocks: mistakes of a file are reported together") {
  const std::string header = "heads,head_size,value_bytes,placement,power_limit,first_context,clocks\n";
  CHECK_THROWS_WITH(PublishedClocks("heads,head_size\n", "a.csv"), Catch::Contains("'placement' is missing"));
  CHECK_THROWS_WITH(PublishedClocks(header + "0,8,2,bank,1,1,5\n1,8,2,die,1,1,5x\n", "a.csv"),
                    Catch::Contains("a.csv:2:1") && Catch::Contains("'die'") && Catch::Contains("'5x'"));
  const PublishedClocks clocks(header + "1,8,2,bank,0,4,5x2 7\n", "a.csv");
  CHECK(clocks.at(Placement::bank, false, {.heads = 1, .context = 5, .head_size = 8}) == 5);
  CHECK(clocks.at(Placement::bank, false, {.heads = 1, .context = 6, .head_size = 8}) == 7);
  CHECK(!clocks.find(Placement::bank, false, {.heads = 1, .context = 7, .head_size = 8}));
}

TEST_CASE("AttAcc: energy of a stack by parts") {
  const Device device = attacc::stack();
  const AttentionShape shape{.heads = 32, .context = 256, .head_size = 128};
  const Counts counts = count_commands(device, Placement::bank, shape, Commands::needed);
  CHECK(counts.mac == 32 * 2 * 16 * 2);
  CHECK(counts.queries_written == 32 * 8);
  const AttentionEnergy parts = energy(device, Placement::bank, shape, counts);
  // Keys and values of 256 tokens and 128 elements are read once, at 0.55 pJ/bit.
  CHECK(parts.cells == Approx(32.0 * 2 * 256 * 128 * 2 * 8 * 0.55e-12));
  CHECK(parts.multiply == Approx(32.0 * 2 * 256 * 128 * 0.32e-12));
  CHECK(parts.interposer == Approx(32.0 * 8 * 32 * 8 * 0.3e-12));
  CHECK(parts.total() == Approx(parts.cells + parts.moves() + parts.multiply));
}
