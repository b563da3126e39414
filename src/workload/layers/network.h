#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "workload/families/architecture.h"
#include "workload/layers/block.h"
#include "workload/layers/layer.h"
#include "workload/layers/layer_type.h"

namespace pimsweep::workload::layers {

/// Where layers stand: the stage and block of their operators, and what precedes their names.
struct Place {
  std::int64_t stage = 0;
  std::int64_t block = 0;
  std::string prefix;
};

/// A layer of a network with what it reads.
struct Step {
  Layer layer;
  /// The steps whose outputs it reads.
  std::vector<std::size_t> inputs;
  /// Index of its place.
  std::size_t place = 0;
  /// Its text; null for the input of the network.
  const Sentence* sentence = nullptr;
};

/// A layer that does not fit at some input size, and why.
struct Misfit {
  std::size_t step = 0;
  Fit fit = Fit::fits;
  /// Shapes of what it reads.
  std::vector<Value> inputs;
};

/// A network whose blocks are all written out: steps, each after those that it reads. The first is the image or the
/// tokens.
struct Steps {
  /// Holds the sentences.
  std::shared_ptr<const NetworkText> text;
  std::vector<Step> steps;
  std::vector<Place> places{Place{}};
  /// Channels of the image; 0 for a network of tokens.
  std::int64_t image_channels = 0;
};

/// A network of layers for every input size. Those of an image are the sides of a square, others numbers of tokens. A
/// fully connected layer reads its whole map, so the weights of one that follows a map grow with the image.
class LayerNetwork final : public families::Architecture {
 public:
  explicit LayerNetwork(Steps steps);

  std::int64_t min_input_size() const override { return smallest_; }
  std::int64_t max_input_size() const override { return largest_; }
  /// Throws PointError where branches that meet have maps of different sizes.
  OperatorGraph graph(std::int64_t input_size) const override;

  /// The first layer that does not fit at an input size; nothing if all do.
  std::optional<Misfit> misfit(std::int64_t input_size) const;
  const Steps& steps() const { return steps_; }

 private:
  Value input(std::int64_t input_size) const;
  /// Shapes of all steps, until one does not fit; branches that do not suit each other fit if `allow_uneven`.
  std::optional<Misfit> walk(std::int64_t input_size, bool allow_uneven) const;
  void append_step(GraphBuilder& builder, std::size_t step, std::vector<OperatorId>& outputs) const;
  /// For a message: the sizes next to one that leaves branches uneven.
  std::string nearest_sizes(std::int64_t input_size) const;

  Steps steps_;
  std::int64_t smallest_ = families::max_image_px;
  std::int64_t largest_ = families::max_image_px;
};

/// What is wrong, for a message: "it joins 28 x 28 x 64 and 29 x 29 x 64".
std::string describe(const Misfit& misfit, const Layer& layer);

}  // namespace pimsweep::workload::layers
