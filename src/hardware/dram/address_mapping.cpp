#include "hardware/dram/address_mapping.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace pimsweep::hardware::dram {

namespace {

using Part = Mapping::Part;

constexpr std::array part_words{Word{"Ro", Part::row},    Word{"Ba", Part::bank},   Word{"Bg", Part::group},
                                Word{"Ra", Part::domain}, Word{"Co", Part::column}, Word{"Ch", Part::channel}};

int bits(std::int64_t count) { return std::countr_zero(static_cast<std::uint64_t>(count)); }

int low_column_bits(const Organization& o, const Mapping& mapping) {
  return std::min(static_cast<int>(mapping.low_column_bits), bits(o.columns));
}

int width(const Organization& o, const Mapping& mapping, Part part) {
  switch (part) {
    case Part::none:
    case Part::channel:
      return 0;
    case Part::low_column:
      return low_column_bits(o, mapping);
    case Part::column:
      return bits(o.columns) - low_column_bits(o, mapping);
    case Part::domain:
      return bits(o.domains);
    case Part::group:
      return bits(o.groups);
    case Part::bank:
      return bits(o.banks);
    case Part::row:
      return bits(o.rows);
  }
  return 0;
}

[[noreturn]] void refuse(std::string_view text, const std::string& reason) {
  throw InputError(
      fmt::format("mapping = \"{}\": {}; expected {}, or each of {} once, from high bits to low ones, as in "
                  "RoBaBgRaCoCh, RoCoBaBgRaChCo2 or \"RoBaBgRaCoCh BaBg^Ro\"",
                  text, reason, fmt::join(names_of(mapping_words), ", "), fmt::join(names_of(part_words), ", ")));
}

/// A part and, for some bits of the column, their number; from low bits to high ones.
struct Field {
  Part part = Part::none;
  std::optional<std::int64_t> bits;
};

std::vector<Field> parse_fields(std::string_view text, std::string_view all) {
  std::vector<Field> fields;
  while (!text.empty()) {
    const std::string_view name = text.substr(0, 2);
    const auto part = value_of(part_words, name);
    if (!part) refuse(all, fmt::format("unknown part '{}'", name));
    text.remove_prefix(name.size());
    Field field{*part, {}};
    for (; !text.empty() && text.front() >= '0' && text.front() <= '9'; text.remove_prefix(1)) {
      field.bits = 10 * field.bits.value_or(0) + (text.front() - '0');
      if (*part != Part::column || *field.bits > 16) refuse(all, fmt::format("'{}{}'", name, *field.bits));
    }
    fields.push_back(field);
  }
  std::ranges::reverse(fields);
  return fields;
}

void parse_order(std::string_view text, std::string_view all, Mapping& mapping) {
  const std::vector<Field> fields = parse_fields(text, all);
  if (fields.size() > mapping.order.size()) refuse(all, "too many parts");
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto& [part, low_bits] = fields[i];
    mapping.order[i] = low_bits ? Part::low_column : part;
    mapping.low_column_bits = low_bits.value_or(mapping.low_column_bits);
    if (std::ranges::count(mapping.order, mapping.order[i]) > 1) {
      refuse(all, fmt::format("'{}' is twice in it", word_of(part_words, part)));
    }
  }
  for (const Word<Part>& word : part_words) {
    if (std::ranges::find(mapping.order, word.value) == mapping.order.end()) {
      refuse(all, fmt::format("'{}' is missing", word.name));
    }
  }
  const auto column = std::ranges::find(mapping.order, Part::column);
  if (std::find(column, mapping.order.end(), Part::low_column) != mapping.order.end()) {
    refuse(all, "the numbered bits of Co are above the others");
  }
}

Mapping::Xor parse_xor(std::string_view text, std::string_view all) {
  const std::size_t sign = text.find('^');
  if (sign == std::string_view::npos) refuse(all, fmt::format("'{}' is not an XOR term", text));
  const std::vector<Field> targets = parse_fields(text.substr(0, sign), all);
  const std::vector<Field> source = parse_fields(text.substr(sign + 1), all);
  Mapping::Xor term;
  if (source.size() != 1 || targets.empty() || targets.size() > term.targets.size()) {
    refuse(all, fmt::format("'{}' does not XOR one to four parts with one", text));
  }
  term.source = source.front().part;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const Part part = targets[i].part;
    const bool is_address = part != Part::column && part != Part::channel && term.source != Part::channel;
    if (!is_address || part == term.source || std::ranges::find(term.targets, part) != term.targets.end()) {
      refuse(all, fmt::format("'{}': only different ones of Ro, Ba, Bg and Ra can be XORed, with another part than Ch",
                              text));
    }
    term.targets[i] = part;
  }
  return term;
}

}  // namespace

Mapping parse_mapping(std::string_view text) {
  if (const auto named = value_of(mapping_words, text)) return *named;
  Mapping mapping;
  std::size_t end = std::min(text.find(' '), text.size());
  parse_order(text.substr(0, end), text, mapping);
  for (std::size_t i = 0; end < text.size(); ++i) {
    if (i == mapping.xors.size()) refuse(text, "more than two XOR terms");
    const std::size_t begin = end + 1;
    end = std::min(text.find(' ', begin), text.size());
    mapping.xors[i] = parse_xor(text.substr(begin, end - begin), text);
  }
  return mapping;
}

std::int64_t channel_block(const Organization& o, const Mapping& mapping) {
  int below = 0;
  for (const Part part : mapping.order) {
    if (part == Part::channel) break;
    below += width(o, mapping, part);
  }
  return std::int64_t{1} << below;
}

AddressMapping::AddressMapping(const Organization& o, const Mapping& mapping)
    : xors_(mapping.xors),
      low_column_bits_(low_column_bits(o, mapping)),
      group_shift_(bits(o.banks)),
      domain_shift_(bits(o.groups * o.banks)) {
  int shift = 0;
  for (const Part part : mapping.order) {
    const int own = width(o, mapping, part);
    fields_[static_cast<std::size_t>(part)] = {shift, (std::int64_t{1} << own) - 1};
    shift += own;
  }
}

void AddressMapping::apply_xors(Request& request) const {
  const auto mask = [&](Part part) { return fields_[static_cast<std::size_t>(part)].mask; };
  const auto place = [&](Part part) -> std::pair<std::int64_t&, int> {
    if (part == Part::row) return {request.row, 0};
    return {request.bank, part == Part::domain ? domain_shift_ : part == Part::group ? group_shift_ : 0};
  };
  for (const auto& [targets, source] : xors_) {
    if (source == Part::none) return;
    std::int64_t left = request.column;
    if (source != Part::column) left = place(source).first >> place(source).second & mask(source);
    for (const Part target : targets) {
      if (target == Part::none) break;
      const auto [number, shift] = place(target);
      number ^= (left & mask(target)) << shift;
      left >>= std::popcount(static_cast<std::uint64_t>(mask(target)));
    }
  }
}

}  // namespace pimsweep::hardware::dram
