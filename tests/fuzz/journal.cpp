#include "expect.h"
#include "journal/reader.h"
#include "memory_file.h"
#include "readers.h"

namespace pimsweep::fuzz {

namespace {

void read_frame(const journal::Reader::Frame& frame) {
  journal::Entry entry;
  switch (frame.kind) {
    case journal::FrameKind::results: {
      journal::EntryReader entries(frame.payload);
      while (entries.next(entry)) require(!entries.record_bytes().empty(), "a record has bytes");
      break;
    }
    case journal::FrameKind::death:
      journal::death_from(frame.payload);
      break;
    case journal::FrameKind::header:
      break;
  }
}

}  // namespace

void read_journal(std::string_view input) {
  const MemoryFile file(input);
  expect_input_error([&] {
    journal::Reader reader(file.path());
    journal::Reader::Frame frame;
    while (reader.next(frame)) read_frame(frame);
    require(reader.damaged_bytes() <= input.size(), "what is damaged is a part of the file");
  });
}

}  // namespace pimsweep::fuzz
