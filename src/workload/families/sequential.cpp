#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "workload/families/architecture.h"
#include "workload/families/layer_text.h"
#include "workload/graph_builder.h"

namespace pimsweep::workload::families {

namespace {

/// The largest side of a map that keeps element counts within 64 bits.
constexpr std::int64_t max_side = std::int64_t{1} << 20;

bool is_transposed(const Layer& layer) { return layer.kind == OperatorKind::transposed_convolution; }

bool has_window(const Layer& layer) {
  return layer.kind == OperatorKind::convolution || layer.kind == OperatorKind::max_pool ||
         layer.kind == OperatorKind::average_pool || is_transposed(layer);
}

/// The map that a layer with a window, or a reshape, makes of `map`; a side is below 1 if the window does not fit.
Extent next_map(const Layer& layer, const Extent& map) {
  const ConvolutionWindow& window = layer.window;
  if (layer.kind == OperatorKind::reshape) return window.kernel;
  if (!is_transposed(layer)) return window.output(map);
  if (layer.same) return {map.height * window.stride, map.width * window.stride};
  return {(map.height - 1) * window.stride + window.kernel.height - 2 * window.padding.height,
          (map.width - 1) * window.stride + window.kernel.width - 2 * window.padding.width};
}

/// A network without branches, given layer by layer. A fully connected layer reads its whole input, so the weights of
/// one that follows a map grow with the image.
class Sequential final : public Architecture {
 public:
  Sequential(std::int64_t image_channels, std::vector<Layer> layers)
      : image_channels_(image_channels), layers_(std::move(layers)) {
    if (const auto smallest = first_size([](Fit fit) { return fit != Fit::too_small; })) smallest_ = *smallest;
    const auto beyond = first_size([](Fit fit) { return fit == Fit::too_large; });
    largest_ = beyond ? *beyond - 1 : max_image_px;
  }

  std::int64_t min_input_size() const override { return smallest_; }
  std::int64_t max_input_size() const override { return largest_; }

  /// A layer that fits at no image size, with its input map; nothing for a sound network.
  std::optional<std::pair<const Layer*, Extent>> misfit() const {
    const Place place = walk(smallest_);
    if (place.fit == Fit::fits) return std::nullopt;
    return std::pair(&layers_[place.layer], place.map);
  }

  OperatorGraph graph(std::int64_t image_px) const override {
    GraphBuilder builder;
    OperatorId x = builder.input({image_px, image_px, image_channels_}, "image");
    for (const Layer& layer : layers_) x = append(builder, layer, x);
    return builder.take();
  }

 private:
  enum class Fit { too_small, fits, too_large };
  /// Whether an image size fits; if not, the first layer at fault and its input map.
  struct Place {
    Fit fit = Fit::fits;
    std::size_t layer = 0;
    Extent map;
  };

  Place walk(std::int64_t image_px) const {
    Extent map = image_px;
    for (std::size_t i = 0; i < layers_.size(); ++i) {
      const Layer& layer = layers_[i];
      if (!has_window(layer) && layer.kind != OperatorKind::reshape) continue;
      const Extent next = next_map(layer, map);
      if (next.height < 1 || next.width < 1) return {Fit::too_small, i, map};
      if (next.height > max_side || next.width > max_side) return {Fit::too_large, i, map};
      map = next;
    }
    return {Fit::fits, 0, map};
  }

  /// The smallest image for which `wanted` holds. Since maps grow with the image, it then holds for all larger images.
  template <typename Wanted>
  std::optional<std::int64_t> first_size(Wanted wanted) const {
    if (!wanted(walk(max_image_px).fit)) return std::nullopt;
    std::int64_t low = 0;
    std::int64_t high = max_image_px;
    while (high - low > 1) {
      const std::int64_t middle = (low + high) / 2;
      (wanted(walk(middle).fit) ? high : low) = middle;
    }
    return high;
  }

  static OperatorId append(GraphBuilder& builder, const Layer& layer, OperatorId x) {
    const Tensor& in = builder.output(x);
    if (layer.kind == OperatorKind::linear && in.shape.size() > 2) {
      builder.call_next(layer.name + ".flatten");
      x = builder.move(OperatorKind::reshape, x, {1, in.elements()}, "flatten");
    }
    builder.call_next(layer.name);
    switch (layer.kind) {
      case OperatorKind::convolution:
        return builder.convolution(x, layer.outputs, layer.window, layer.word, layer.bias);
      case OperatorKind::transposed_convolution:
        return builder.transposed_convolution(x, layer.outputs, layer.window,
                                              next_map(layer, map_of(builder.output(x))), layer.word, layer.bias);
      case OperatorKind::max_pool:
      case OperatorKind::average_pool:
        return builder.pool(layer.kind, x, layer.window, layer.word);
      case OperatorKind::global_pool:
        return builder.global_pool(x, layer.word);
      case OperatorKind::linear:
        return builder.linear(x, layer.outputs, layer.word, layer.bias);
      case OperatorKind::reshape:
        return builder.move(layer.kind, x, {layer.window.kernel.height, layer.window.kernel.width, layer.outputs},
                            layer.word);
      case OperatorKind::batch_norm:
        return builder.batch_norm(x, layer.word);
      case OperatorKind::layer_norm:
        return builder.layer_norm(x, layer.word);
      default:
        return builder.same_shape(layer.kind, x, layer.word);
    }
  }

  std::int64_t image_channels_;
  std::vector<Layer> layers_;
  std::int64_t smallest_ = max_image_px;
  std::int64_t largest_ = max_image_px;
};

/// Checks what does not depend on the image size: whether each layer reads a map or a vector, and its channels.
class ChannelCheck {
 public:
  ChannelCheck(std::int64_t image_channels, ParameterReader& reader) : channels_(image_channels), reader_(reader) {}

  void check(const Layer& layer) {
    if ((has_window(layer) || layer.kind == OperatorKind::global_pool) && !map_) {
      problem(layer,
              "it works on a map of height x width x channels, but there is none after a fully connected layer "
              "or a global pool; \"reshape HxW CHANNELS\" makes one");
    }
    if (layer.kind == OperatorKind::reshape) check_reshape(layer);
    if (layer.kind == OperatorKind::convolution || is_transposed(layer)) check_groups(layer);
    if (layer.kind == OperatorKind::linear || layer.kind == OperatorKind::global_pool) map_ = false;
    if (has_window(layer) || layer.kind == OperatorKind::reshape) map_ = true;
    if (layer.outputs > 0) channels_ = layer.outputs;
  }

 private:
  void check_reshape(const Layer& layer) {
    const std::int64_t elements = layer.window.kernel.area() * layer.outputs;
    if (map_) {
      problem(layer, "it works on the outputs of a fully connected layer or a global pool, not on a map");
    } else if (elements != channels_) {
      problem(layer, fmt::format("it makes {} values out of {}", elements, channels_));
    }
  }

  void check_groups(const Layer& layer) {
    const std::int64_t groups = layer.window.groups;
    if (channels_ % groups == 0 && layer.outputs % groups == 0) return;
    problem(layer, fmt::format("{} groups do not divide {} input channels and {} output channels", groups, channels_,
                               layer.outputs));
  }

  void problem(const Layer& layer, const std::string& message) {
    reader_.problem(layer.text.at(0), fmt::format("layer \"{}\": {}", layer.text.text, message));
  }

  std::int64_t channels_;
  bool map_ = true;
  ParameterReader& reader_;
};

}  // namespace

std::unique_ptr<Architecture> read_sequential(ParameterReader& reader) {
  const std::int64_t image_channels = reader.integer("image_channels", {1, 65536});
  std::vector<Layer> layers = read_layers(reader.texts("layers", {1, 1000}, "layers, each a text"), reader);
  if (reader.sound()) {
    ChannelCheck channels(image_channels, reader);
    for (const Layer& layer : layers) channels.check(layer);
  }
  auto network = std::make_unique<Sequential>(image_channels, std::move(layers));
  if (!reader.sound()) return network;
  if (const auto misfit = network->misfit()) {
    const auto& [layer, map] = *misfit;
    reader.problem(layer->text.at(0), fmt::format("layer \"{}\": it does not fit its {} x {} map at any image size",
                                                  layer->text.text, map.height, map.width));
  }
  return network;
}

}  // namespace pimsweep::workload::families
