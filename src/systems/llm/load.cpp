#include "systems/llm/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Lengths;
using workload::decoder::Routing;
using workload::decoder::Sequences;

}  // namespace

void LoadReader::read(const Sequencing& sequencing, const workload::decoder::Decoder& decoder) {
  sequencing_ = &sequencing;
  read_lengths();
  read_routing(decoder.experts);
}

void LoadReader::read_lengths() {
  // Beyond, a list of sequences would take longer than the point itself.
  constexpr std::int64_t max_listed = 1 << 16;
  const Sequencing& s = *sequencing_;
  lengths_.clear();
  if (s.load.lengths != Lengths::equal) {
    if (s.phase == Phase::query) throw PointError("phase query has sequences of equal lengths only");
    if (s.time_bound > 0) throw PointError("time_bound is for sequences of equal lengths only");
    if (s.batch > max_listed) {
      throw PointError(fmt::format("lengths that differ are for batches up to {}, not {}", max_listed, s.batch));
    }
  }
  if (s.load.lengths == Lengths::log_normal) {
    workload::decoder::draw_lengths({.mean = static_cast<double>(s.context),
                                     .sigma = s.load.length_sigma,
                                     .seed = static_cast<std::uint64_t>(s.load.length_seed)},
                                    s.batch, lengths_);
  } else if (s.load.lengths == Lengths::table) {
    const auto requests = tables_->requests(s.load.length_table);
    if (s.phase == Phase::prefill) {
      workload::decoder::prompt_lengths(requests, s.batch, lengths_);
    } else {
      workload::decoder::generating_contexts(requests, s.batch, lengths_);
    }
  }
}

void LoadReader::read_routing(const workload::decoder::Experts& experts) {
  const Load& load = sequencing_->load;
  routing_.clear();
  if (!experts || load.routing == Routing::uniform) return;
  if (load.routing == Routing::zipf) {
    routing_ = workload::decoder::choice_probabilities(
        experts, workload::decoder::zipf_shares(experts.count, load.routing_exponent));
  } else {
    routing_ = workload::decoder::choice_probabilities(experts, tables_->shares(load.routing_table));
  }
}

double LoadReader::mean_context() const {
  if (lengths_.empty()) return static_cast<double>(sequencing_->context);
  return static_cast<double>(std::accumulate(lengths_.begin(), lengths_.end(), std::int64_t{0})) /
         static_cast<double>(lengths_.size());
}

double LoadReader::final_tokens() const {
  if (sequencing_->phase == Phase::prefill) return mean_context();
  return mean_context() + static_cast<double>(sequencing_->new_tokens);
}

double LoadReader::tokens_of(double batch) const {
  return batch * (sequencing_->phase == Phase::prefill ? mean_context() : static_cast<double>(sequencing_->new_tokens));
}

std::span<const Sequences> LoadReader::generating(double batch) {
  const Sequencing& s = *sequencing_;
  const auto tokens = static_cast<double>(s.new_tokens);
  Sequences some{.count = batch, .new_tokens = tokens, .context = static_cast<double>(s.context), .predicted = tokens};
  sequences_.clear();
  if (lengths_.empty()) sequences_.push_back(some);
  for (std::size_t i = 0; i < std::min(lengths_.size(), static_cast<std::size_t>(batch)); ++i) {
    some.count = 1;
    some.context = static_cast<double>(lengths_[i]);
    sequences_.push_back(some);
  }
  if (s.phase == Phase::mixed) {
    sequences_.push_back(
        {.new_tokens = static_cast<double>(s.chunk), .context = static_cast<double>(s.context), .is_prompt = true});
  }
  return sequences_;
}

std::span<const Sequences> LoadReader::prompts(double batch) {
  generating(batch);
  for (Sequences& some : sequences_) {
    some = {.count = some.count, .new_tokens = some.context, .is_prompt = true};
  }
  return sequences_;
}

}  // namespace pimsweep::systems::llm
