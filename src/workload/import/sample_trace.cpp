#include "workload/import/sample_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "workload/import/rules.h"

namespace pimsweep::workload::import {

namespace {

/// Reason why the first dimension is not a batch after a node.
class Combined {
 public:
  explicit Combined(std::string_view what) : what_(what) {}
  std::string_view what() const { return what_; }

 private:
  std::string_view what_;
};

/// Node with the positions of the samples in its inputs.
struct FollowedNode {
  const NodeCall& call;
  std::vector<std::optional<std::size_t>> places;
  std::int64_t extent;

  bool reaches(std::size_t input) const { return input < places.size() && places[input].has_value(); }
  std::size_t place(std::size_t input) const { return *places[input]; }
  std::size_t rank(std::size_t input) const { return call.shape(input).size(); }
  const Shape& output() const { return call.given().shape; }
};

/// Throws Combined if an input without samples differs along its dimension `axis`, which is aligned with the samples.
void require_equal_samples(const FollowedNode& step, std::size_t input, std::size_t axis) {
  const TensorValue& value = step.call.in(input);
  if (axis >= value.shape.size() || value.shape[axis] == 1) return;
  if (value.is_active()) throw Combined("meets another tensor along it");
  std::int64_t learned = 0;
  for (const std::size_t id : value.weights) learned += step.call.learned(id).elements;
  if (learned > 0 && learned >= elements_of(value.shape)) throw Combined("has learned values for each entry of it");
}

using Follow = std::size_t (*)(const FollowedNode& step);

std::size_t follow_same(const FollowedNode& step) {
  if (!step.reaches(0)) throw Combined("reads it at another input than the first");
  return step.place(0);
}

/// Samples must be the first dimension of input 0, as for feature maps, and reach no other input.
std::size_t follow_leading(const FollowedNode& step) {
  if (follow_same(step) != 0 || step.reaches(1)) throw Combined("does not use it as samples");
  return 0;
}

std::size_t follow_not_along(const FollowedNode& step, std::int64_t axis, bool and_all_after) {
  const std::size_t at = axis_of(axis, step.rank(0));
  const std::size_t place = follow_same(step);
  if (place == at || (and_all_after && place > at)) throw Combined("normalizes over it");
  return place;
}

std::size_t follow_function(const FollowedNode& step) {
  const std::string& type = step.call.node().type;
  if (type == "CumSum") {
    const std::vector<std::int64_t> axes = step.call.integers(1);
    return follow_not_along(step, axes.empty() ? 0 : axes.front(), false);
  }
  if (type == "Trilu" && follow_same(step) + 2 >= step.rank(0)) throw Combined("takes a triangle of it");
  return follow_same(step);
}

std::size_t follow_softmax(const FollowedNode& step) {
  constexpr std::int64_t with_one_axis = 13;
  const bool old = step.call.opset() < with_one_axis;
  return follow_not_along(step, step.call.attribute("axis", std::int64_t{old ? 1 : -1}), old);
}

std::size_t follow_layer_norm(const FollowedNode& step) {
  return follow_not_along(step, step.call.attribute("axis", std::int64_t{-1}), true);
}

/// For inputs that are broadcast to one shape.
std::size_t follow_aligned(const FollowedNode& step) {
  const std::size_t rank = step.output().size();
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < step.places.size(); ++i) {
    if (!step.reaches(i)) continue;
    const std::size_t place = step.place(i) + rank - step.rank(i);
    if (found.value_or(place) != place) throw Combined("combines its entries");
    found = place;
  }
  for (std::size_t i = 0; i < step.places.size(); ++i) {
    if (step.reaches(i) || !step.call.has(i)) continue;
    const std::size_t added = rank - step.rank(i);
    if (*found >= added) require_equal_samples(step, i, *found - added);
  }
  return *found;
}

std::size_t follow_matmul(const FollowedNode& step) {
  const std::size_t rank = step.output().size();
  // Positions from the last dimension, where the batches of the factors are aligned.
  const auto from_end = [&](std::size_t input) { return step.rank(input) - 1 - step.place(input); };
  const bool both = step.reaches(0) && step.reaches(1);
  const std::size_t first = step.reaches(0) ? 0 : 1;
  const std::size_t back = from_end(first);
  const std::size_t contracted = first == 0 ? 0 : 1;
  if (step.rank(0) < 2 || step.rank(1) < 2 || back == contracted) throw Combined("contracts it");
  if (back < 2) {
    if (both) throw Combined("multiplies its entries with each other");
    return rank - 1 - back;
  }
  const std::size_t other = 1 - first;
  if (both && from_end(other) != back) throw Combined("multiplies its entries with each other");
  if (!both && step.rank(other) > back) require_equal_samples(step, other, step.rank(other) - 1 - back);
  return rank - 1 - back;
}

std::size_t follow_gemm(const FollowedNode& step) {
  const bool transposed = step.call.attribute("transA", std::int64_t{0}) != 0;
  if (!step.reaches(0) || step.reaches(1)) throw Combined("multiplies its entries with each other");
  if (step.place(0) != (transposed ? 1U : 0U)) throw Combined("contracts it");
  if (step.call.has(2) && !step.reaches(2) && step.rank(2) == 2) require_equal_samples(step, 2, 0);
  return 0;
}

std::size_t follow_einsum(const FollowedNode& step) {
  std::string equation = step.call.attribute("equation", std::string{});
  std::erase(equation, ' ');
  const std::size_t arrow = equation.find("->");
  if (arrow == std::string::npos || equation.find('.') != std::string::npos) throw Combined("combines its entries");
  std::optional<char> letter;
  std::size_t from = 0;
  for (std::size_t i = 0; i < step.places.size(); ++i) {
    const std::size_t end = std::min(equation.find(',', from), arrow);
    const std::string letters = equation.substr(from, end - from);
    from = end + 1;
    if (!step.reaches(i)) continue;
    if (step.place(i) >= letters.size()) throw Combined("combines its entries");
    const char own = letters[step.place(i)];
    if (letter.value_or(own) != own) throw Combined("multiplies its entries with each other");
    letter = own;
  }
  const std::size_t place = equation.find(*letter, arrow + 2);
  if (place == std::string::npos) throw Combined("contracts it");
  return place - arrow - 2;
}

std::size_t follow_reduction(const FollowedNode& step) {
  const std::string& type = step.call.node().type;
  const std::size_t rank = step.rank(0);
  const std::size_t place = follow_same(step);
  std::vector<bool> reduced(rank, false);
  std::vector<std::int64_t> axes;
  if (type == "ArgMax" || type == "ArgMin") {
    axes.push_back(step.call.attribute("axis", std::int64_t{0}));
  } else {
    axes = step.call.setting("axes", 1).value_or(std::vector<std::int64_t>{});
  }
  for (const std::int64_t axis : axes) reduced[axis_of(axis, rank)] = true;
  const bool all = axes.empty() && step.call.attribute("noop_with_empty_axes", std::int64_t{0}) == 0;
  if (all || reduced[place]) throw Combined("reduces it");
  if (step.call.attribute("keepdims", std::int64_t{1}) != 0) return place;
  const auto before = reduced.begin() + static_cast<std::ptrdiff_t>(place);
  return place - static_cast<std::size_t>(std::count(reduced.begin(), before, true));
}

/// Dimension of the reshaped tensor whose slowest-varying part is the samples.
std::size_t follow_reshaped(const FollowedNode& step) {
  const Shape& from = step.call.shape(0);
  const Shape& to = step.output();
  const std::size_t place = follow_same(step);
  std::int64_t before = 1;
  for (std::size_t i = 0; i < place; ++i) before *= from[i];
  std::int64_t product = 1;
  for (std::size_t i = 0; i < to.size() && product <= before; product *= to[i], ++i) {
    if (product == before && to[i] % step.extent == 0) return i;
  }
  throw Combined("mixes it with other dimensions");
}

std::size_t follow_transpose(const FollowedNode& step) {
  const std::size_t rank = step.rank(0);
  const std::vector<std::int64_t> order = step.call.attribute("perm", std::vector<std::int64_t>{});
  if (order.empty()) return rank - 1 - follow_same(step);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (axis_of(order[i], rank) == follow_same(step)) return i;
  }
  throw Combined("loses it");
}

std::size_t follow_concat(const FollowedNode& step) {
  const std::size_t axis = axis_of(step.call.attribute("axis", std::int64_t{0}), step.output().size());
  const std::size_t place = follow_aligned(step);
  if (place == axis) throw Combined("joins it with other entries");
  return place;
}

std::size_t follow_split(const FollowedNode& step) {
  const std::size_t axis = axis_of(step.call.attribute("axis", std::int64_t{0}), step.rank(0));
  if (axis == follow_same(step)) throw Combined("splits it");
  return follow_same(step);
}

/// For copies of parts of a tensor, which must keep the samples whole.
std::size_t follow_whole(const FollowedNode& step) {
  const std::size_t place = follow_same(step) + step.output().size() - step.rank(0);
  if (step.output()[place] != step.call.shape(0)[follow_same(step)]) throw Combined("takes a part of it");
  return place;
}

std::size_t follow_gather(const FollowedNode& step) {
  const std::size_t axis = axis_of(step.call.attribute("axis", std::int64_t{0}), step.rank(0));
  if (step.reaches(0) && step.reaches(1)) throw Combined("selects among its entries");
  if (step.reaches(1)) return axis + step.place(1);
  if (follow_same(step) == axis) throw Combined("selects among its entries");
  return follow_same(step) < axis ? follow_same(step) : follow_same(step) + step.rank(1) - 1;
}

std::size_t follow_recurrent(const FollowedNode& step) {
  const bool samples_first = step.call.attribute("layout", std::int64_t{0}) != 0;
  if (!step.reaches(0) || step.place(0) != (samples_first ? 0U : 1U)) throw Combined("uses it as steps");
  // Output of all steps, or only the last state.
  return samples_first ? 0 : step.call.node().outputs.front().empty() ? 1 : 2;
}

/// Effect of a node on the samples' position, by the rule that reads the node. All other rules keep it.
struct Follower {
  Rule rule;
  Follow follow;
};

constexpr std::array followers{
    Follower{read_convolution, follow_leading},
    Follower{read_transposed_convolution, follow_leading},
    Follower{read_max_pool, follow_leading},
    Follower{read_average_pool, follow_leading},
    Follower{read_global_pool, follow_leading},
    Follower{read_batch_norm, follow_leading},
    Follower{read_instance_norm, follow_leading},
    Follower{read_response_norm, follow_leading},
    Follower{read_depth_to_space, follow_leading},
    Follower{read_space_to_depth, follow_leading},
    Follower{read_matmul, follow_matmul},
    Follower{read_gemm, follow_gemm},
    Follower{read_einsum, follow_einsum},
    Follower{read_function, follow_function},
    Follower{read_binary, follow_aligned},
    Follower{read_many, follow_aligned},
    Follower{read_where, follow_aligned},
    Follower{read_prelu, follow_aligned},
    Follower{read_layer_norm, follow_layer_norm},
    Follower{read_rms_norm, follow_layer_norm},
    Follower{read_softmax, follow_softmax},
    Follower{read_reduction, follow_reduction},
    Follower{read_reshape, follow_reshaped},
    Follower{read_flatten, follow_reshaped},
    Follower{read_squeeze, follow_reshaped},
    Follower{read_unsqueeze, follow_reshaped},
    Follower{read_transpose, follow_transpose},
    Follower{read_concat, follow_concat},
    Follower{read_split, follow_split},
    Follower{read_slice, follow_whole},
    Follower{read_pad, follow_whole},
    Follower{read_resize, follow_whole},
    Follower{read_expand, follow_whole},
    Follower{read_tile, follow_whole},
    Follower{read_gather, follow_gather},
    Follower{read_lstm, follow_recurrent},
    Follower{read_gru, follow_recurrent},
    Follower{read_rnn, follow_recurrent},
};

}  // namespace

void SampleTrace::follow(const NodeCall& call, std::string_view name) {
  if (!obstacle_.empty()) return;
  const OnnxNode& node = call.node();
  FollowedNode step{call, {}, axes_.extent};
  bool reached = false;
  for (const std::string& input : node.inputs) {
    const auto found = axes_.axes.find(input);
    step.places.push_back(found == axes_.axes.end() ? std::nullopt : std::optional(found->second));
    reached = reached || step.places.back().has_value();
  }
  // Shapes do not depend on values.
  if (!reached || !call.given().is_active()) return;
  try {
    const Rule rule = rule_of(node.type);
    const auto* const found = std::ranges::find(followers, rule, &Follower::rule);
    const Follow next = found == followers.end() ? follow_same : found->follow;
    const std::size_t place = next(step);
    if (place >= step.output().size() || step.output()[place] % axes_.extent != 0) throw Combined("changes it");
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      if (node.outputs[i].empty()) continue;
      // Last states lack the dimension of steps.
      axes_.axes[node.outputs[i]] = next == follow_recurrent && i > 0 && place == 2 ? 1 : place;
    }
  } catch (const Combined& combined) {
    obstacle_ = fmt::format("{} '{}' {}", node.type, name, combined.what());
  } catch (const Refusal&) {
    obstacle_ = fmt::format("{} '{}' cannot be followed", node.type, name);
  }
}

}  // namespace pimsweep::workload::import
