#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "systems/serving/engine/scheduler.h"

namespace pimsweep::systems::serving::engine {

/// Static batches, as FasterTransformer ran them (https://github.com/NVIDIA/FasterTransformer): a batch takes waiting
/// requests up to the maximum, as far as the blocks for their prompts and whole outputs suffice, and runs until the
/// last of them ends. All prompts are one step. Sequences that have ended stay in the batch and are still computed.
/// Ignores the maximum tokens of a step and the prefix cache; one step is in flight.
class StaticBatches final : public Scheduler {
 public:
  void start(std::span<const Request> requests, const Limits& limits) override;
  void add(std::size_t request) override { waiting_.push_back(static_cast<std::uint32_t>(request)); }
  void schedule(Step& step) override;
  void handle_output(const Step& step, std::vector<Output>& outputs) override;
  Load load() const override;
  const Counters& counters() const override { return counters_; }
  bool allows_two_in_flight() const override { return false; }

 private:
  struct Member {
    std::uint32_t request = 0;
    std::int64_t generated = 0;
  };
  void form_batch();

  std::span<const Request> requests_;
  Limits limits_;
  std::deque<std::uint32_t> waiting_;
  std::vector<Member> batch_;
  /// Requests of the batch that have not ended.
  std::int64_t running_ = 0;
  std::int64_t used_blocks_ = 0;
  Counters counters_;
};

}  // namespace pimsweep::systems::serving::engine
