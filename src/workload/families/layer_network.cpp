#include <fmt/format.h>

#include <memory>
#include <utility>

#include "workload/families/architecture.h"
#include "workload/layers/network.h"
#include "workload/layers/network_reader.h"

namespace pimsweep::workload::families {

namespace {

/// Reports a layer that fits at no input size, or not at the model's default size.
void check_sizes(const layers::LayerNetwork& network, std::int64_t own_size, layers::Reporter& reporter) {
  const std::int64_t smallest = network.min_input_size();
  const bool fits_some = !network.misfit(smallest) || network.misfit(smallest)->fit == layers::Fit::uneven;
  const bool is_own = fits_some && own_size >= smallest && own_size <= network.max_input_size();
  const auto misfit = network.misfit(is_own ? own_size : smallest);
  if (!misfit || (fits_some && !is_own)) return;
  const layers::Step& step = network.steps().steps[misfit->step];
  reporter.problem(*step.sentence,
                   layers::describe(*misfit, step.layer) +
                       (is_own ? fmt::format(" at an input size of {}", own_size) : " at any input size"));
}

/// The input that the keys of the model describe, and its own size.
std::pair<layers::NetworkInput, std::int64_t> read_input(ParameterReader& reader) {
  using Kind = layers::NetworkInput::Kind;
  constexpr std::int64_t max_channels = 65536;
  constexpr std::int64_t max_features = std::int64_t{1} << 24;
  if (reader.has(layers::features_key)) {
    for (const char* key : {"tokens", "image_px", "image_channels"}) {
      if (!reader.has(key)) continue;
      reader.problem(key, fmt::format("'{}' is meaningless for a network whose input is a vector of features", key));
      reader.pass_over(key);
    }
    return {{Kind::features, reader.integer(layers::features_key, {1, max_features})}, 1};
  }
  if (reader.has("tokens")) return {{Kind::tokens, 1}, reader.integer("tokens", {1, max_image_px})};
  const std::int64_t channels = reader.integer("image_channels", {1, max_channels});
  return {{Kind::image, channels}, reader.integer("image_px", {1, max_image_px})};
}

}  // namespace

std::unique_ptr<Architecture> read_layer_network(ParameterReader& reader) {
  const auto [input, own_size] = read_input(reader);
  auto text = std::make_shared<layers::NetworkText>();
  text->layers = layers::read_sentences("layers", reader);
  text->blocks = layers::read_blocks(text->layers, reader);
  layers::Reporter reporter(reader);
  layers::Steps steps = layers::NetworkReader(*text, reporter, input).read();
  reader.pass_over(std::string(layers::block_prefix));
  if (!reader.sound()) steps = {};
  steps.text = std::move(text);
  auto network = std::make_unique<layers::LayerNetwork>(std::move(steps));
  if (reader.sound()) check_sizes(*network, own_size, reporter);
  return network;
}

}  // namespace pimsweep::workload::families
