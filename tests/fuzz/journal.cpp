#include "expect.h"
#include "memory_file.h"
#include "readers.h"
#include "results/journal_reader.h"

namespace pimsweep::fuzz {

namespace {

void read_frame(const results::JournalReader::Frame& frame) {
  results::JournalEntry entry;
  switch (frame.kind) {
    case results::journal_format::Kind::results: {
      results::EntryReader entries(frame.payload);
      while (entries.next(entry)) require(!entries.record_bytes().empty(), "a record has bytes");
      break;
    }
    case results::journal_format::Kind::death:
      results::death_from(frame.payload);
      break;
    case results::journal_format::Kind::header:
      break;
  }
}

}  // namespace

void read_journal(std::string_view input) {
  const MemoryFile file(input);
  expect_input_error([&] {
    results::JournalReader reader(file.path());
    results::JournalReader::Frame frame;
    while (reader.next(frame)) read_frame(frame);
    require(reader.damaged_bytes() <= input.size(), "what is damaged is a part of the file");
  });
}

}  // namespace pimsweep::fuzz
