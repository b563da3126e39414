// Files of training steps: all errors in them are reported at once.
#include <catch2/catch.hpp>

#include "../temporary_directory.h"
#include "base/error.h"
#include "training_steps.h"

namespace pimsweep::workload::training {

TEST_CASE("a training step's file is checked as a whole", "[training]") {
  TemporaryDirectory directory;
  directory.write("steps.toml", R"(family = "training-step"

[common]
adversary = "none"
trains = "model"
loss = "softmaks"
sampled_classes = 64
optimizer = "adam"
layout = "mkl"
batch_norm = "fused"
linear_bias = "Add"
output_relu = false
gate_gradients = false
weight_decay = false
clip_gradients = false
dropout = []

[[model]]
name = "one"
model = "vgg-f"
batch = 0

[[model]]
name = "vgg-a"
model = "vgg-a"
batch = 1
color = 3
network = "vgg-a"
)");
  try {
    const training::TrainingLibrary library(directory.path(), models());
    FAIL("accepted");
  } catch (const InputError& error) {
    const std::string text = error.what();
    INFO(text);
    CHECK(error.problems().size() == 6);
    for (const char* part : {"steps.toml:6:", "softmaks", "steps.toml:20:", "vgg-f", "steps.toml:21:", "color",
                             "unknown key 'network'; a model of this family has", "'vgg-a' is the name of a model"}) {
      CHECK(text.find(part) != std::string::npos);
    }
  }
}

TEST_CASE("steps are found by name, models as plain steps", "[training]") {
  CHECK(steps().find("heteropim-vgg-19").model == "vgg-e");
  CHECK(steps().find("vgg-a").optimizer == training::Optimizer::gradient_descent);
  CHECK_THROWS_WITH(steps().find("heteropim-vgg-16"), Catch::Contains("did you mean 'heteropim-vgg-19'"));
}

}  // namespace pimsweep::workload::training
