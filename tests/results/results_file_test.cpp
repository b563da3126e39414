#include "results/results_file.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "results/frame.h"
#include "results/results_reader.h"
#include "sample.h"
#include "scratch_folder.h"

using namespace pimsweep;

namespace {

const ResultsInfo info{"sample", "name = \"sample\"\n", {{"chip", "doc = \"a chip\"\n"}}};

std::string digest_of(std::vector<std::unique_ptr<StudyView>> studies, const ResultsInfo& about,
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
      [&](const JournalEntry& entry) {
        REQUIRE(next < expected.size());
        REQUIRE(entry.identity == expected[next].first);
        REQUIRE(sample::same(entry.record, *expected[next].second));
        REQUIRE(entry.seconds == 0.25);
        ++next;
      });
  CHECK(next == expected.size());

  const Frame frame = read_study(path, "small.1");
  CHECK(frame.rows == 3);
  CHECK(frame.columns.at("hardware.noc.link_bandwidth").numbers == std::vector<double>{0, 1e9, 2e9});
  CHECK(frame.columns.at("hardware.noc.link_bandwidth").unit == "B/s");
  CHECK(frame.columns.at("label_layer").texts == std::vector<std::string>{"layer 0", "layer 1", "layer 2"});
  CHECK(study_ids(path) == std::vector<std::string>{"big", "none", "small.1"});
}

TEST_CASE("results of a system that is unknown or has changed its metrics are passed over") {
  const ScratchFolder scratch;
  const std::string path = scratch.file("a.h5");
  write_results(path, info, sample::studies(), {});
  int used = 0;
  const auto count = [&](const JournalEntry&) { ++used; };
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
    const std::vector<InputColumn>& inputs() const override { return study_.inputs(); }
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

TEST_CASE("what is no results file is refused by name") {
  const ScratchFolder scratch;
  CHECK_THROWS_WITH(study_ids(scratch.file("missing.h5")), Catch::Contains("missing.h5"));
  CHECK_THROWS_AS(study_ids("/dev/null"), InputError);
}
