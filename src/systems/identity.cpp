#include <algorithm>
#include <cstring>
#include <numeric>
#include <string_view>

#include "base/bytes.h"
#include "systems/system.h"
#include "workload/import/network_files.h"

namespace pimsweep::systems {

namespace {

/// A network file counts by its content, which is part of the workload, rather than by its path.
std::string_view identifying_text(const Axis& axis, const std::string& text) {
  return axis.kind == AxisKind::model && workload::import::is_network_file(text) ? std::string_view{} : text;
}

/// Puts the bytes of numbers and texts one after another, as append_number() and append_text() do, where there is room.
class BytePlacer {
 public:
  explicit BytePlacer(char* next) : next_(next) {}

  template <typename Number>
  void put(Number number) {
    std::memcpy(next_, &number, sizeof number);
    next_ += sizeof number;
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    next_ = std::copy(text.begin(), text.end(), next_);
  }
  const char* end() const { return next_; }

 private:
  char* next_;
};

}  // namespace

IdentityHasher::IdentityHasher(System& system) : system_(system) {
  const Schema& schema = system.schema();
  order_.resize(schema.axes.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return schema.axes[a].name < schema.axes[b].name; });
  // All that is the same for every point goes into one hash, made once.
  std::string shape;
  append_text(shape, schema.name);
  append_number(shape, std::int64_t{schema.version});
  for (const std::size_t index : order_) {
    append_text(shape, schema.axes[index].name);
    append_number(shape, static_cast<std::uint8_t>(schema.axes[index].type));
    types_.push_back(schema.axes[index].type);
  }
  const Hash128 hash = hash128(shape);
  append_number(bytes_, hash.high);
  append_number(bytes_, hash.low);
  shape_bytes_ = bytes_.size();
}

Hash128 IdentityHasher::operator()(const Point& point) {
  // A text has its length before it.
  std::size_t room = shape_bytes_ + order_.size() * sizeof(std::uint64_t) + sizeof(Hash128);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (types_[i] == ValueType::text) room += point.text(order_[i]).size();
  }
  if (bytes_.size() < room) bytes_.resize(room);
  BytePlacer placer(bytes_.data() + shape_bytes_);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::size_t index = order_[i];
    switch (types_[i]) {
      case ValueType::integer:
        placer.put(point.integer(index));
        break;
      // Adding zero turns -0 into 0: they are the same value and must be the same point.
      case ValueType::real:
        placer.put(point.real(index) + 0.0);
        break;
      case ValueType::boolean:
        placer.put(static_cast<std::uint8_t>(point.boolean(index)));
        break;
      case ValueType::text:
        placer.put_text(identifying_text(system_.schema().axes[index], point.text(index)));
        break;
    }
  }
  const Hash128 workload = system_.workload_hash(point);
  placer.put(workload.high);
  placer.put(workload.low);
  return hash128({bytes_.data(), static_cast<std::size_t>(placer.end() - bytes_.data())});
}

Hash128 identity(System& system, const Point& point) { return IdentityHasher(system)(point); }

}  // namespace pimsweep::systems
