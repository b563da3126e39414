#include "results/machine_reader.h"

#include <catch2/catch.hpp>
#include <memory>

#include "base/error.h"
#include "fake_study.h"
#include "results/results_file.h"
#include "scratch_folder.h"

namespace pimsweep::results {

using namespace systems;
namespace {

constexpr std::size_t drawn_machines = 20;
/// An integer that no double represents exactly.
constexpr std::int64_t large = (std::int64_t{1} << 53) + 1;

/// Two policies on the machine of the file and the drawn ones. The latency is 100 times the machine's number, and one
/// more with policy b, which has as many stages more as the machine's number.
std::string write_machines(const ScratchFolder& scratch) {
  auto study = std::make_unique<test::FakeStudy>(
      "one", test::fake_schema(),
      std::vector<InputColumn>{{"policy", "1", "", "experiment", ColumnRole::axis, ValueType::text},
                               {"hardware.clock", "Hz", "", "drawn from a range", ColumnRole::axis, ValueType::real},
                               {"seed", "1", "", "drawn from a range", ColumnRole::axis, ValueType::integer},
                               {"draw", "1", "", "draw", ColumnRole::axis, ValueType::integer}});
  for (const std::string policy : {"a", "b"}) {
    for (std::size_t draw = 0; draw <= drawn_machines; ++draw) {
      const double number = static_cast<double>(draw);
      const bool is_b = policy == "b";
      study->add({policy, 1e9 + number, draw == 7 ? large : std::int64_t{3}, static_cast<std::int64_t>(draw)},
                 test::fake_record(100 * number + (is_b ? 1 : 0), policy, is_b ? static_cast<int>(draw) : 1));
    }
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch.file("x.h5"), {"test", "", {}}, studies, {});
  return scratch.file("x.h5");
}

bool every_column(const ColumnReader&) { return true; }
bool is_policy(const ColumnReader& column) { return column.name() == "policy"; }
bool is_share(const ColumnReader& column) { return column.name() == "share"; }

const DataColumn& column(const DataFrame& frame, const std::string& name) { return frame.columns.at(name); }

}  // namespace

TEST_CASE("Each machine has its own points, however many are read at a time", "[machines]") {
  const ScratchFolder scratch;
  const std::string results = write_machines(scratch);
  // One machine at a time, a few, all.
  const std::size_t block_bytes = GENERATE(std::size_t{1}, std::size_t{1000}, std::size_t{1} << 30U);
  MachineReader reader(results, "one", block_bytes);
  REQUIRE(reader.machines() == drawn_machines + 1);
  std::size_t next = 1;
  reader.read_points({1, reader.machines()}, every_column, [&](std::size_t machine, const DataFrame& points) {
    REQUIRE(machine == next++);
    const double number = static_cast<double>(machine);
    REQUIRE(points.rows == 2);
    CHECK(column(points, "policy").texts == std::vector<std::string>{"a", "b"});
    CHECK(column(points, "latency").numbers == std::vector<double>{100 * number, 100 * number + 1});
    CHECK(column(points, "draw").numbers == std::vector<double>{number, number});
    // On one machine constants tell no points apart.
    CHECK(column(points, "hardware.clock").follows_hardware);
    CHECK_FALSE(column(points, "policy").follows_hardware);
  });
  CHECK(next == reader.machines());
}

TEST_CASE("Each machine has its own rows of a table, joined with those of its points", "[machines]") {
  const ScratchFolder scratch;
  const std::string results = write_machines(scratch);
  const std::size_t block_bytes = GENERATE(std::size_t{1}, std::size_t{1000}, std::size_t{1} << 30U);
  MachineReader reader(results, "one", block_bytes);
  std::size_t next = 0;
  reader.read_table(
      "stages", {0, reader.machines()}, is_share, is_policy, [&](std::size_t machine, const DataFrame& rows) {
        REQUIRE(machine == next++);
        REQUIRE(rows.columns.size() == 2);
        // One stage with policy a.
        REQUIRE(rows.rows == machine + 1);
        CHECK(column(rows, "policy").texts.front() == "a");
        CHECK(column(rows, "policy").texts.back() == (machine > 0 ? "b" : "a"));
        CHECK(column(rows, "share").numbers.back() == (machine > 0 ? 1.0 / static_cast<double>(machine) : 1));
      });
  CHECK(next == reader.machines());
}

TEST_CASE("A column of integers is of one kind on all machines", "[machines]") {
  const ScratchFolder scratch;
  MachineReader reader(write_machines(scratch), "one", 1);
  reader.read_points({6, 8}, every_column, [&](std::size_t machine, const DataFrame& points) {
    const std::string seed = machine == 7 ? std::to_string(large) : "3";
    CHECK(column(points, "seed").texts == std::vector<std::string>{seed, seed});
  });
}

TEST_CASE("Only wanted columns are read", "[machines]") {
  const ScratchFolder scratch;
  MachineReader reader(write_machines(scratch), "one");
  reader.read_points({0, 1}, is_policy, [](std::size_t, const DataFrame& points) {
    CHECK(points.rows == 2);
    CHECK(points.columns.size() == 1);
  });
  CHECK_THROWS_AS(reader.read_table("nothing", {0, 1}, every_column, is_policy, {}), InputError);
}

}  // namespace pimsweep::results
