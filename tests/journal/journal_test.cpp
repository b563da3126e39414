#include "journal/journal.h"

#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "../results/sample.h"
#include "../results/scratch_folder.h"
#include "base/error.h"
#include "base/posix_file.h"
#include "journal/reader.h"
#include "journal/writer.h"

using namespace pimsweep::journal;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

const Header header{"an experiment",
                    "/a folder/x.toml",
                    {"one", "two"},
                    {"batch=2", "hardware.clock=1 GHz"},
                    {{"one", 3}, {"two words", 4}},
                    {1, 2},
                    "a host",
                    7,
                    42,
                    1700000000};

Entry entry_of(std::uint64_t index, const Record& record) {
  return {sample::Study::identity(index), 0.5 * static_cast<double>(index), record, index};
}

/// Entries 0, 1, 2, ... but for every 7th, so that frames end; flushed after each if `flush`.
std::vector<Entry> write_journal(const std::string& path, std::size_t entries, bool flush = false) {
  const Schema schema = sample::schema();
  std::mt19937_64 random(21);
  std::vector<Entry> written;
  Writer writer(path, header);
  for (std::uint64_t index = 0; written.size() < entries; ++index) {
    if (index % 7 == 6) continue;
    written.push_back(entry_of(index, sample::record(schema, random)));
    writer.append(written.back(), Writer::Clock::now());
    if (flush) writer.flush();
  }
  writer.close();
  return written;
}

void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// Number of entries in the journal; each must be the next one written.
std::size_t count_and_check(Reader& reader, const std::vector<Entry>& written) {
  std::size_t count = 0;
  Reader::Frame frame;
  Entry entry;
  while (reader.next(frame)) {
    if (frame.kind != FrameKind::results) continue;
    EntryReader entries(frame.payload);
    while (entries.next(entry)) {
      REQUIRE(count < written.size());
      REQUIRE(entry.index == written[count].index);
      REQUIRE(entry.identity == written[count].identity);
      REQUIRE(entry.seconds == written[count].seconds);
      REQUIRE(sample::same(entry.record, written[count].record));
      ++count;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("a journal gives back what was appended") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const std::vector<Entry> written = write_journal(path, 2000);
  Reader reader(path);
  CHECK(reader.header().experiment == header.experiment);
  CHECK(reader.header().experiment_file == header.experiment_file);
  CHECK(reader.header().studies == header.studies);
  REQUIRE(reader.header().plan_studies.size() == 2);
  CHECK(reader.header().plan_studies[1].id == "two words");
  CHECK(reader.header().plan_studies[1].points == 4);
  CHECK(reader.header().overrides == header.overrides);
  CHECK(reader.header().plan == header.plan);
  CHECK(reader.header().host == header.host);
  CHECK(reader.header().rank == header.rank);
  CHECK(reader.header().pid == header.pid);
  CHECK(reader.header().started == header.started);
  CHECK(count_and_check(reader, written) == written.size());
  CHECK(reader.damaged_bytes() == 0);
}

TEST_CASE("a header keeps texts of several lines") {
  const ScratchFolder scratch;
  Header lines = header;
  lines.experiment_file = "/a\nplan 0 0\\n/x.toml";
  lines.studies = {"s\nset rows=3"};
  lines.overrides = {"label=a\\\nhost evil\\"};
  lines.plan_studies = {{"a\nb", 3}};
  Writer(scratch.file("a.journal"), lines).close();
  const Reader reader(scratch.file("a.journal"));
  CHECK(reader.header().experiment_file == lines.experiment_file);
  CHECK(reader.header().studies == lines.studies);
  CHECK(reader.header().overrides == lines.overrides);
  REQUIRE(reader.header().plan_studies.size() == 1);
  CHECK(reader.header().plan_studies[0].id == "a\nb");
  CHECK(reader.header().plan == header.plan);
  CHECK(reader.header().host == header.host);
}

TEST_CASE("a frame is found again at its place") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  write_journal(path, 300);
  Reader reader(path);
  const PosixFile file = PosixFile::read_from(path);
  Reader::Frame frame;
  std::string payload;
  std::size_t frames = 0;
  for (; reader.next(frame); ++frames) {
    REQUIRE(read_frame(file, frame.offset, payload));
    REQUIRE(payload == frame.payload);
  }
  CHECK(frames > 10);
  CHECK_FALSE(read_frame(file, std::filesystem::file_size(path), payload));
  CHECK_FALSE(read_frame(file, 3, payload));
}

TEST_CASE("what was flushed is in the file although the journal is still open") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const Schema schema = sample::schema();
  std::mt19937_64 random(22);
  Writer writer(path, header);
  const std::vector<Entry> written{entry_of(0, sample::record(schema, random))};
  writer.append(written[0], Writer::Clock::now());
  writer.flush();
  Reader reader(path);
  CHECK(count_and_check(reader, written) == 1);
}

TEST_CASE("a dying process hands over what it has and notes its point") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const Schema schema = sample::schema();
  std::mt19937_64 random(25);
  std::vector<Entry> written;
  Writer writer(path, header);
  for (std::uint64_t index = 0; index < 5; ++index) {
    written.push_back(entry_of(index, sample::record(schema, random)));
    writer.append(written.back(), Writer::Clock::time_point{});
  }
  writer.last_words(99, "segmentation fault");
  Reader reader(path);
  CHECK(count_and_check(reader, written) == written.size());
  Reader again(path);
  Reader::Frame frame;
  while (again.next(frame) && frame.kind != FrameKind::death) {
  }
  REQUIRE(frame.kind == FrameKind::death);
  CHECK(death_from(frame.payload).index == 99);
  CHECK(death_from(frame.payload).cause == "segmentation fault");
}

TEST_CASE("a journal cut at any byte of its last KiB gives every whole frame before the cut") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const std::vector<Entry> written = write_journal(path, 100, true);
  const std::string bytes = read_file(path);
  REQUIRE(bytes.size() > 2048);
  std::size_t before = written.size();
  for (std::size_t cut = 0; cut <= 1024; ++cut) {
    const std::size_t size = bytes.size() - cut;
    put(path, std::string_view(bytes).substr(0, size));
    Reader reader(path);
    const std::size_t count = count_and_check(reader, written);
    REQUIRE(count <= before);
    // Nothing is lost but the entry that was cut.
    REQUIRE(before - count <= 1);
    before = count;
  }
  CHECK(before < written.size());
}

TEST_CASE("a journal cut inside its head has no entries and is still readable") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  write_journal(path, 1);
  const std::string bytes = read_file(path);
  for (std::size_t size = 0; size < 60; ++size) {
    put(path, std::string_view(bytes).substr(0, size));
    Reader reader(path);
    CHECK(count_and_check(reader, {}) == 0);
  }
}

TEST_CASE("flipped bits are noticed: what is read is what was written") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  const std::vector<Entry> written = write_journal(path, 60);
  const std::string bytes = read_file(path);
  std::mt19937_64 random(23);
  constexpr std::size_t magic_bytes = 19;
  for (int trial = 0; trial < 800; ++trial) {
    std::string changed = bytes;
    const std::size_t place = magic_bytes + random() % (bytes.size() - magic_bytes);
    changed[place] = static_cast<char>(changed[place] ^ (1 << random() % 8));
    put(path, changed);
    Reader reader(path);
    REQUIRE(count_and_check(reader, written) < written.size());
    REQUIRE(reader.damaged_bytes() > 0);
  }
}

TEST_CASE("a file that is not a journal, has another version, or does not exist is refused by name") {
  const ScratchFolder scratch;
  put(scratch.file("b.journal"), "something else entirely");
  CHECK_THROWS_WITH(Reader(scratch.file("b.journal")), Catch::Contains("b.journal"));
  put(scratch.file("old.journal"), "pimsweep journal 1\n");
  CHECK_THROWS_WITH(
      Reader(scratch.file("old.journal")),
      Catch::Contains("is a 'pimsweep journal 1', and this program reads 'pimsweep journal 2': end the run with"));
  CHECK_THROWS_AS(Reader(scratch.file("missing.journal")), InputError);
}

TEST_CASE("a write that the system refuses is an exception that names the file") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.journal");
  {
    // As on a full disk: no file may grow.
    const auto previous = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
    const rlimit none{0, limit.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &none) == 0);
    CHECK_THROWS_WITH(Writer(path, header), Catch::Contains(path) && Catch::Contains("File too large"));
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    std::signal(SIGXFSZ, previous);
  }
  CHECK_THROWS_WITH(Writer(path, header), Catch::Contains(path) && Catch::Contains("File exists"));
  CHECK_THROWS_WITH(Writer("/no-such-folder/a.journal", header), Catch::Contains("/no-such-folder/a.journal"));
}

TEST_CASE("journal files are found in order") {
  const ScratchFolder scratch;
  put(scratch.file("2.journal"), "");
  put(scratch.file("1.journal"), "");
  put(scratch.file("lock"), "");
  const auto files = files_in(std::filesystem::path(scratch.file("x")).parent_path().string());
  CHECK(files == std::vector<std::string>{scratch.file("1.journal"), scratch.file("2.journal")});
  CHECK(files_in(scratch.file("1.journal")) == std::vector<std::string>{scratch.file("1.journal")});
  CHECK(folder_of("results/a.h5") == "results/a.h5.journal");
}
