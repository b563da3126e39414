#include <string>

#include "expect.h"
#include "readers.h"
#include "workload/model_library.h"

namespace pimsweep::fuzz {

void read_model(std::string_view input) {
  expect_input_error([&] {
    const workload::ModelLibrary library(std::string(input), "models.toml");
    for (const std::string& model : library.names()) {
      expect_input_error([&] { library.graph(model, library.default_image_px(model)); });
    }
    for (const std::string& model : library.vision_transformers()) {
      expect_input_error([&] { library.vision_transformer(model, library.default_image_px(model)); });
    }
  });
}

}  // namespace pimsweep::fuzz
