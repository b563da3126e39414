#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "workload/families/architecture.h"
#include "workload/families/convolutional.h"

namespace pimsweep::workload::families {

namespace {

struct InvertedResidualStage {
  /// Channels of the output of the stage, after scaling.
  std::int64_t channels = 0;
  std::int64_t blocks = 0;
  /// Kernel side of the depthwise convolutions, and their stride in the first block; it is 1 in the others.
  std::int64_t kernel = 0;
  std::int64_t stride = 0;
  /// Inner channels of a block for each channel of its input.
  std::int64_t expansion = 0;
};

struct InvertedResidualParameters {
  ImageClassifier classifier;
  std::int64_t stem_channels = 0;
  std::int64_t head_channels = 0;
  std::string activation;
  /// Input channels of a block for each channel of its squeeze-and-excitation layer; 0 for no such layer.
  std::int64_t squeeze = 0;
  std::vector<InvertedResidualStage> stages;
};

/// A scaled number of channels: the nearest multiple of 8, or the next one if that is below 90 % (public code of
/// MobileNetV2, MnasNet and EfficientNet).
std::int64_t scaled_channels(std::int64_t channels, double width) {
  constexpr std::int64_t multiple = 8;
  const double wanted = static_cast<double>(channels) * width;
  const std::int64_t nearest = (static_cast<std::int64_t>(wanted) + multiple / 2) / multiple * multiple;
  const std::int64_t rounded = std::max(multiple, nearest);
  return static_cast<double>(rounded) < 0.9 * wanted ? rounded + multiple : rounded;
}

/// MobileNetV2, MnasNet and EfficientNet as in torchvision. A block adds channels by a 1x1 convolution, filters each by
/// a depthwise convolution and removes them again by a 1x1 convolution.
class InvertedResidual final : public Architecture {
 public:
  explicit InvertedResidual(InvertedResidualParameters parameters) : parameters_(std::move(parameters)) {}

  /// Every window is padded, so a single pixel is enough.
  std::int64_t min_input_size() const override { return 1; }

  OperatorGraph graph(std::int64_t image_px) const override {
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, parameters_.classifier.image_channels}, "image");
    x = conv_norm(builder, x, parameters_.stem_channels, {3, 2, 1, 1}, "stem", parameters_.activation);
    for (std::size_t i = 0; i < parameters_.stages.size(); ++i) {
      const InvertedResidualStage& stage = parameters_.stages[i];
      for (std::int64_t block = 1; block <= stage.blocks; ++block) {
        builder.enter(static_cast<std::int64_t>(i) + 1, block);
        x = inverted_residual(builder, x, stage, block == 1 ? stage.stride : 1);
      }
    }
    builder.enter(0, 0);
    x = conv_norm(builder, x, parameters_.head_channels, {1, 1, 0, 1}, "head", parameters_.activation);
    classify_map(builder, x, parameters_.classifier.classes);
    return builder.take();
  }

 private:
  OperatorId inverted_residual(GraphBuilder& builder, OperatorId x, const InvertedResidualStage& stage,
                               std::int64_t stride) const {
    const std::int64_t inputs = builder.output(x).shape.back();
    const std::int64_t inner = inputs * stage.expansion;
    OperatorId y = x;
    if (stage.expansion > 1) y = conv_norm(builder, y, inner, {1, 1, 0, 1}, "expand", parameters_.activation);
    y = conv_norm(builder, y, inner, {stage.kernel, stride, (stage.kernel - 1) / 2, inner}, "depthwise",
                  parameters_.activation);
    if (parameters_.squeeze > 0) y = excite(builder, y, std::max<std::int64_t>(1, inputs / parameters_.squeeze));
    y = conv_norm(builder, y, stage.channels, {1, 1, 0, 1}, "project", "");
    return stride == 1 && inputs == stage.channels ? builder.add(y, x, "residual") : y;
  }

  /// Squeeze and excitation: scales each channel by a factor computed from the means of all channels.
  OperatorId excite(GraphBuilder& builder, OperatorId x, std::int64_t hidden) const {
    const std::int64_t channels = builder.output(x).shape.back();
    OperatorId factors = builder.linear(builder.global_pool(x, "squeeze_pool"), hidden, "squeeze");
    factors = builder.linear(builder.activation(factors, parameters_.activation), channels, "excite");
    return builder.multiply(x, builder.activation(factors, "sigmoid"), "scale");
  }

  InvertedResidualParameters parameters_;
};

}  // namespace

std::unique_ptr<Architecture> read_inverted_residual(ParameterReader& reader) {
  constexpr Range channel_range{1, 16384};
  InvertedResidualParameters parameters;
  parameters.classifier = read_image_classifier(reader);
  parameters.activation = reader.choice("activation", {"relu", "relu6", "silu"});
  parameters.squeeze = reader.integer("squeeze", {0, 1024});
  const double width = reader.real("width", 0.01, 100);
  const double depth = reader.real("depth", 0.01, 100);
  parameters.stem_channels = scaled_channels(reader.integer("stem_channels", channel_range), width);
  parameters.head_channels = reader.integer("head_channels", channel_range);
  const std::vector<std::int64_t> channels = reader.stages("channels", {1, 32}, channel_range);
  const std::vector<std::int64_t> blocks = reader.integers("blocks", {1, 1000});
  const std::vector<std::int64_t> kernels = reader.integers("kernel", {1, 255});
  const std::vector<std::int64_t> strides = reader.integers("stride", {1, 16});
  const std::vector<std::int64_t> expansions = reader.integers("expansion", {1, 64});
  if (std::any_of(kernels.begin(), kernels.end(), [](std::int64_t kernel) { return kernel % 2 == 0; })) {
    reader.problem("kernel", "'kernel' must be odd: blocks keep the size of their map");
  }
  for (std::size_t i = 0; i < channels.size(); ++i) {
    const auto scaled_blocks = static_cast<std::int64_t>(std::ceil(static_cast<double>(blocks[i]) * depth));
    parameters.stages.push_back(
        {scaled_channels(channels[i], width), scaled_blocks, kernels[i], strides[i], expansions[i]});
  }
  return std::make_unique<InvertedResidual>(std::move(parameters));
}

}  // namespace pimsweep::workload::families
