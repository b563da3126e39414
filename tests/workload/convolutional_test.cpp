// Convolutional networks with branches: shapes that papers print.
#include <catch2/catch.hpp>
#include <map>

#include "installed_models.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;
using Shape = std::vector<std::int64_t>;

std::map<std::string, Operator> operators(const std::string& model) {
  const OperatorGraph graph = library().graph(model, library().default_image_px(model));
  std::map<std::string, Operator> result;
  for (OperatorId id = 0; id < graph.size(); ++id) result[graph.at(id).name] = graph.at(id);
  return result;
}

}  // namespace

TEST_CASE("ResNet-50 has the maps of the paper's Table 1", "[models]") {
  auto net = operators("resnet-50");
  CHECK(net.at("conv1").output.shape == Shape{112, 112, 64});
  CHECK(net.at("max_pool").output.shape == Shape{56, 56, 64});
  CHECK(net.at("stage1.block3.residual").output.shape == Shape{56, 56, 256});
  CHECK(net.at("stage2.block4.residual").output.shape == Shape{28, 28, 512});
  CHECK(net.at("stage3.block6.residual").output.shape == Shape{14, 14, 1024});
  CHECK(net.at("stage4.block3.residual").output.shape == Shape{7, 7, 2048});
  // The first block of a stage has a convolution in its shortcut, the others have none.
  CHECK(net.at("stage2.block1.shortcut").weights == 256 * 512);
  CHECK(net.count("stage2.block2.shortcut") == 0);
  CHECK(net.at("stage2.block1.conv2").window.stride == 2);
  CHECK(net.at("classifier").product == MatrixProduct{1, 1, 2048, 1000});
}

TEST_CASE("Inception-v3 has the maps of the paper's Table 1", "[models]") {
  auto net = operators("inception-v3");
  CHECK(net.at("conv1").output.shape == Shape{149, 149, 32});
  CHECK(net.at("max_pool").output.shape == Shape{73, 73, 64});
  CHECK(net.at("stage1.block1.join").output.shape == Shape{35, 35, 256});
  CHECK(net.at("stage1.block3.join").output.shape == Shape{35, 35, 288});
  CHECK(net.at("stage2.block1.join").output.shape == Shape{17, 17, 768});
  CHECK(net.at("stage2.block5.join").output.shape == Shape{17, 17, 768});
  CHECK(net.at("stage3.block1.join").output.shape == Shape{8, 8, 1280});
  CHECK(net.at("stage3.block3.join").output.shape == Shape{8, 8, 2048});
  CHECK(net.at("stage2.block2.wide_2").window.kernel == Extent(1, 7));
  CHECK(net.at("stage2.block2.wide_2").weights == 7 * 128 * 128);
  CHECK_THAT(library().graph("inception-v3", 75).defects(), Catch::Equals(std::vector<std::string>{}));
  CHECK_THROWS_WITH(library().graph("inception-v3", 74), Contains("takes images of 75 to 16384 px"));
}

TEST_CASE("inverted residual blocks widen, work on each channel, and narrow", "[models]") {
  auto net = operators("mobilenet-v2");
  // Table 2 of the paper: the map of each stage is the next one's input.
  const std::vector<Shape> maps{{112, 112, 16}, {56, 56, 24}, {28, 28, 32}, {14, 14, 64},
                                {14, 14, 96},   {7, 7, 160},  {7, 7, 320}};
  for (std::size_t i = 0; i < maps.size(); ++i) {
    CHECK(net.at("stage" + std::to_string(i + 1) + ".block1.project").output.shape == maps[i]);
  }
  CHECK(net.count("stage1.block1.expand") == 0);
  CHECK(net.at("stage2.block1.expand").output.shape == Shape{112, 112, 96});
  const Operator& depthwise = net.at("stage2.block1.depthwise");
  CHECK(depthwise.window.groups == 96);
  CHECK(depthwise.weights == 9 * 96);
  CHECK(depthwise.product == MatrixProduct{96, 56 * 56, 9, 1});
  CHECK(net.count("stage2.block1.residual") == 0);
  CHECK(net.count("stage2.block2.residual") == 1);

  auto efficient = operators("efficientnet-b0");
  // The hidden layer has a quarter of the block's 16 input channels.
  CHECK(efficient.at("stage2.block1.squeeze").output.shape == Shape{1, 4});
  CHECK(efficient.at("stage2.block1.excite").output.shape == Shape{1, 96});
  CHECK(efficient.at("stage2.block1.scale").output.shape == Shape{56, 56, 96});
}

TEST_CASE("every learned value of a layer is what its shapes say", "[models][property]") {
  for (const std::string& model : library().names()) {
    const OperatorGraph graph = library().graph(model, library().default_image_px(model));
    std::int64_t counted = 0;
    for (OperatorId id = 0; id < graph.size(); ++id) {
      const Operator& node = graph.at(id);
      INFO(model << " " << node.name);
      const std::int64_t outputs = node.output.shape.back();
      if (node.kind == OperatorKind::convolution) {
        const std::int64_t inputs = graph.inputs(id).front().shape.back();
        CHECK(node.weights == node.window.kernel.area() * (inputs / node.window.groups) * outputs);
      }
      if (node.weights > 0) {
        const std::int64_t used = node.parameters - node.idle;
        CHECK((used == node.weights || used == node.weights + outputs));
        CHECK(node.macs() % node.weights == 0);
      }
      if (node.kind == OperatorKind::batch_norm || node.kind == OperatorKind::layer_norm) {
        CHECK(node.parameters == (node.role == "rms_norm" ? 1 : 2) * outputs);
      }
      counted += node.weights;
    }
    CHECK(counted == graph.weights());
  }
}

}  // namespace pimsweep::workload
