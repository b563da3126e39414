#include "results/record_codec.h"

#include <bit>
#include <cstring>

namespace pimsweep {

static_assert(std::endian::native == std::endian::little, "journals are little endian");

namespace {

template <typename Number>
void put(std::string& bytes, Number number) {
  char raw[sizeof number];
  std::memcpy(raw, &number, sizeof number);
  bytes.append(raw, sizeof number);
}

void put_text(std::string& bytes, std::string_view text) {
  put(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

void put_value(std::string& bytes, const Value& value) {
  put(bytes, static_cast<std::uint8_t>(value.index()));
  if (const auto* text = std::get_if<std::string>(&value))
    put_text(bytes, *text);
  else if (const auto* real = std::get_if<double>(&value))
    put(bytes, *real);
  else if (const auto* integer = std::get_if<std::int64_t>(&value))
    put(bytes, *integer);
  else
    put(bytes, static_cast<std::uint8_t>(std::get<bool>(value)));
}

/// Takes numbers and texts from the front; `ok` turns false at the first that is cut off.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <typename Number>
  Number take() {
    Number number{};
    if (rest_.size() < sizeof number) {
      ok_ = false;
      return number;
    }
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_.remove_prefix(sizeof number);
    return number;
  }
  std::string_view take_text() {
    const auto size = take<std::uint32_t>();
    if (rest_.size() < size) {
      ok_ = false;
      return {};
    }
    const std::string_view text = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return text;
  }
  void take_value(Value& value) {
    switch (static_cast<ValueType>(take<std::uint8_t>())) {
      case ValueType::integer:
        value = take<std::int64_t>();
        break;
      case ValueType::real:
        value = take<double>();
        break;
      case ValueType::boolean:
        value = take<std::uint8_t>() != 0;
        break;
      case ValueType::text:
        if (auto* text = std::get_if<std::string>(&value))
          *text = take_text();
        else
          value = std::string(take_text());
        break;
      default:
        ok_ = false;
    }
  }
  /// A count of things that each take at least one byte.
  std::size_t take_count() {
    const auto count = take<std::uint32_t>();
    if (count > rest_.size()) ok_ = false;
    return ok_ ? count : 0;
  }
  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

void take_values(Reader& reader, std::vector<Value>& values) {
  values.resize(reader.take_count());
  for (Value& value : values) {
    if (!reader.ok()) return;
    reader.take_value(value);
  }
}

}  // namespace

void encode(const Record& record, std::string& bytes) {
  put(bytes, static_cast<std::uint8_t>(record.status));
  put_text(bytes, record.message);
  put(bytes, static_cast<std::uint32_t>(record.metrics.size()));
  for (const Value& value : record.metrics) put_value(bytes, value);
  put(bytes, static_cast<std::uint32_t>(record.tables.size()));
  for (const auto& cells : record.tables) {
    put(bytes, static_cast<std::uint32_t>(cells.size()));
    for (const Value& value : cells) put_value(bytes, value);
  }
}

bool decode(std::string_view bytes, Record& record) {
  Reader reader(bytes);
  const auto status = reader.take<std::uint8_t>();
  if (status > static_cast<std::uint8_t>(Status::not_run)) return false;
  record.status = static_cast<Status>(status);
  record.message = reader.take_text();
  take_values(reader, record.metrics);
  record.tables.resize(reader.take_count());
  for (auto& cells : record.tables) {
    if (!reader.ok()) return false;
    take_values(reader, cells);
  }
  return reader.ok() && reader.at_end();
}

}  // namespace pimsweep
