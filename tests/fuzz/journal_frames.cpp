#include "journal_frames.h"

#include <algorithm>
#include <cstdint>

#include "base/bytes.h"
#include "base/hash.h"
#include "journal/journal.h"

namespace pimsweep::fuzz {

using journal::magic;

std::vector<std::string> payloads_of(std::string_view journal) {
  std::vector<std::string> payloads;
  ByteReader reader(journal.substr(std::min(magic.size(), journal.size())));
  while (!reader.at_end()) {
    const auto length = reader.number<std::uint32_t>();
    reader.number<std::uint32_t>();
    payloads.emplace_back(length <= reader.rest().size() ? reader.bytes(length) : reader.bytes(reader.rest().size()));
  }
  return payloads;
}

std::string sealed_journal(const std::vector<std::string>& payloads) {
  std::string journal(magic);
  for (const std::string& payload : payloads) {
    append_number(journal, static_cast<std::uint32_t>(payload.size()));
    append_number(journal, checksum32(payload));
    journal += payload;
  }
  return journal;
}

}  // namespace pimsweep::fuzz
