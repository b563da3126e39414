#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "workload/operator_graph.h"
#include "workload/vision_transformer.h"

namespace pimsweep::workload {

/// The models of configs/models/*.toml: read once, then immutable.
class ModelLibrary {
 public:
  /// Reads every file; throws InputError with all problems of all files.
  explicit ModelLibrary(const std::string& model_dir);
  ~ModelLibrary();

  /// Names in order of family and size ("swin-t", "swin-s", ...).
  const std::vector<std::string>& names() const;
  const std::string& family(std::string_view model) const;
  /// The input size where nothing else is said: the side of the image, or the number of tokens of a language model,
  /// which takes that number wherever a size is asked for.
  std::int64_t default_image_px(std::string_view model) const;
  /// Hash of the model's definition (its resolved parameters, not its comments).
  Hash128 content(std::string_view model) const;

  /// The operator graph at an image size; throws PointError where the size does not suit the model, saying which do.
  OperatorGraph graph(std::string_view model, std::int64_t image_px) const;

  /// The models of images that can be seen as stages and branches.
  std::vector<std::string> vision_transformers() const;
  /// A visual Transformer, or BERT as one branch of all tokens, reduced to stages and branches; throws PointError for a
  /// model without them too.
  VisionTransformer vision_transformer(std::string_view model, std::int64_t image_px) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace pimsweep::workload
