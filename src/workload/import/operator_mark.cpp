#include "workload/import/operator_mark.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace pimsweep::workload::import {

namespace {

constexpr std::string_view heading = "pimsweep operator\n";

/// Takes "KEY=...\n" off the front of `text`; none if it does not begin so.
std::optional<std::string_view> take_line(std::string_view& text, std::string_view key) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with(key)) return std::nullopt;
  const std::string_view value = text.substr(key.size(), end - key.size());
  text.remove_prefix(end + 1);
  return value;
}

std::optional<std::int64_t> whole_number(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  const bool is_whole = error == std::errc() && end == text->data() + text->size() && number >= 0;
  return is_whole ? std::optional(number) : std::nullopt;
}

std::optional<OperatorKind> kind_of(std::optional<std::string_view> name) {
  for (auto i = static_cast<int>(OperatorKind::input); i <= static_cast<int>(OperatorKind::roll); ++i) {
    if (name_of(static_cast<OperatorKind>(i)) == name) return static_cast<OperatorKind>(i);
  }
  return std::nullopt;
}

/// "49x96"; empty for a scalar.
std::optional<Tensor> tensor_of(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  Tensor tensor;
  while (!text->empty()) {
    const std::size_t end = std::min(text->find('x'), text->size());
    const std::optional<std::int64_t> extent = whole_number(text->substr(0, end));
    if (!extent) return std::nullopt;
    tensor.shape.push_back(*extent);
    text->remove_prefix(std::min(end + 1, text->size()));
  }
  return tensor;
}

}  // namespace

bool is_mark(std::string_view doc) { return doc.size() <= max_mark_bytes && doc.starts_with(heading); }

std::string text_of(const OperatorMark& mark) {
  return fmt::format("{}name={}\nkind={}\nrole={}\nstage={}\nblock={}\noutput={}\n", heading, mark.name,
                     name_of(mark.kind), mark.role, mark.stage, mark.block, fmt::join(mark.output.shape, "x"));
}

std::optional<OperatorMark> read_mark(std::string_view doc) {
  if (!is_mark(doc)) return std::nullopt;
  doc.remove_prefix(heading.size());
  const auto name = take_line(doc, "name=");
  const auto kind = kind_of(take_line(doc, "kind="));
  const auto role = take_line(doc, "role=");
  const auto stage = whole_number(take_line(doc, "stage="));
  const auto block = whole_number(take_line(doc, "block="));
  const auto output = tensor_of(take_line(doc, "output="));
  if (!name || !kind || !role || !stage || !block || !output) return std::nullopt;
  return OperatorMark{std::string(*name), *kind, std::string(*role), *stage, *block, *output};
}

}  // namespace pimsweep::workload::import
