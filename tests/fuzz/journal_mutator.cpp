#include "journal_mutator.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "journal_frames.h"

namespace pimsweep::fuzz {

namespace {

void set_number(std::string& payload, std::mt19937& random) {
  const std::uint64_t number = suspect_numbers[random() % suspect_numbers.size()];
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
  const std::string changed = sealed_journal(payloads);
  return changed.size() <= max_size ? changed : std::string(journal);
}

}  // namespace pimsweep::fuzz
