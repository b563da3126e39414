// The identity of a training step.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "training_steps.h"

namespace pimsweep::workload::training {

namespace {

/// Another value of a field. Texts name models, which must exist.
void change(bool& field) { field = !field; }
void change(std::int64_t& field) { ++field; }
void change(InputSize& field) { ++field.tokens; }
void change(std::string& field) { field = field == "vgg-a" ? "vgg-b" : "vgg-a"; }
void change(std::vector<std::string>& field) { field.emplace_back(); }
template <typename Choice>
void change(Choice& field) {
  field = static_cast<Choice>(static_cast<int>(field) + 1);
}

template <std::size_t Field>
Hash128 content_with_changed(TrainingStep step) {
  change(std::get<Field>(fields_of(step)));
  return content_of(models(), step);
}

constexpr std::size_t fields = std::tuple_size_v<decltype(fields_of(std::declval<TrainingStep&>()))>;

}  // namespace

TEST_CASE("every field of a training step is part of its identity", "[training]") {
  const TrainingStep step = steps().find("heteropim-vgg-19");
  const Hash128 content = content_of(models(), step);
  CHECK(content_of(models(), steps().find("heteropim-vgg-19")) == content);
  [&]<std::size_t... Field>(std::index_sequence<Field...>) {
    const std::array<Hash128, fields> changed{content_with_changed<Field>(step)...};
    for (std::size_t i = 0; i < fields; ++i) {
      INFO("field " << i);
      CHECK(changed[i] != content);
      for (std::size_t other = 0; other < i; ++other) CHECK(changed[i] != changed[other]);
    }
  }
  (std::make_index_sequence<fields>());
}

TEST_CASE("lists of dropout places are distinguished", "[training]") {
  TrainingStep step = steps().find("heteropim-vgg-19");
  step.dropout = {"a b", "c"};
  const Hash128 content = content_of(models(), step);
  step.dropout = {"a", "b c"};
  CHECK(content_of(models(), step) != content);
}

}  // namespace pimsweep::workload::training
