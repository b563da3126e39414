#include <array>
#include <memory>
#include <utility>

#include "workload/families/architecture.h"
#include "workload/families/convolutional.h"

namespace pimsweep::workload::families {

namespace {

constexpr std::array bottleneck_words{Word{"basic", false}, Word{"bottleneck", true}};

/// Channels of a bottleneck block's output for each channel of its 3x3 convolution.
constexpr std::int64_t bottleneck_expansion = 4;
constexpr ConvolutionWindow stem{7, 2, 3, 1};
constexpr ConvolutionWindow stem_pool{3, 2, 1, 1};

/// Stem of networks for images of a few dozen pixels a side, which keeps the size of the map.
constexpr ConvolutionWindow small_stem{3, 1, 1, 1};

struct ResNetParameters {
  ImageClassifier classifier;
  bool bottleneck = false;
  bool small_images = false;
  /// For each stage, channels of the 3x3 convolutions and number of blocks.
  std::vector<std::int64_t> channels;
  std::vector<std::int64_t> blocks;
};

/// ResNet as in torchvision: the 3x3 convolution of a bottleneck block has the stride.
class ResNet final : public Architecture {
 public:
  explicit ResNet(ResNetParameters parameters) : parameters_(std::move(parameters)) {}

  /// Every window is padded, so a single pixel is enough.
  std::int64_t min_input_size() const override { return 1; }

  OperatorGraph graph(std::int64_t image_px) const override {
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, parameters_.classifier.image_channels}, "image");
    if (parameters_.small_images) {
      x = conv_norm(builder, x, parameters_.channels.front(), small_stem, "conv1", "relu");
    } else {
      x = conv_norm(builder, x, parameters_.channels.front(), stem, "conv1", "relu");
      x = builder.pool(OperatorKind::max_pool, x, stem_pool, "max_pool");
    }
    for (std::size_t stage = 0; stage < parameters_.blocks.size(); ++stage) {
      for (std::int64_t block = 1; block <= parameters_.blocks[stage]; ++block) {
        builder.enter(static_cast<std::int64_t>(stage) + 1, block);
        x = residual_block(builder, x, parameters_.channels[stage], stage > 0 && block == 1 ? 2 : 1);
      }
    }
    classify_map(builder, x, parameters_.classifier.classes);
    return builder.take();
  }

 private:
  OperatorId residual_block(GraphBuilder& builder, OperatorId x, std::int64_t channels, std::int64_t stride) const {
    const std::int64_t outputs = parameters_.bottleneck ? bottleneck_expansion * channels : channels;
    OperatorId y = x;
    if (parameters_.bottleneck) {
      y = conv_norm(builder, y, channels, {1, 1, 0, 1}, "conv1", "relu");
      y = conv_norm(builder, y, channels, {3, stride, 1, 1}, "conv2", "relu");
      y = conv_norm(builder, y, outputs, {1, 1, 0, 1}, "conv3", "");
    } else {
      y = conv_norm(builder, y, channels, {3, stride, 1, 1}, "conv1", "relu");
      y = conv_norm(builder, y, outputs, {3, 1, 1, 1}, "conv2", "");
    }
    if (stride != 1 || builder.output(x).shape.back() != outputs) {
      x = conv_norm(builder, x, outputs, {1, stride, 0, 1}, "shortcut", "");
    }
    return builder.activation(builder.add(y, x, "residual"), "relu");
  }

  ResNetParameters parameters_;
};

ResNetParameters read_parameters(ParameterReader& reader) {
  ResNetParameters parameters;
  parameters.classifier = read_image_classifier(reader);
  parameters.bottleneck = reader.choice("block", bottleneck_words);
  parameters.channels = reader.stages("channels", {1, 8}, {1, 16384});
  parameters.blocks = reader.integers("blocks", {1, 1000});
  return parameters;
}

}  // namespace

std::unique_ptr<Architecture> read_resnet(ParameterReader& reader) {
  return std::make_unique<ResNet>(read_parameters(reader));
}

std::unique_ptr<Architecture> read_resnet_cifar(ParameterReader& reader) {
  ResNetParameters parameters = read_parameters(reader);
  parameters.small_images = true;
  return std::make_unique<ResNet>(std::move(parameters));
}

}  // namespace pimsweep::workload::families
