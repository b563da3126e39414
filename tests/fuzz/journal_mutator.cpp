#include "journal_mutator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "results/journal_format.h"

namespace pimsweep::fuzz {

namespace {

using results::journal_format::magic;

/// The payloads of all frames, whether their checksums match or not; what is left over is a last payload.
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

std::string sealed(const std::vector<std::string>& payloads) {
  std::string journal(magic);
  for (const std::string& payload : payloads) {
    append_number(journal, static_cast<std::uint32_t>(payload.size()));
    append_number(journal, checksum32(payload));
    journal += payload;
  }
  return journal;
}

/// Numbers at which readers may go wrong.
void set_number(std::string& payload, std::mt19937& random) {
  constexpr std::array<std::uint64_t, 8> numbers{
      0, 1, 0x7f, 0x80, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff};
  const std::uint64_t number = numbers[random() % numbers.size()];
  const std::size_t size = std::min<std::size_t>(std::size_t{1} << (random() % 4), payload.size());
  std::memcpy(payload.data() + random() % (payload.size() - size + 1), &number, size);
}

void mutate_frames(std::vector<std::string>& payloads, std::size_t max_size, std::mt19937& random,
                   const MutateBytes& mutate) {
  std::string& payload = payloads[random() % payloads.size()];
  switch (random() % 8) {
    case 0:
      return payloads.push_back(std::string(payload));
    case 1:
      return std::swap(payload, payloads.back());
    case 2:
      return payloads.pop_back();
    case 3:
      if (!payload.empty()) payload.front() = "hrdx"[random() % 4];
      return;
    case 4:
    case 5:
      if (!payload.empty()) set_number(payload, random);
      return;
    default:
      mutate(payload, max_size);
  }
}

}  // namespace

std::string mutate_journal(std::string_view journal, std::size_t max_size, std::mt19937& random,
                           const MutateBytes& mutate) {
  std::vector<std::string> payloads = payloads_of(journal);
  if (payloads.empty() || random() % 16 == 0) {
    std::string bytes(journal);
    mutate(bytes, max_size);
    return bytes;
  }
  mutate_frames(payloads, max_size / 2, random, mutate);
  const std::string changed = sealed(payloads);
  return changed.size() <= max_size ? changed : std::string(journal);
}

}  // namespace pimsweep::fuzz
