#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "workload/graph_builder.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::families {

/// Parameters of every convolutional image classifier.
struct ImageClassifier {
  std::int64_t image_channels = 0;
  std::int64_t classes = 0;
};

/// Reads image_channels and classes.
ImageClassifier read_image_classifier(ParameterReader& reader);

/// A convolution without bias, followed by batch normalization and, unless `function` is empty, an activation function.
OperatorId conv_norm(GraphBuilder& builder, OperatorId x, std::int64_t outputs, const ConvolutionWindow& window,
                     std::string_view role, std::string_view function);

/// Concatenates maps of equal size along their channels.
OperatorId join_channels(GraphBuilder& builder, const std::vector<OperatorId>& maps, std::string_view role);

/// Appends the mean over the map and a fully connected classifier.
void classify_map(GraphBuilder& builder, OperatorId map, std::int64_t classes);

}  // namespace pimsweep::workload::families
