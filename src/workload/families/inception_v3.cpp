#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workload/families/architecture.h"
#include "workload/families/convolutional.h"

namespace pimsweep::workload::families {

namespace {

/// One convolution of a branch.
struct BranchLayer {
  std::int64_t outputs = 0;
  Extent kernel;
  std::int64_t stride = 1;
};

using Branch = std::vector<BranchLayer>;

const Extent row_kernel{1, 7};
const Extent column_kernel{7, 1};

/// The windows of all layers that shrink the map, in order. They have no padding.
constexpr std::array<ConvolutionWindow, 7> shrinking_windows{
    {{3, 2, 0, 1}, {3, 1, 0, 1}, {3, 2, 0, 1}, {3, 1, 0, 1}, {3, 2, 0, 1}, {3, 2, 0, 1}, {3, 2, 0, 1}}};

/// Inception-v3 as in torchvision, without the auxiliary classifier. Stage 1 holds the modules A (35 x 35 maps for a
/// 299 px image), stage 2 the modules B and C (17 x 17), and stage 3 the modules D and E (8 x 8).
class InceptionV3 final : public Architecture {
 public:
  explicit InceptionV3(const ImageClassifier& classifier) : classifier_(classifier) {}

  std::int64_t min_input_size() const override {
    std::int64_t px = 1;
    for (auto window = shrinking_windows.rbegin(); window != shrinking_windows.rend(); ++window) {
      px = (px - 1) * window->stride + window->kernel.height;
    }
    return px;
  }

  OperatorGraph graph(std::int64_t image_px) const override {
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, classifier_.image_channels}, "image");
    x = conv_norm(builder, x, 32, shrinking_windows[0], "conv1", "relu");
    x = conv_norm(builder, x, 32, shrinking_windows[1], "conv2", "relu");
    x = conv_norm(builder, x, 64, {3, 1, 1, 1}, "conv3", "relu");
    x = builder.pool(OperatorKind::max_pool, x, shrinking_windows[2], "max_pool");
    x = conv_norm(builder, x, 80, {1, 1, 0, 1}, "conv4", "relu");
    x = conv_norm(builder, x, 192, shrinking_windows[3], "conv5", "relu");
    x = builder.pool(OperatorKind::max_pool, x, shrinking_windows[4], "max_pool");
    std::int64_t block = 0;
    for (const std::int64_t pool_features : {32, 64, 64}) {
      builder.enter(1, ++block);
      x = module_a(builder, x, pool_features);
    }
    builder.enter(2, 1);
    x = module_b(builder, x);
    block = 1;
    for (const std::int64_t channels : {128, 160, 160, 192}) {
      builder.enter(2, ++block);
      x = module_c(builder, x, channels);
    }
    builder.enter(3, 1);
    x = module_d(builder, x);
    for (const std::int64_t next : {2, 3}) {
      builder.enter(3, next);
      x = module_e(builder, x);
    }
    classify_map(builder, x, classifier_.classes);
    return builder.take();
  }

 private:
  /// Convolutions in sequence. Those of stride 1 keep the size of the map; the others have no padding.
  static OperatorId branch(GraphBuilder& builder, OperatorId x, std::string_view name, const Branch& layers) {
    int number = 0;
    for (const BranchLayer& layer : layers) {
      const Extent padding =
          layer.stride > 1 ? Extent(0) : Extent((layer.kernel.height - 1) / 2, (layer.kernel.width - 1) / 2);
      const std::string role =
          layers.size() == 1 ? std::string(name) : std::string(name) + "_" + std::to_string(++number);
      x = conv_norm(builder, x, layer.outputs, {layer.kernel, layer.stride, padding, 1}, role, "relu");
    }
    return x;
  }

  static OperatorId pooled(GraphBuilder& builder, OperatorId x, std::int64_t outputs) {
    return branch(builder, builder.pool(OperatorKind::average_pool, x, {3, 1, 1, 1}, "average_pool"), "pooled",
                  {{outputs, 1}});
  }

  static OperatorId module_a(GraphBuilder& builder, OperatorId x, std::int64_t pool_features) {
    return join_channels(builder,
                         {branch(builder, x, "single", {{64, 1}}), branch(builder, x, "wide", {{48, 1}, {64, 5}}),
                          branch(builder, x, "double", {{64, 1}, {96, 3}, {96, 3}}), pooled(builder, x, pool_features)},
                         "join");
  }

  static OperatorId module_b(GraphBuilder& builder, OperatorId x) {
    return join_channels(
        builder,
        {branch(builder, x, "single", {{384, 3, 2}}), branch(builder, x, "double", {{64, 1}, {96, 3}, {96, 3, 2}}),
         builder.pool(OperatorKind::max_pool, x, {3, 2, 0, 1}, "max_pool")},
        "join");
  }

  static OperatorId module_c(GraphBuilder& builder, OperatorId x, std::int64_t channels) {
    return join_channels(builder,
                         {branch(builder, x, "single", {{192, 1}}),
                          branch(builder, x, "wide", {{channels, 1}, {channels, row_kernel}, {192, column_kernel}}),
                          branch(builder, x, "double",
                                 {{channels, 1},
                                  {channels, column_kernel},
                                  {channels, row_kernel},
                                  {channels, column_kernel},
                                  {192, row_kernel}}),
                          pooled(builder, x, 192)},
                         "join");
  }

  static OperatorId module_d(GraphBuilder& builder, OperatorId x) {
    return join_channels(builder,
                         {branch(builder, x, "single", {{192, 1}, {320, 3, 2}}),
                          branch(builder, x, "wide", {{192, 1}, {192, row_kernel}, {192, column_kernel}, {192, 3, 2}}),
                          builder.pool(OperatorKind::max_pool, x, {3, 2, 0, 1}, "max_pool")},
                         "join");
  }

  static OperatorId module_e(GraphBuilder& builder, OperatorId x) {
    const OperatorId wide = branch(builder, x, "wide", {{384, 1}});
    const OperatorId doubled = branch(builder, x, "double", {{448, 1}, {384, 3}});
    return join_channels(builder,
                         {branch(builder, x, "single", {{320, 1}}), row_and_column(builder, wide, "wide"),
                          row_and_column(builder, doubled, "double"), pooled(builder, x, 192)},
                         "join");
  }

  static OperatorId row_and_column(GraphBuilder& builder, OperatorId x, const std::string& name) {
    return join_channels(
        builder,
        {branch(builder, x, name + "_row", {{384, {1, 3}}}), branch(builder, x, name + "_column", {{384, {3, 1}}})},
        name + "_join");
  }

  ImageClassifier classifier_;
};

}  // namespace

std::unique_ptr<Architecture> read_inception_v3(ParameterReader& reader) {
  return std::make_unique<InceptionV3>(read_image_classifier(reader));
}

}  // namespace pimsweep::workload::families
