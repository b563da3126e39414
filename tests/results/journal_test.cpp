#include "results/journal.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/posix_file.h"
#include "sample.h"
#include "scratch_folder.h"

using namespace pimsweep;

namespace {

const JournalHeader header{
    "an experiment", "/a folder/x.toml", {"one", "two"}, {"batch=2", "hardware.clock=1 GHz"}, {1, 2}, "a host", 7, 42,
    1700000000};

std::vector<Record> write_journal(const std::string& path, int entries) {
  const Schema schema = sample::schema();
  std::mt19937_64 random(21);
  std::vector<Record> records;
  JournalWriter writer(path, header);
  for (int i = 0; i < entries; ++i) {
    records.push_back(sample::record(schema, random));
    writer.append(sample::Study::identity(static_cast<std::uint64_t>(i)), 0.5 * i, records.back());
  }
  writer.close();
  return records;
}

void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Every entry that the reader offers is one that was written, in the order written.
void check_prefix(const JournalReader& reader, const std::vector<Record>& written) {
  REQUIRE(reader.entries().size() <= written.size());
  JournalEntry entry;
  for (std::size_t i = 0; i < reader.entries().size(); ++i) {
    REQUIRE(reader.read(reader.entries()[i].offset, entry));
    REQUIRE(entry.identity == sample::Study::identity(i));
    REQUIRE(sample::same(entry.record, written[i]));
  }
}

}  // namespace

TEST_CASE("a journal gives back what was appended") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const std::vector<Record> written = write_journal(path, 2000);
  const JournalReader reader(path);
  CHECK(reader.header().experiment == header.experiment);
  CHECK(reader.header().experiment_file == header.experiment_file);
  CHECK(reader.header().studies == header.studies);
  CHECK(reader.header().overrides == header.overrides);
  CHECK(reader.header().plan == header.plan);
  CHECK(reader.header().host == header.host);
  CHECK(reader.header().rank == header.rank);
  CHECK(reader.header().pid == header.pid);
  CHECK(reader.header().started == header.started);
  CHECK(reader.damaged_bytes() == 0);
  REQUIRE(reader.entries().size() == written.size());
  check_prefix(reader, written);
  JournalEntry entry;
  REQUIRE(reader.read(reader.entries()[9].offset, entry));
  CHECK(entry.seconds == 4.5);
}

TEST_CASE("what was flushed is in the file although the journal is still open") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const Schema schema = sample::schema();
  std::mt19937_64 random(22);
  JournalWriter writer(path, header);
  writer.append({1, 1}, 0, sample::record(schema, random));
  writer.flush();
  CHECK(JournalReader(path).entries().size() == 1);
}

TEST_CASE("a journal cut at any byte of its last KiB gives every whole entry before the cut") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const std::vector<Record> written = write_journal(path, 100);
  const std::string bytes = read_file(path);
  REQUIRE(bytes.size() > 2048);
  std::size_t entries_before = JournalReader(path).entries().size();
  for (std::size_t cut = 0; cut <= 1024; ++cut) {
    const std::size_t size = bytes.size() - cut;
    put(path, std::string_view(bytes).substr(0, size));
    const JournalReader reader(path);
    check_prefix(reader, written);
    REQUIRE(reader.entries().size() <= entries_before);
    // Nothing is lost but the entry that was cut.
    REQUIRE(entries_before - reader.entries().size() <= 1);
    entries_before = reader.entries().size();
  }
  CHECK(entries_before < written.size());
}

TEST_CASE("a journal cut inside its head has no entries and is still readable") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  write_journal(path, 1);
  const std::string bytes = read_file(path);
  for (std::size_t size = 0; size < 60; ++size) {
    put(path, std::string_view(bytes).substr(0, size));
    CHECK(JournalReader(path).entries().empty());
  }
}

TEST_CASE("flipped bits are noticed: what is read is what was written") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const std::vector<Record> written = write_journal(path, 60);
  const std::string bytes = read_file(path);
  std::mt19937_64 random(23);
  constexpr std::size_t magic_bytes = 19;
  for (int trial = 0; trial < 800; ++trial) {
    std::string changed = bytes;
    const std::size_t place = magic_bytes + random() % (bytes.size() - magic_bytes);
    changed[place] ^= static_cast<char>(1 << random() % 8);
    put(path, changed);
    const JournalReader reader(path);
    if (!reader.entries().empty()) check_prefix(reader, written);
    REQUIRE(reader.entries().size() < written.size());
    REQUIRE(reader.damaged_bytes() > 0);
  }
}

TEST_CASE("a file that is no journal, or is not there, is refused by name") {
  const ScratchFolder scratch;
  put(scratch.file("b.journal"), "something else entirely");
  CHECK_THROWS_WITH(JournalReader(scratch.file("b.journal")), Catch::Contains("b.journal"));
  CHECK_THROWS_AS(JournalReader(scratch.file("missing.journal")), InputError);
}

TEST_CASE("a write that the system refuses is an exception that names the file") {
  const Schema schema = sample::schema();
  std::mt19937_64 random(24);
  CHECK_THROWS_WITH(JournalWriter("/dev/full", header),
                    Catch::Contains("/dev/full") && Catch::Contains("No space left"));
  CHECK_THROWS_WITH(JournalWriter("/no-such-folder/a.journal", header), Catch::Contains("/no-such-folder/a.journal"));
}

TEST_CASE("journal files are found in order") {
  const ScratchFolder scratch;
  put(scratch.file("2.journal"), "");
  put(scratch.file("1.journal"), "");
  put(scratch.file("lock"), "");
  const auto files = journal_files(std::filesystem::path(scratch.file("x")).parent_path().string());
  CHECK(files == std::vector<std::string>{scratch.file("1.journal"), scratch.file("2.journal")});
  CHECK(journal_files(scratch.file("1.journal")) == std::vector<std::string>{scratch.file("1.journal")});
  CHECK(journal_folder("results/a.h5") == "results/a.h5.journal");
}
