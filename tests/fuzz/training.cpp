#include <string>

#include "expect.h"
#include "readers.h"
#include "workload/training/training_graph.h"
#include "workload/training/training_library.h"

namespace pimsweep::fuzz {

namespace {

/// Models of two layers, so that their steps are small.
const workload::ModelLibrary& small_models() {
  static const workload::ModelLibrary library(R"(family = "layers"
[[model]]
name = "small"
image_px = 8
image_channels = 1
layers = ["conv 3x3 4", "relu", "fc 10", "softmax"]
)",
                                              "models.toml");
  return library;
}

}  // namespace

void read_training(std::string_view input) {
  expect_input_error([&] {
    const workload::training::TrainingLibrary library(std::string(input), "training.toml", small_models());
    for (const std::string& name : library.names()) {
      const workload::training::TrainingStep step = library.find(name);
      workload::training::content_of(small_models(), step);
      expect_input_error([&] { workload::training::training_graph(small_models(), step); });
    }
  });
}

}  // namespace pimsweep::fuzz
