#include <array>
#include <memory>

#include "workload/families/architecture.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload::families {

namespace {

constexpr std::array generator_words{Word{"generator", true}, Word{"discriminator", false}};

/// Halves a map, or doubles it when transposed.
constexpr ConvolutionWindow halving_window{5, 2, 2, 1};

struct DcganParameters {
  std::int64_t image_channels = 0;
  std::int64_t classes = 0;
  /// Random values from which the generator starts.
  std::int64_t noise = 0;
  /// Channels of the convolutions, and outputs of the fully connected layer.
  std::int64_t channels = 0;
  std::int64_t hidden = 0;
  bool generator = false;
};

/// The two networks of DCGAN, with the label of the image joined to the input of every layer. The input size is that of
/// the generated and judged images.
class ConditionalDcgan final : public Architecture {
 public:
  explicit ConditionalDcgan(const DcganParameters& parameters) : parameters_(parameters) {}

  std::int64_t min_input_size() const override { return 1; }

  OperatorGraph graph(std::int64_t image_px) const override {
    GraphBuilder builder;
    if (parameters_.generator) {
      generate(builder, image_px);
    } else {
      judge(builder, image_px);
    }
    return builder.take();
  }

 private:
  void generate(GraphBuilder& builder, std::int64_t image_px) const {
    const Extent full = image_px;
    const Extent half = halving_window.output(full);
    const Extent quarter = halving_window.output(half);
    const std::int64_t channels = 2 * parameters_.channels;
    const OperatorId noise = builder.input({1, parameters_.noise}, "noise");
    const OperatorId labels = builder.input({1, parameters_.classes}, "labels");
    OperatorId x = builder.linear(join_vector(builder, noise, labels), parameters_.hidden, "fc1");
    x = builder.activation(builder.batch_norm(x, "fc1_norm"), "relu");
    x = builder.linear(join_vector(builder, x, labels), channels * quarter.area(), "fc2");
    x = builder.activation(builder.batch_norm(x, "fc2_norm"), "relu");
    x = builder.move(OperatorKind::reshape, x, {quarter.height, quarter.width, channels}, "map");
    x = builder.transposed_convolution(join_map(builder, x, labels), channels, halving_window, half, "conv1");
    x = builder.activation(builder.batch_norm(x, "conv1_norm"), "relu");
    x = builder.transposed_convolution(join_map(builder, x, labels), parameters_.image_channels, halving_window, full,
                                       "conv2");
    builder.activation(x, "sigmoid");
  }

  void judge(GraphBuilder& builder, std::int64_t image_px) const {
    const std::int64_t classes = parameters_.classes;
    const OperatorId image = builder.input({image_px, image_px, parameters_.image_channels}, "image");
    const OperatorId labels = builder.input({1, classes}, "labels");
    OperatorId x = builder.convolution(join_map(builder, image, labels), parameters_.image_channels + classes,
                                       halving_window, "conv1");
    x = builder.activation(x, "leaky_relu");
    x = builder.convolution(join_map(builder, x, labels), parameters_.channels + classes, halving_window, "conv2");
    x = builder.activation(builder.batch_norm(x, "conv2_norm"), "leaky_relu");
    x = builder.move(OperatorKind::reshape, x, {1, builder.output(x).elements()}, "flatten");
    x = builder.linear(join_vector(builder, x, labels), parameters_.hidden, "fc1");
    x = builder.activation(builder.batch_norm(x, "fc1_norm"), "leaky_relu");
    builder.linear(join_vector(builder, x, labels), 1, "fc2");
  }

  static OperatorId join_vector(GraphBuilder& builder, OperatorId x, OperatorId labels) {
    return builder.join_channels({x, labels}, "with_label");
  }

  static OperatorId join_map(GraphBuilder& builder, OperatorId x, OperatorId labels) {
    const Extent map = map_of(builder.output(x));
    const std::int64_t classes = builder.output(labels).shape.back();
    const OperatorId spread = builder.move(OperatorKind::gather, labels, {map.height, map.width, classes}, "label_map");
    return builder.join_channels({x, spread}, "with_label");
  }

  DcganParameters parameters_;
};

}  // namespace

std::unique_ptr<Architecture> read_conditional_dcgan(ParameterReader& reader) {
  DcganParameters parameters;
  parameters.image_channels = reader.integer("image_channels", {1, 1024});
  parameters.classes = reader.integer("classes", {1, 1000000});
  parameters.noise = reader.integer("noise", {1, 65536});
  parameters.channels = reader.integer("channels", {1, 4096});
  parameters.hidden = reader.integer("hidden", {1, 65536});
  parameters.generator = reader.choice("network", generator_words);
  return std::make_unique<ConditionalDcgan>(parameters);
}

}  // namespace pimsweep::workload::families
