#include "journal_edits.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "journal_frames.h"

namespace pimsweep::fuzz {

namespace {

using Frames = std::vector<std::string>;

constexpr std::size_t max_journals = 6;
constexpr std::size_t max_frames = 16;

/// Where an edit takes place, and what is edited.
struct Place {
  std::vector<Frames>& journals;
  Frames& frames;
  std::string& payload;
};

std::size_t offset_in(const std::string& payload, ByteReader& edits) {
  return edits.number<std::uint16_t>() % (payload.size() + 1);
}

void repeat_frame(Place place, ByteReader& edits) {
  Frames& target = place.journals[edits.number<std::uint8_t>() % place.journals.size()];
  if (target.size() < max_frames) target.push_back(std::string(place.payload));
}

void exchange_frames(Place place, ByteReader& edits) {
  Frames& target = place.journals[edits.number<std::uint8_t>() % place.journals.size()];
  std::string& other = target[edits.number<std::uint8_t>() % target.size()];
  if (&other != &place.payload) std::swap(place.payload, other);
}

void remove_frame(Place place, ByteReader& /*edits*/) {
  if (place.frames.size() > 1) place.frames.erase(place.frames.begin() + (&place.payload - place.frames.data()));
}

void change_kind(Place place, ByteReader& edits) {
  constexpr std::string_view kinds = "hrdx";
  if (!place.payload.empty()) place.payload.front() = kinds[edits.number<std::uint8_t>() % kinds.size()];
}

void set_number(Place place, ByteReader& edits) {
  const std::size_t at = offset_in(place.payload, edits);
  const auto choice = edits.number<std::uint8_t>();
  const std::uint64_t number = suspect_numbers[choice % suspect_numbers.size()];
  const std::size_t size = std::size_t{1} << (choice / suspect_numbers.size() % 4);
  std::memcpy(place.payload.data() + at, &number, std::min(size, place.payload.size() - at));
}

void replace_bytes(Place place, ByteReader& edits) {
  const std::size_t at = offset_in(place.payload, edits);
  const std::string_view bytes =
      edits.bytes(std::min<std::size_t>(edits.number<std::uint8_t>() % 16, edits.rest().size()));
  place.payload.replace(at, bytes.size(), bytes);
}

void insert_bytes(Place place, ByteReader& edits) {
  const std::size_t at = offset_in(place.payload, edits);
  place.payload.insert(at, edits.bytes(std::min<std::size_t>(edits.number<std::uint8_t>() % 16, edits.rest().size())));
}

void cut_frame(Place place, ByteReader& edits) { place.payload.resize(offset_in(place.payload, edits)); }

void remove_bytes(Place place, ByteReader& edits) {
  place.payload.erase(offset_in(place.payload, edits), 1 + edits.number<std::uint8_t>() % 8);
}

/// The point of a frame of results or of a death, and how many points there are.
void number_points(Place place, ByteReader& edits) {
  constexpr std::size_t index_at = 1;
  constexpr std::size_t count_at = 9;
  const std::uint64_t index = edits.number<std::uint8_t>() % 12;
  const std::uint32_t count = edits.number<std::uint8_t>() % 4;
  if (place.payload.size() < count_at + sizeof count) return;
  std::memcpy(place.payload.data() + index_at, &index, sizeof index);
  if (place.payload.front() == 'r') std::memcpy(place.payload.data() + count_at, &count, sizeof count);
}

void repeat_journal(Place place, ByteReader& /*edits*/) {
  if (place.journals.size() < max_journals) place.journals.push_back(Frames(place.frames));
}

constexpr std::array all_edits{repeat_frame, exchange_frames, remove_frame, change_kind,   set_number,    replace_bytes,
                               insert_bytes, cut_frame,       remove_bytes, number_points, repeat_journal};

}  // namespace

void edit_journals(std::vector<std::string>& journals, ByteReader& edits) {
  std::vector<Frames> parsed;
  parsed.reserve(journals.size());
  for (const std::string& journal : journals) parsed.push_back(payloads_of(journal));
  const auto cut_journal = edits.number<std::uint8_t>();
  const auto cut_bytes = edits.number<std::uint8_t>();
  while (edits.rest().size() >= 3) {
    Frames& frames = parsed[edits.number<std::uint8_t>() % parsed.size()];
    std::string& payload = frames[edits.number<std::uint8_t>() % frames.size()];
    all_edits[edits.number<std::uint8_t>() % all_edits.size()]({parsed, frames, payload}, edits);
  }
  journals.clear();
  for (const Frames& frames : parsed) journals.push_back(sealed_journal(frames));
  std::string& cut = journals[cut_journal % journals.size()];
  cut.resize(cut.size() - std::min<std::size_t>(cut_bytes, cut.size()));
}

}  // namespace pimsweep::fuzz
