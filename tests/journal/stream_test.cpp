#include "journal/stream.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "../results/scratch_folder.h"
#include "journal/writer.h"

using namespace pimsweep::journal;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

const Hash128 plan{7, 7};

/// Schema of records without metrics.
const Schema schema;

Hash128 identity_of(std::uint64_t index) { return {index, ~index}; }

Entry entry(std::uint64_t index, Status status, const std::string& message = "") {
  Entry made;
  made.index = index;
  made.identity = identity_of(index);
  made.record.status = status;
  made.record.message = message;
  return made;
}

Header header_of(const Hash128& of_plan) {
  Header made;
  made.plan = of_plan;
  return made;
}

void write(const std::string& path, const std::vector<Entry>& entries, const Hash128& of_plan = plan) {
  Writer writer(path, header_of(of_plan));
  for (const Entry& one : entries) writer.append(one, Writer::Clock::now());
}

}  // namespace

TEST_CASE("results come in the plan's order from journals in any order") {
  const ScratchFolder scratch;
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    constexpr std::uint64_t points = 500;
    std::vector<std::vector<Entry>> parts(4);
    std::vector<bool> known(points, false);
    // Runs of points, in random order, some of them twice.
    for (int run = 0; run < 60; ++run) {
      const std::uint64_t first = random() % points;
      const std::uint64_t end = std::min(points, first + random() % 20);
      for (std::uint64_t index = first; index < end; ++index) {
        parts[random() % 4].push_back(entry(index, Status::ok, std::to_string(index)));
        known[index] = true;
      }
    }
    Index journals(plan);
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::string path = scratch.file(std::to_string(trial) + "-" + std::to_string(part) + ".journal");
      write(path, parts[part]);
      journals.add(path);
    }
    Stream stream(journals);
    Entry read;
    for (std::uint64_t index = 0; index < points; ++index) {
      if (random() % 5 == 0) continue;  // nobody has to ask for every point
      REQUIRE(stream.read(index, identity_of(index), schema, read) == known[index]);
      if (!known[index]) continue;
      REQUIRE(read.index == index);
      REQUIRE(read.record.message == std::to_string(index));
    }
    CHECK(stream.take_conflicts().empty());
  }
}

TEST_CASE("a result comes before a failure and that before a crash, whichever journal holds it") {
  const ScratchFolder scratch;
  write(scratch.file("1.journal"),
        {entry(1, Status::failed, "at first"), entry(2, Status::crashed), entry(3, Status::ok)});
  write(scratch.file("2.journal"),
        {entry(1, Status::ok), entry(2, Status::failed, "for good"), entry(3, Status::failed)});
  for (const bool swapped : {false, true}) {
    Index journals(plan);
    journals.add(scratch.file(swapped ? "2.journal" : "1.journal"));
    journals.add(scratch.file(swapped ? "1.journal" : "2.journal"));
    Stream stream(journals);
    Entry read;
    CHECK_FALSE(stream.read(0, identity_of(0), schema, read));
    REQUIRE(stream.read(1, identity_of(1), schema, read));
    CHECK(read.record.status == Status::ok);
    REQUIRE(stream.read(2, identity_of(2), schema, read));
    CHECK(read.record.message == "for good");
    REQUIRE(stream.read(3, identity_of(3), schema, read));
    CHECK(read.record.status == Status::ok);
    CHECK(stream.take_conflicts().empty());
  }
}

TEST_CASE("two results of a point that differ in a bit are a conflict") {
  const ScratchFolder scratch;
  write(scratch.file("1.journal"), {entry(1, Status::ok, "a"), entry(2, Status::ok, "same")});
  write(scratch.file("2.journal"), {entry(1, Status::ok, "b"), entry(2, Status::ok, "same")});
  Index journals(plan);
  journals.add(scratch.file("1.journal"));
  journals.add(scratch.file("2.journal"));
  Stream stream(journals);
  Entry read;
  REQUIRE(stream.read(1, identity_of(1), schema, read));
  CHECK(read.record.message == "a");
  REQUIRE(stream.read(2, identity_of(2), schema, read));
  CHECK(stream.take_conflicts() == std::vector<std::uint64_t>{1});
}

TEST_CASE(
    "a record that violates the schema neither hides another nor conflicts with it, whichever journal comes first") {
  const ScratchFolder scratch;
  Entry faulty = entry(1, Status::ok, "faulty");
  faulty.record.metrics = {1.0};
  write(scratch.file("1.journal"), {faulty});
  write(scratch.file("2.journal"), {entry(1, Status::ok, "sound")});
  write(scratch.file("3.journal"), {entry(2, Status::failed)});
  faulty.index = 2;
  faulty.identity = identity_of(2);
  write(scratch.file("4.journal"), {faulty});
  for (const std::string order : {"1234", "2143"}) {
    Index journals(plan);
    for (const char name : order) journals.add(scratch.file(std::string(1, name) + ".journal"));
    Stream stream(journals);
    Entry read;
    REQUIRE(stream.read(1, identity_of(1), schema, read));
    CHECK(read.record.message == "sound");
    REQUIRE(stream.read(2, identity_of(2), schema, read));
    CHECK(read.record.status == Status::failed);
    CHECK(stream.take_conflicts().empty());
  }
}

TEST_CASE("a result under another identity does not count, one of another plan is only listed") {
  const ScratchFolder scratch;
  write(scratch.file("1.journal"), {entry(1, Status::ok)});
  write(scratch.file("2.journal"), {entry(2, Status::ok)}, {8, 8});
  Index journals(plan);
  journals.add(scratch.file("1.journal"));
  journals.add(scratch.file("2.journal"));
  CHECK(journals.foreign() == std::vector<std::string>{scratch.file("2.journal")});
  Stream stream(journals);
  Entry read;
  CHECK_FALSE(stream.read(1, identity_of(5), schema, read));
  CHECK_FALSE(stream.read(2, identity_of(2), schema, read));
}

TEST_CASE("deaths are counted for each point") {
  const ScratchFolder scratch;
  {
    Writer writer(scratch.file("1.journal"), header_of(plan));
    writer.last_words(4, "abort");
    writer.last_words(4, "bus error");
  }
  Index journals(plan);
  journals.add(scratch.file("1.journal"));
  REQUIRE(journals.deaths().size() == 1);
  CHECK(journals.deaths().at(4) == std::vector<std::string>{"abort", "bus error"});
}

TEST_CASE("a damaged or foreign journal is left out with a warning, the others count") {
  const ScratchFolder scratch;
  write(scratch.file("good.journal"), {entry(1, Status::ok)});
  write(scratch.file("torn.journal"), {entry(2, Status::ok), entry(4, Status::ok)});
  const auto size = std::filesystem::file_size(scratch.file("torn.journal"));
  std::filesystem::resize_file(scratch.file("torn.journal"), size - 1);
  std::ofstream(scratch.file("foreign.journal")) << "this is not a journal";
  Index journals(plan);
  for (const char* name : {"foreign.journal", "good.journal", "torn.journal", "missing.journal"})
    journals.add(scratch.file(name));
  Stream stream(journals);
  Entry read;
  CHECK(stream.read(1, identity_of(1), schema, read));
  CHECK(stream.read(2, identity_of(2), schema, read));
  CHECK_FALSE(stream.read(4, identity_of(4), schema, read));
  CHECK(journals.warnings().size() == 3);
}

namespace {

/// Which points of those below `points` have a result.
std::vector<bool> found_in(Index& journals, std::uint64_t points) {
  Stream stream(journals);
  Entry read;
  std::vector<bool> found;
  for (std::uint64_t index = 0; index < points; ++index)
    found.push_back(stream.read(index, identity_of(index), schema, read) && read.index == index);
  return found;
}

}  // namespace

TEST_CASE("of a closed journal the heads of its frames are enough") {
  const ScratchFolder scratch;
  std::mt19937_64 random(6);
  constexpr std::uint64_t points = 4000;
  std::vector<Entry> entries;
  for (std::uint64_t index = random() % 9; index < points; index += 1 + (random() % 4 == 0 ? random() % 50 : 0))
    entries.push_back(entry(index, Status::failed, std::string(random() % 200, 'x')));
  const std::string path = scratch.file("1.journal");
  write(path, entries);
  Index whole(plan);
  whole.add(path);
  Index heads(plan);
  heads.add_closed(path);
  CHECK(heads.extents().size() == whole.extents().size());
  const std::vector<bool> found = found_in(whole, points);
  CHECK(std::count(found.begin(), found.end(), true) == static_cast<std::ptrdiff_t>(entries.size()));
  CHECK(found_in(heads, points) == found);

  // Cut anywhere it is read as a whole, with a warning.
  const auto size = std::filesystem::file_size(path);
  for (int trial = 0; trial < 20; ++trial) {
    const std::string cut = scratch.file("cut.journal");
    std::filesystem::copy_file(path, cut, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(cut, size - 1 - random() % (size / 2));
    Index closed(plan);
    closed.add_closed(cut);
    Index read(plan);
    read.add(cut);
    CHECK(closed.warnings() == read.warnings());
    CHECK(closed.extents().size() == read.extents().size());
    CHECK(found_in(closed, points) == found_in(read, points));
  }
}

TEST_CASE("a damaged frame of a closed journal gives no results, the others do") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("1.journal");
  // A frame for each.
  write(path, {entry(0, Status::ok), entry(2, Status::ok, "two"), entry(4, Status::ok)});
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  file.seekp(static_cast<std::streamoff>(bytes.find("two")));
  file << "TWO" << std::flush;
  Index journals(plan);
  journals.add_closed(path);
  CHECK(found_in(journals, 6) == std::vector<bool>{true, false, false, false, true, false});
}

TEST_CASE("deaths in a closed journal, and journals of other plans, are found") {
  const ScratchFolder scratch;
  {
    Writer writer(scratch.file("1.journal"), header_of(plan));
    writer.append(entry(3, Status::ok), Writer::Clock::now());
    writer.last_words(4, "abort");
  }
  write(scratch.file("2.journal"), {entry(1, Status::ok)}, Hash128{1, 2});
  Index journals(plan);
  for (const char* name : {"1.journal", "2.journal", "missing.journal"}) journals.add_closed(scratch.file(name));
  CHECK(journals.deaths().at(4) == std::vector<std::string>{"abort"});
  CHECK(journals.foreign() == std::vector<std::string>{scratch.file("2.journal")});
  CHECK(journals.warnings().size() == 1);
  CHECK(found_in(journals, 5) == std::vector<bool>{false, false, false, true, false});
}
