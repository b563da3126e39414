#include "systems/llm/step/head_pipeline.h"

#include <algorithm>
#include <cstddef>

namespace pimsweep::systems::llm::step {

double HeadPipeline::time() const {
  const double first = (before + sent + attention + returned) / heads;
  const double last = first + (heads - 1) / heads * std::max({before, sent, attention, returned});
  return std::max({first + after, last + after / heads, before + prompts + after});
}

std::vector<HeadStarts> head_starts(const HeadPipeline& pipeline) {
  std::vector<HeadStarts> heads(static_cast<std::size_t>(pipeline.heads));
  const double each = 1 / pipeline.heads;
  double gpu = 0;
  double to_pim = 0;
  double pim = 0;
  double from_pim = 0;
  for (HeadStarts& head : heads) {
    head.before = gpu;
    gpu += each * pipeline.before;
    head.sent = std::max(gpu, to_pim);
    to_pim = head.sent + each * pipeline.sent;
    head.attention = std::max(to_pim, pim);
    pim = head.attention + each * pipeline.attention;
    head.returned = std::max(pim, from_pim);
    from_pim = head.returned + each * pipeline.returned;
  }
  gpu += pipeline.prompts;
  for (HeadStarts& head : heads) {
    head.after = std::max(head.returned + each * pipeline.returned, gpu);
    gpu = head.after + each * pipeline.after;
  }
  return heads;
}

}  // namespace pimsweep::systems::llm::step
