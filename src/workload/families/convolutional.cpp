#include "workload/families/convolutional.h"

#include <string>
#include <utility>

namespace pimsweep::workload::families {

ImageClassifier read_image_classifier(ParameterReader& reader) {
  ImageClassifier classifier;
  classifier.image_channels = reader.integer("image_channels", {1, 1024});
  classifier.classes = reader.integer("classes", {1, 1000000});
  return classifier;
}

OperatorId conv_norm(GraphBuilder& builder, OperatorId x, std::int64_t outputs, const ConvolutionWindow& window,
                     std::string_view role, std::string_view function) {
  x = builder.convolution(x, outputs, window, role, false);
  x = builder.batch_norm(x, std::string(role) + "_norm");
  return function.empty() ? x : builder.activation(x, function);
}

OperatorId join_channels(GraphBuilder& builder, const std::vector<OperatorId>& maps, std::string_view role) {
  std::vector<std::int64_t> shape = builder.output(maps.front()).shape;
  shape.back() = 0;
  for (const OperatorId map : maps) shape.back() += builder.output(map).shape.back();
  return builder.concat(maps, std::move(shape), role);
}

void classify_map(GraphBuilder& builder, OperatorId map, std::int64_t classes) {
  builder.enter(0, 0);
  builder.linear(builder.global_pool(map, "global_pool"), classes, "classifier");
}

}  // namespace pimsweep::workload::families
