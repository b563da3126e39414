#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/families/architecture.h"
#include "workload/layers/block.h"
#include "workload/layers/layer.h"
#include "workload/layers/layer_type.h"

namespace pimsweep::workload::layers {

/// Location of layers: the stage and block of their operators, and the prefix of their names.
struct Place {
  std::int64_t stage = 0;
  std::int64_t block = 0;
  std::string prefix;
};

/// A layer of a network with its inputs.
struct Step {
  Layer layer;
  /// The steps whose outputs it reads.
  std::vector<std::size_t> inputs;
  /// Index of its Place.
  std::size_t place = 0;
  /// Its text; nullptr for the input of the network.
  const Sentence* sentence = nullptr;
};

/// A layer that does not fit at some input size, and the reason.
struct Misfit {
  std::size_t step = 0;
  Fit fit = Fit::fits;
  /// Shapes of its inputs.
  std::vector<Value> inputs;
};

/// Input of a network. The size of an image or of a sequence varies; a vector of features is one token of a fixed size.
struct NetworkInput {
  enum class Kind : std::uint8_t { image, tokens, features };

  Kind kind = Kind::tokens;
  std::int64_t channels = 1;

  /// Its name in the layers, and as an operator.
  std::string_view name() const;
  Value at(std::int64_t input_size) const;
};

/// Key of a model with a vector as input.
inline constexpr const char* features_key = "input.features";

/// A network with all blocks expanded: steps, each after those that it reads. The first is the input.
struct Steps {
  /// Owns the sentences.
  std::shared_ptr<const NetworkText> text;
  std::vector<Step> steps;
  std::vector<Place> places{Place{}};
  NetworkInput input;
};

/// A network of layers for every input size: the side of a square image, a number of tokens, or 1 for a vector. A fully
/// connected layer reads its whole map, so the weights of one that follows a map grow with the image.
class LayerNetwork final : public families::Architecture {
 public:
  explicit LayerNetwork(Steps steps);

  std::int64_t min_input_size() const override { return smallest_; }
  std::int64_t max_input_size() const override { return largest_; }
  /// Throws PointError if branches that meet have maps of different sizes.
  OperatorGraph graph(std::int64_t input_size) const override;

  /// The first layer that does not fit at an input size; nullopt if all fit.
  std::optional<Misfit> misfit(std::int64_t input_size) const;
  const Steps& steps() const { return steps_; }

 private:
  /// Shapes of all steps, up to the first that does not fit; branches of different sizes are accepted if
  /// `allow_uneven`.
  std::optional<Misfit> walk(std::int64_t input_size, bool allow_uneven) const;
  void append_step(GraphBuilder& builder, std::size_t step, std::vector<OperatorId>& outputs) const;
  /// For a message: the sizes next to one that leaves branches uneven.
  std::string nearest_sizes(std::int64_t input_size) const;

  Steps steps_;
  std::int64_t smallest_ = families::max_image_px;
  std::int64_t largest_ = families::max_image_px;
};

/// Description of the problem for a message: "it joins 28 x 28 x 64 and 29 x 29 x 64".
std::string describe(const Misfit& misfit, const Layer& layer);

}  // namespace pimsweep::workload::layers
