#include <algorithm>
#include <numeric>

#include "base/bytes.h"
#include "systems/system.h"

namespace pimsweep {

IdentityHasher::IdentityHasher(System& system) : system_(system) {
  const Schema& schema = system.schema();
  order_.resize(schema.axes.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return schema.axes[a].name < schema.axes[b].name; });
  append_text(prefix_, schema.name);
  append_number(prefix_, std::int64_t{schema.version});
}

Hash128 IdentityHasher::operator()(const Point& point) {
  const Schema& schema = system_.schema();
  bytes_ = prefix_;
  for (const std::size_t index : order_) {
    const Axis& axis = schema.axes[index];
    append_text(bytes_, axis.name);
    append_number(bytes_, static_cast<std::uint8_t>(axis.type));
    switch (axis.type) {
      case ValueType::integer:
        append_number(bytes_, point.integer(index));
        break;
      // Adding zero turns -0 into 0: they are the same value and must be the same point.
      case ValueType::real:
        append_number(bytes_, point.real(index) + 0.0);
        break;
      case ValueType::boolean:
        append_number(bytes_, static_cast<std::uint8_t>(point.boolean(index)));
        break;
      case ValueType::text:
        append_text(bytes_, point.text(index));
        break;
    }
  }
  const Hash128 workload = system_.workload_hash(point);
  append_number(bytes_, workload.high);
  append_number(bytes_, workload.low);
  return hash128(bytes_);
}

Hash128 identity(System& system, const Point& point) { return IdentityHasher(system)(point); }

}  // namespace pimsweep
