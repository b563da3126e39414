#include "driver/journal_index.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "../results/scratch_folder.h"

using namespace pimsweep;

namespace {

Record record(Status status, const std::string& message) {
  Record made;
  made.status = status;
  made.message = message;
  return made;
}

}  // namespace

TEST_CASE("a result comes before a failure, whichever journal holds it") {
  const ScratchFolder scratch;
  const JournalHeader header;
  const Hash128 retried{1, 1};
  const Hash128 failed{2, 2};
  {
    JournalWriter first(scratch.file("1.journal"), header);
    first.append(retried, 0, record(Status::failed, "at first"));
    first.append(failed, 0, record(Status::failed, "for good"));
    JournalWriter second(scratch.file("2.journal"), header);
    second.append(retried, 0, record(Status::ok, ""));
  }
  for (const bool swapped : {false, true}) {
    JournalIndex index;
    index.add(scratch.file(swapped ? "2.journal" : "1.journal"));
    index.add(scratch.file(swapped ? "1.journal" : "2.journal"));
    index.build();
    CHECK(index.status(retried) == Status::ok);
    CHECK(index.status(failed) == Status::failed);
    CHECK(index.status({3, 3}) == Status::not_run);
    JournalEntry entry;
    REQUIRE(index.read(failed, entry));
    CHECK(entry.record.message == "for good");
    CHECK_FALSE(index.read({3, 3}, entry));
    CHECK(index.warnings().empty());
  }
}

TEST_CASE("a damaged or foreign journal is left out with a warning, the others count") {
  const ScratchFolder scratch;
  {
    JournalWriter good(scratch.file("good.journal"), {});
    good.append({1, 1}, 0, record(Status::ok, ""));
    JournalWriter torn(scratch.file("torn.journal"), {});
    torn.append({2, 2}, 0, record(Status::ok, ""));
    torn.append({3, 3}, 0, record(Status::ok, ""));
  }
  const auto size = std::filesystem::file_size(scratch.file("torn.journal"));
  std::filesystem::resize_file(scratch.file("torn.journal"), size - 1);
  std::ofstream(scratch.file("foreign.journal")) << "this is no journal at all";
  JournalIndex index;
  for (const char* name : {"foreign.journal", "good.journal", "torn.journal", "missing.journal"})
    index.add(scratch.file(name));
  index.build();
  CHECK(index.status({1, 1}) == Status::ok);
  CHECK(index.status({2, 2}) == Status::ok);
  CHECK(index.status({3, 3}) == Status::not_run);
  CHECK(index.warnings().size() == 3);
}
