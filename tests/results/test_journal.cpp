#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.h"
#include "fake_study.h"
#include "results/journal.h"
#include "scratch.h"

namespace pimsweep {
namespace {

using test::fake_record;
using test::fake_schema;
using test::Scratch;

JournalHeader header() {
  JournalHeader header;
  header.experiment = "an experiment";
  header.plan = hash128("plan");
  header.host = "node 7";
  header.rank = 3;
  header.pid = 4711;
  header.started = 1800000000;
  return header;
}

Hash128 key(int i) { return hash128(std::to_string(i)); }

/// A journal of `count` entries with records of varying size.
void write_journal(const std::string& path, int count) {
  JournalWriter writer(path, header());
  for (int i = 0; i < count; ++i)
    writer.append(key(i), 0.25 * i, fake_record(i, std::string(static_cast<std::size_t>(i % 40), 'w'), i % 4));
  writer.close();
}

bool same(const Record& a, const Record& b) {
  return a.status == b.status && a.message == b.message && a.metrics == b.metrics && a.tables == b.tables;
}

/// The readable entries are the first ones that were written, unharmed.
void check_prefix(const JournalReader& reader) {
  JournalEntry entry;
  for (std::size_t i = 0; i < reader.entries().size(); ++i) {
    const int n = static_cast<int>(i);
    REQUIRE(reader.entries()[i].identity == key(n));
    REQUIRE(reader.read(reader.entries()[i].offset, entry));
    REQUIRE(same(entry.record, fake_record(n, std::string(i % 40, 'w'), n % 4)));
  }
}

std::string content(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream << bytes;
}

}  // namespace

TEST_CASE("what was appended is read back", "[journal]") {
  const Scratch scratch;
  const std::string path = scratch / "0.journal";
  write_journal(path, 100);
  const JournalReader reader(path);
  CHECK(reader.header().experiment == "an experiment");
  CHECK(reader.header().plan == hash128("plan"));
  CHECK(reader.header().host == "node 7");
  CHECK(reader.header().rank == 3);
  CHECK(reader.header().pid == 4711);
  CHECK(reader.header().started == 1800000000);
  CHECK(reader.damaged_bytes() == 0);
  REQUIRE(reader.entries().size() == 100);
  CHECK(reader.entries()[7].status == Status::ok);
  check_prefix(reader);
}

TEST_CASE("a journal cut at any byte of its last KiB keeps every whole entry", "[journal]") {
  const Scratch scratch;
  const std::string whole = scratch / "whole.journal";
  write_journal(whole, 60);
  const std::string bytes = content(whole);
  const JournalReader complete(whole);
  for (std::size_t cut = bytes.size() - 1024; cut < bytes.size(); ++cut) {
    const std::string path = scratch / "cut.journal";
    overwrite(path, bytes.substr(0, cut));
    const JournalReader reader(path);
    check_prefix(reader);
    std::size_t whole_entries = 0;
    while (whole_entries + 1 < complete.entries().size() && complete.entries()[whole_entries + 1].offset <= cut)
      ++whole_entries;
    REQUIRE(reader.entries().size() == whole_entries);
  }
}

TEST_CASE("a flipped bit never crashes and never yields a wrong entry", "[journal]") {
  const Scratch scratch;
  const std::string whole = scratch / "whole.journal";
  write_journal(whole, 30);
  const std::string bytes = content(whole);
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    std::string flipped = bytes;
    flipped[std::uniform_int_distribution<std::size_t>(20, bytes.size() - 1)(random)] ^=
        static_cast<char>(1 << random() % 8);
    const std::string path = scratch / "flipped.journal";
    overwrite(path, flipped);
    const JournalReader reader(path);
    REQUIRE(reader.entries().size() < 30);
    REQUIRE(reader.damaged_bytes() > 0);
    if (reader.header().pid == 4711) check_prefix(reader);
  }
}

TEST_CASE("what is no journal is refused", "[journal]") {
  const Scratch scratch;
  overwrite(scratch / "other.journal", "some other file that is long enough");
  CHECK_THROWS_AS(JournalReader(scratch / "other.journal"), InputError);
  CHECK_THROWS_AS(JournalReader(scratch / "none.journal"), InputError);
  overwrite(scratch / "empty.journal", "");
  CHECK(JournalReader(scratch / "empty.journal").entries().empty());
}

TEST_CASE("an entry is in the kernel's hands after flush", "[journal]") {
  const Scratch scratch;
  const std::string path = scratch / "0.journal";
  JournalWriter writer(path, header());
  writer.append(key(0), 0, fake_record(0, "", 0));
  writer.flush();
  CHECK(JournalReader(path).entries().size() == 1);
}

TEST_CASE("an unwritable journal is an exception that names it", "[journal]") {
  CHECK_THROWS_WITH(JournalWriter("/proc/no/such.journal", header()), Catch::Contains("/proc/no/such.journal"));
  CHECK_THROWS_WITH(JournalWriter("/dev/full", header()),
                    Catch::Contains("/dev/full") && Catch::Contains("No space left"));
}

TEST_CASE("journal files of a folder come in order", "[journal]") {
  const Scratch scratch;
  write_journal(scratch / "b.journal", 1);
  write_journal(scratch / "a.journal", 1);
  overwrite(scratch / "note.txt", "not a journal");
  const auto files = journal_files(scratch.path());
  REQUIRE(files.size() == 2);
  CHECK(files[0] == scratch / "a.journal");
  CHECK(journal_folder("x.h5") == "x.h5.journal");
}

}  // namespace pimsweep
