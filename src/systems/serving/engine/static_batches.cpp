#include "systems/serving/engine/static_batches.h"

#include <algorithm>

namespace pimsweep::systems::serving::engine {

void StaticBatches::start(std::span<const Request> requests, const Limits& limits) {
  requests_ = requests;
  limits_ = limits;
  waiting_.clear();
  batch_.clear();
  running_ = 0;
  used_blocks_ = 0;
}

void StaticBatches::form_batch() {
  batch_.clear();
  used_blocks_ = 0;
  while (!waiting_.empty() && static_cast<std::int64_t>(batch_.size()) < limits_.max_sequences) {
    const std::int64_t blocks = blocks_of(requests_[waiting_.front()].tokens(), limits_.block_tokens);
    if (used_blocks_ + blocks > limits_.blocks - 1) break;
    used_blocks_ += blocks;
    batch_.push_back({.request = waiting_.front()});
    waiting_.pop_front();
  }
  running_ = static_cast<std::int64_t>(batch_.size());
}

void StaticBatches::schedule(Step& step) {
  step.works.clear();
  const bool is_new = running_ == 0;
  if (is_new) form_batch();
  for (const Member& member : batch_) {
    const Request& request = requests_[member.request];
    Work work{.request = member.request, .tokens = 1, .yields = member.generated < request.output};
    if (is_new) {
      work.tokens = static_cast<std::int32_t>(request.input);
    } else {
      work.context = static_cast<std::int32_t>(request.input + member.generated - 1);
    }
    step.works.push_back(work);
  }
  step.running = is_new ? 0 : step.works.size();
}

void StaticBatches::handle_output(const Step& step, std::vector<Output>& outputs) {
  outputs.clear();
  for (std::size_t i = 0; i < step.works.size(); ++i) {
    if (!step.works[i].yields) continue;
    Member& member = batch_[i];
    const bool is_last = ++member.generated == requests_[member.request].output;
    outputs.push_back({.request = member.request, .is_last = is_last});
    if (is_last) --running_;
  }
  if (running_ > 0) return;
  batch_.clear();
  used_blocks_ = 0;
}

Load StaticBatches::load() const {
  return {.running = running_, .waiting = static_cast<std::int64_t>(waiting_.size()), .used_blocks = used_blocks_};
}

}  // namespace pimsweep::systems::serving::engine
