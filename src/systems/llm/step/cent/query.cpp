#include "systems/llm/step/cent/query.h"

namespace pimsweep::systems::llm::step::cent {

Phase phase(const Shape& shape, const Machine& machine, const Layout& layout, const Positions& positions,
            const Faults& faults) {
  Phase sum;
  double tokens = 0;
  for (std::int64_t position = positions.from + positions.step; position <= positions.to; position += positions.step) {
    const Token one = token(shape, machine, layout, position, faults);
    const auto blocks = static_cast<double>(shape.blocks);
    sum.time += one.time;
    sum.tokens_per_second += one.tokens_per_second;
    sum.energy += one.energy.total();
    sum.power += one.power;
    sum.pim_time += blocks * one.pim_time;
    sum.link_time += blocks * one.link_time;
    sum.near_memory_time += blocks * one.near_memory_time;
    ++tokens;
  }
  return {.time = sum.time / tokens * static_cast<double>(positions.to - positions.from),
          .tokens_per_second = sum.tokens_per_second / tokens,
          .energy = sum.energy / tokens,
          .power = sum.power / tokens,
          .pim_time = sum.pim_time / tokens,
          .link_time = sum.link_time / tokens,
          .near_memory_time = sum.near_memory_time / tokens};
}

}  // namespace pimsweep::systems::llm::step::cent
