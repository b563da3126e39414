#include <fmt/format.h>

#include <memory>

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

}  // namespace

std::unique_ptr<Architecture> read_layer_network(ParameterReader& reader) {
  const bool is_image = !reader.has("tokens");
  const std::int64_t image_channels = is_image ? reader.integer("image_channels", {1, 65536}) : 0;
  const std::int64_t own_size = reader.integer(is_image ? "image_px" : "tokens", {1, max_image_px});
  auto text = std::make_shared<layers::NetworkText>();
  text->layers = layers::read_sentences("layers", reader);
  text->blocks = layers::read_blocks(text->layers, reader);
  layers::Reporter reporter(reader);
  layers::Steps steps = layers::NetworkReader(*text, reporter, image_channels).read();
  reader.pass_over(std::string(layers::block_prefix));
  if (!reader.sound()) steps = {};
  steps.text = std::move(text);
  auto network = std::make_unique<layers::LayerNetwork>(std::move(steps));
  if (reader.sound()) check_sizes(*network, own_size, reporter);
  return network;
}

}  // namespace pimsweep::workload::families
