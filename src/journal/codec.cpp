#include "journal/codec.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace pimsweep::journal {

namespace {

void append_text_of(std::string& bytes, std::string_view text) {
  append_count(bytes, text.size());
  bytes += text;
}

/// The type and the number at once: appending is what costs time here.
template <typename Number>
void append_typed(std::string& bytes, const Value& value, Number number) {
  std::array<char, 1 + sizeof number> raw;
  raw[0] = static_cast<char>(value.index());
  std::memcpy(raw.data() + 1, &number, sizeof number);
  bytes.append(raw.data(), raw.size());
}

void append_value(std::string& bytes, const Value& value) {
  if (const auto* real = std::get_if<double>(&value)) {
    append_typed(bytes, value, *real);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    bytes.push_back(static_cast<char>(value.index()));
    append_text_of(bytes, *text);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    append_typed(bytes, value, *integer);
  } else {
    append_typed(bytes, value, std::get<bool>(value));
  }
}

void append_values(std::string& bytes, const std::vector<Value>& values) {
  append_count(bytes, values.size());
  for (const Value& value : values) append_value(bytes, value);
}

/// Keeps the value's type where it is the same, as it mostly is.
template <typename Number>
void assign(Value& value, Number number) {
  if (auto* present = std::get_if<Number>(&value))
    *present = number;
  else
    value = number;
}

/// Reads a value; false if its type is unknown.
bool take_value(ByteReader& bytes, Value& value) {
  switch (static_cast<ValueType>(bytes.number<std::uint8_t>())) {
    case ValueType::integer:
      assign(value, bytes.number<std::int64_t>());
      return true;
    case ValueType::real:
      assign(value, bytes.number<double>());
      return true;
    case ValueType::boolean:
      value = bytes.number<std::uint8_t>() != 0;
      return true;
    case ValueType::text: {
      const std::string_view text = bytes.bytes(bytes.count());
      if (auto* present = std::get_if<std::string>(&value))
        *present = text;
      else
        value = std::string(text);
      return true;
    }
  }
  return false;
}

/// Reads a count of items of at least one byte each; false if fewer bytes are left.
bool take_count(ByteReader& bytes, std::size_t& count) {
  count = bytes.count();
  return !bytes.failed() && count <= bytes.rest().size();
}

bool take_values(ByteReader& bytes, std::vector<Value>& values) {
  std::size_t count = 0;
  if (!take_count(bytes, count)) return false;
  values.resize(count);
  for (Value& value : values) {
    if (!take_value(bytes, value) || bytes.failed()) return false;
  }
  return true;
}

}  // namespace

void encode(const systems::Record& record, std::string& bytes) {
  bytes.push_back(static_cast<char>(record.status));
  append_text_of(bytes, record.message);
  append_values(bytes, record.metrics);
  append_count(bytes, record.tables.size());
  for (const auto& cells : record.tables) append_values(bytes, cells);
}

bool decode(ByteReader& bytes, systems::Record& record) {
  const auto status = bytes.number<std::uint8_t>();
  if (status > static_cast<std::uint8_t>(systems::Status::not_run)) return false;
  record.status = static_cast<systems::Status>(status);
  record.message = bytes.bytes(bytes.count());
  if (!take_values(bytes, record.metrics)) return false;
  std::size_t tables = 0;
  if (!take_count(bytes, tables)) return false;
  record.tables.resize(tables);
  for (auto& cells : record.tables) {
    if (!take_values(bytes, cells)) return false;
  }
  return !bytes.failed();
}

}  // namespace pimsweep::journal
