#include <algorithm>
#include <bit>
#include <numeric>

#include "systems/system.h"

namespace pimsweep {

namespace {

void append_bytes(std::string& bytes, std::uint64_t word) {
  for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<char>(word >> shift & 0xFF));
}

void append_text(std::string& bytes, std::string_view text) {
  append_bytes(bytes, text.size());
  bytes += text;
}

void append_value(std::string& bytes, const Value& value) {
  bytes.push_back(static_cast<char>(value.index()));
  if (const auto* text = std::get_if<std::string>(&value)) {
    append_text(bytes, *text);
  } else if (const auto* real = std::get_if<double>(&value)) {
    append_bytes(bytes, std::bit_cast<std::uint64_t>(*real == 0 ? 0.0 : *real));  // -0 and 0 are the same quantity
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    append_bytes(bytes, static_cast<std::uint64_t>(*integer));
  } else {
    append_bytes(bytes, std::get<bool>(value) ? 1 : 0);
  }
}

}  // namespace

Identifier::Identifier(System& system) : system_(system), order_(system.schema().axes.size()) {
  const auto& axes = system.schema().axes;
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return axes[a].name < axes[b].name; });
  append_text(head_, system.schema().name);
  append_bytes(head_, static_cast<std::uint64_t>(system.schema().version));
}

Hash128 Identifier::operator()(const Point& point) {
  bytes_ = head_;
  const auto& axes = system_.schema().axes;
  for (const std::size_t axis : order_) {
    append_text(bytes_, axes[axis].name);
    append_value(bytes_, point[axis]);
  }
  const Hash128 workload = system_.workload_hash(point);
  append_bytes(bytes_, workload.high);
  append_bytes(bytes_, workload.low);
  return hash128(bytes_);
}

Hash128 identity(System& system, const Point& point) { return Identifier(system)(point); }

}  // namespace pimsweep
