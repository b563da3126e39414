#include "systems/allspark/schedule_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/error.h"

namespace pimsweep::systems::allspark {

namespace {

constexpr std::int64_t max_layers = 1'000'000;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::vector<std::vector<Layers>> read() {
    std::vector<std::vector<Layers>> stages(1);
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      if (take('|')) {
        if (stages.back().empty()) fail(fmt::format("stage {} has no layer", stages.size()));
        stages.emplace_back();
        continue;
      }
      Layers group{{1, 1, 1}, 1};
      group.partition.head_split = number("a head split");
      if (!take('x')) fail("expected x between head split and patch split");
      group.partition.patch_split = number("a patch split");
      if (take('*')) group.layers = number("a number of layers");
      if (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '|') fail("expected a blank or |");
      stages.back().push_back(group);
    }
    if (stages.back().empty()) fail(fmt::format("stage {} has no layer", stages.size()));
    return stages;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  std::int64_t number(std::string_view what) {
    std::int64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 1 || value > max_layers) {
      fail(fmt::format("expected {}, a number from 1 to {}", what, max_layers));
    }
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw PointError(
        fmt::format("schedule \"{}\", character {}: {}; example: \"1x1*2 4x2 | 2x1 4x4\"", text_, at_ + 1, problem));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Checks a stage against the model and the machine and orders it; the message of what is wrong, if anything.
std::optional<std::string> settle(ModelCosts& costs, std::size_t s, std::vector<Layers>& groups) {
  const workload::TransformerStage& stage = costs.stage(s);
  const std::int64_t branches = branch_count(stage);
  std::int64_t held = 0;
  for (const Layers& group : groups) {
    const Partition& partition = group.partition;
    if (partition.head_split > stage.heads || partition.patch_split > max_tokens(stage)) {
      return fmt::format("{} splits too finely: a branch has {} heads and {} patches", name_of(partition), stage.heads,
                         max_tokens(stage));
    }
    const std::int64_t capacity = costs.cost(s, partition).capacity;
    if (capacity == 0) {
      return fmt::format("{} does not fit the {} x {} node array", name_of(partition), costs.machine().node_rows,
                         costs.machine().node_cols);
    }
    held += capacity * group.layers;
  }
  if (held < branches) return fmt::format("the layers hold {} branches, the stage has {}", held, branches);
  std::stable_sort(groups.begin(), groups.end(), [&](const Layers& a, const Layers& b) {
    return costs.cost(s, a.partition).capacity > costs.cost(s, b.partition).capacity;
  });
  const std::int64_t last = costs.cost(s, groups.back().partition).capacity;
  if (held - last >= branches) {
    return fmt::format("the layers hold {} branches, the stage has {}: the last layer stays empty", held, branches);
  }
  return std::nullopt;
}

}  // namespace

std::vector<std::vector<Layers>> parse_schedule(std::string_view text, const workload::VisionTransformer& model) {
  if (text.empty()) {
    throw PointError("policy manual needs the axis schedule, such as \"1x1*2 4x2 | 2x1 4x4 | 8x2*2 16x4 | 4x4\"");
  }
  std::vector<std::vector<Layers>> stages = Reader(text).read();
  if (stages.size() != model.stages.size()) {
    throw PointError(
        fmt::format("schedule \"{}\" has {} stages, {} has {}", text, stages.size(), model.name, model.stages.size()));
  }
  return stages;
}

std::vector<std::vector<Layers>> read_schedule(std::string_view text, ModelCosts& costs) {
  std::vector<std::vector<Layers>> stages = parse_schedule(text, costs.model());
  for (std::size_t s = 0; s < stages.size(); ++s) {
    if (const auto problem = settle(costs, s, stages[s])) {
      throw PointError(fmt::format("schedule \"{}\", stage {}: {}", text, s + 1, *problem));
    }
  }
  return stages;
}

}  // namespace pimsweep::systems::allspark
