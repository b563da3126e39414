#include "results/results_file.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "base/error.h"
#include "base/posix_file.h"
#include "fake_study.h"
#include "results/cells.h"
#include "results/point_cells.h"
#include "results/results_reader.h"
#include "results/seal.h"
#include "results/stored_network.h"
#include "sample.h"
#include "scratch_folder.h"
#include "text_study.h"

using namespace pimsweep::results;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

const ResultsInfo info{
    "sample", "name = \"sample\"\n", {{"chip", "doc = \"a chip\"\n"}}, {{"net.onnx", "refuse AAAA"}}};

std::string digest_of(const std::vector<std::unique_ptr<StudyView>>& studies, const ResultsInfo& about,
                      const Provenance& provenance) {
  const ScratchFolder scratch;
  return write_results(scratch.file("a.h5"), about, studies, provenance);
}

std::vector<std::unique_ptr<StudyView>> one_study(unsigned seed, const std::function<void(Record&)>& change) {
  auto study = std::make_unique<sample::Study>("one", 40, seed);
  for (Record& record : study->records()) {
    if (record.status != Status::ok) continue;
    change(record);
    break;
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  return studies;
}

}  // namespace

TEST_CASE("results come back from the file as they were") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5");
  const auto studies = sample::studies();
  write_results(path, info, studies, {{"hosts", "here"}});
  const Schema schema = sample::schema();

  sample::Study big("big", 5000, 1);
  sample::Study small("small.1", 3, 2);
  std::vector<std::pair<Hash128, const Record*>> expected;
  for (sample::Study* study : {&big, &small}) {
    for (std::uint64_t i = 0; i < study->size(); ++i) {
      if (study->records()[i].status != Status::not_run)
        expected.emplace_back(sample::Study::identity(i), &study->records()[i]);
    }
  }
  std::size_t next = 0;
  for_each_result(
      path, [&](std::string_view system) { return system == "sample" ? &schema : nullptr; },
      [&](const journal::Entry& entry) {
        REQUIRE(next < expected.size());
        REQUIRE(entry.identity == expected[next].first);
        REQUIRE(sample::same(entry.record, *expected[next].second));
        REQUIRE(entry.seconds == 0.25);
        ++next;
      });
  CHECK(next == expected.size());

  PointCells cells(path, "small.1", {"hardware.noc.link_bandwidth", "label_layer"});
  CHECK(cells.unit(0) == "B/s");
  CHECK(cells.row(0, true) == std::vector<std::string>{"0", "layer 0"});
  CHECK(cells.row(2, true) == std::vector<std::string>{"2000000000", "layer 2"});
  CHECK(study_ids(path) == std::vector<std::string>{"big", "none", "small.1"});
}

TEST_CASE("results of a system that is unknown or has changed its metrics are skipped") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5");
  write_results(path, info, sample::studies(), {});
  int used = 0;
  const auto count = [&](const journal::Entry&) { ++used; };
  for_each_result(
      path, [](std::string_view) { return nullptr; }, count);
  Schema changed = sample::schema();
  changed.metrics.push_back({.name = "energy", .unit = "J", .doc = "", .type = ValueType::real});
  for_each_result(
      path, [&](std::string_view) { return &changed; }, count);
  CHECK(used == 0);
}

TEST_CASE("the digest depends on the data and on nothing else") {
  const auto nothing = [](Record&) {};
  const std::string reference = digest_of(one_study(5, nothing), info, {{"hosts", "a"}});
  CHECK(reference.size() == 32);
  CHECK(digest_of(one_study(5, nothing), info, {{"hosts", "b"}, {"ranks", "64"}}) == reference);
  CHECK(digest_of(one_study(6, nothing), info, {}) != reference);
  CHECK(digest_of(
            one_study(5, [](Record& record) { record.metrics[0] = std::nextafter(to_real(record.metrics[0]), 2.0); }),
            info, {}) != reference);
  CHECK(digest_of(one_study(5, [](Record& record) { record.metrics[2] = std::string("other"); }), info, {}) !=
        reference);
  CHECK(digest_of(one_study(5, [](Record& record) { record.message = "x"; }), info, {}) != reference);
  CHECK(digest_of(one_study(5, [](Record& record) { record.tables[1].emplace_back(1.0); }), info, {}) != reference);
  ResultsInfo other = info;
  other.experiment_text += "# a comment\n";
  CHECK(digest_of(one_study(5, nothing), other, {}) != reference);
}

TEST_CASE("a results file is the same, byte by byte, in each run") {
  const ScratchFolder scratch;
  // Texts of growing length, tables of many blocks and of none, studies of one block and of several.
  const auto make = [] {
    std::vector<std::unique_ptr<StudyView>> studies = sample::studies();
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < 3 * block_rows + 77; ++i)
      texts.emplace_back(i / 999 % 300, static_cast<char>('a' + i % 26));
    studies.push_back(std::make_unique<sample::TextStudy>("texts", std::move(texts)));
    auto tables = std::make_unique<test::FakeStudy>("tables", test::fake_schema(), std::vector<ColumnInfo>{});
    for (int i = 0; i < 20000; ++i)
      tables->add({}, test::fake_record(1.0 / (1 + i), i % 3 == 0 ? "a" : "bb", i == 5 ? 40000 : i % 7));
    studies.push_back(std::move(tables));
    return studies;
  };
  const std::string first = scratch.file("first.h5");
  const std::string second = scratch.file("second.h5");
  CHECK(write_results(first, info, make(), {}) == write_results(second, info, make(), {}));
  CHECK(read_file(first) == read_file(second));
}

TEST_CASE("groups of a whole number of blocks come back") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5");
  for (const std::size_t size : {block_rows - 1, block_rows, block_rows + 1, 2 * block_rows}) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < size; ++i) texts.push_back(std::to_string(i));
    std::vector<std::unique_ptr<StudyView>> studies;
    studies.push_back(std::make_unique<sample::TextStudy>("texts", texts));
    write_results(path, info, studies, {});
    PointCells cells(path, "texts", {"text"});
    std::vector<std::string> read;
    for (std::size_t row = 0; row < size; ++row) read.push_back(cells.row(row, true).front());
    CHECK(read == texts);
  }
}

TEST_CASE("a results file appears whole or not at all") {
  const ScratchFolder scratch;
  CHECK_THROWS_WITH(write_results(scratch.file("no-folder/a.h5"), info, sample::studies(), {}),
                    Catch::Contains("no-folder"));

  // A study that breaks in the middle leaves the old file and no temporary one.
  class Breaking final : public StudyView {
   public:
    const std::string& id() const override { return study_.id(); }
    const std::string& doc() const override { return study_.doc(); }
    const Schema& schema() const override { return study_.schema(); }
    std::uint64_t size() const override { return study_.size(); }
    const std::vector<ColumnInfo>& inputs() const override { return study_.inputs(); }
    void row(std::uint64_t index, Row& row) override {
      if (index == 4500) throw std::runtime_error("broken");
      study_.row(index, row);
    }

   private:
    sample::Study study_{"one", 5000, 1};
  };
  const std::string path = scratch.file("a.h5");
  write_results(path, info, sample::studies(), {});
  const auto size = std::filesystem::file_size(path);
  std::vector<std::unique_ptr<StudyView>> broken;
  broken.push_back(std::make_unique<Breaking>());
  CHECK_THROWS_WITH(write_results(path, info, broken, {}), "broken");
  CHECK(std::filesystem::file_size(path) == size);
  const std::filesystem::directory_iterator files(std::filesystem::path(path).parent_path());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("the digest and what is read do not depend on how constant columns are stored") {
  const ScratchFolder scratch;
  std::vector<std::string> digests;
  for (const bool told : {false, true}) {
    const std::string path = scratch.file(told ? "told.h5" : "untold.h5");
    std::vector<std::unique_ptr<StudyView>> studies;
    studies.push_back(std::make_unique<sample::Study>("one", 20000, 7, told));
    digests.push_back(write_results(path, info, studies, {}));
  }
  CHECK(digests[0] == digests[1]);
  CHECK(std::filesystem::file_size(scratch.file("told.h5")) < std::filesystem::file_size(scratch.file("untold.h5")));
}

TEST_CASE("points are read in any order, with the value of every axis") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5");
  sample::Study study("one", 20000, 8);
  {
    std::vector<std::unique_ptr<StudyView>> studies;
    studies.push_back(std::make_unique<sample::Study>("one", 20000, 8));
    write_results(path, info, studies, {});
  }
  CHECK(stored_network(path, "net.onnx") == "refuse AAAA");
  CHECK(stored_network(path, "other.onnx").empty());
  const Schema stored = stored_schema(path, "one");
  CHECK(stored.name == "sample");
  CHECK(stored.version == 3);
  const Schema schema = sample::schema();
  REQUIRE(stored.axes.size() == schema.axes.size());
  for (std::size_t i = 0; i < schema.axes.size(); ++i) {
    CHECK(stored.axes[i].name == schema.axes[i].name);
    CHECK(stored.axes[i].type == schema.axes[i].type);
  }
  StudyReader reader(path, "one", stored);
  REQUIRE(reader.size() == 20000);
  std::mt19937_64 random(9);
  journal::Entry entry;
  std::vector<Value> axes;
  for (int trial = 0; trial < 300; ++trial) {
    const std::uint64_t point = random() % reader.size();
    reader.read(point, entry);
    REQUIRE(entry.identity == sample::Study::identity(point));
    REQUIRE(sample::same(entry.record, study.records()[point]));
    reader.read_axes(point, axes);
    for (std::size_t i = 0; i < axes.size(); ++i) REQUIRE(axes[i] == study.inputs_of(point)[i]);
  }
  CHECK(std::get<std::int64_t>(axes[5]) == sample::wide);
  CHECK_THROWS_AS(reader.read(20000, entry), InputError);
}

TEST_CASE("texts come back, be they equal, different, long or many") {
  std::mt19937_64 random(10);
  for (const std::size_t kinds : {1U, 3U, 3000U, 1000000U}) {
    const std::size_t long_text = kinds < 100 ? 600 : 9000;
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < block_rows + 4000; ++i) {
      const std::size_t kind = random() % kinds;
      texts.push_back(
          kind % 3 == 2 ? "" : fmt::format("{}\u00e9{}", kind, std::string(kind % 500 == 0 ? long_text : 0, 'x')));
    }
    const ScratchFolder scratch;
    std::vector<std::unique_ptr<StudyView>> studies;
    studies.push_back(std::make_unique<sample::TextStudy>("texts", texts));
    write_results(scratch.file("a.h5"), info, studies, {});
    std::size_t next = 0;
    for_each_result(
        scratch.file("a.h5"), [&](std::string_view) { return &studies[0]->schema(); },
        [&](const journal::Entry& entry) { REQUIRE(std::get<std::string>(entry.record.metrics[0]) == texts[next++]); });
    CHECK(next == texts.size());
    // In any order, too.
    PointCells cells(scratch.file("a.h5"), "texts", {"text"});
    for (int trial = 0; trial < 30; ++trial) {
      const std::size_t row = random() % texts.size();
      REQUIRE(cells.row(row, true).front() == texts[row]);
    }
    CHECK(stored_schema(scratch.file("a.h5"), "texts").tables.empty());
  }
}

TEST_CASE("a text is cut between two characters, or anywhere if it is no UTF-8") {
  CHECK(utf8_prefix("abc", 3) == "abc");
  CHECK(utf8_prefix("abc", 2) == "ab");
  CHECK(utf8_prefix("a\u20ac", 4) == "a\u20ac");
  CHECK(utf8_prefix("a\u20ac", 3) == "a");
  CHECK(utf8_prefix("a\U0001f600b", 4) == "a");
  CHECK(utf8_prefix(std::string(10, '\x80'), 6).size() == 6);
}

TEST_CASE("a damaged results file is refused, wherever the damage is") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5");
  {
    std::vector<std::unique_ptr<StudyView>> studies;
    studies.push_back(std::make_unique<sample::Study>("one", 60, 11));
    write_results(path, info, studies, {});
  }
  const std::string whole = read_file(path);
  const Schema schema = sample::schema();
  const std::string damaged = scratch.file("b.h5");
  int refused = 0;
  const auto read = [&](std::string_view bytes) {
    std::ofstream(damaged, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    try {
      for_each_result(
          damaged, [&](std::string_view) { return &schema; }, [](const journal::Entry&) {});
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).size() > 20);
      ++refused;
    }
  };
  std::mt19937_64 random(12);
  const int trials = 300;
  for (int trial = 0; trial < trials; ++trial) {
    std::string bytes = whole;
    // All but the mark that says that there is a checksum: without it the file is as whole as before.
    const std::size_t places = bytes.size() - 32;
    const std::size_t place = random() % (places + 16);
    char& byte = bytes[place < places ? place : place + 16];
    byte = static_cast<char>(byte ^ static_cast<char>(1 + random() % 255));
    read(bytes);
  }
  CHECK(refused == trials);
  for (int trial = 0; trial < trials; ++trial) read(std::string_view(whole).substr(0, random() % (whole.size() - 32)));
  CHECK(refused == 2 * trials);
  // Without its seal, as a program leaves it that has written to it, the file is read only where that is allowed.
  read(std::string_view(whole).substr(0, whole.size() - 32));
  CHECK(refused == 2 * trials + 1);
  accept_unsealed_files(true);
  read(std::string_view(whole).substr(0, whole.size() - 32));
  accept_unsealed_files(false);
  CHECK(refused == 2 * trials + 1);
}

TEST_CASE("a results file of another layout is refused with the reason") {
  const ScratchFolder scratch;
  std::ofstream(scratch.file("text.h5")) << "name = 1\n" << std::string(5000, 'x');
  CHECK_THROWS_WITH(study_ids(scratch.file("text.h5")), Catch::Contains("not an HDF5 file"));
  std::filesystem::create_directory(scratch.file("folder.h5"));
  CHECK_THROWS_AS(study_ids(scratch.file("folder.h5")), InputError);
}

TEST_CASE("a file that is not a results file is refused by name") {
  const ScratchFolder scratch;
  CHECK_THROWS_WITH(study_ids(scratch.file("missing.h5")), Catch::Contains("missing.h5"));
  CHECK_THROWS_AS(study_ids("/dev/null"), InputError);
}
