#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "workload/decoder/decoder.h"
#include "workload/definition_index.h"
#include "workload/input_size.h"
#include "workload/operator_graph.h"
#include "workload/vision_transformer.h"

namespace pimsweep::workload {

/// The models of configs/models/*.toml and of other folders, each parsed once, and networks that experiments name by
/// their files (import/network_files.h). Systems get their work from it by a model's name and input size:
///
///     const ModelLibrary models(folders);
///     const OperatorGraph graph = models.graph("resnet-50", models.default_image_px("resnet-50"));
///
/// Graphs are built on each call and not cached. A model may have up to three views: the operator graph, which every
/// model has, stages and branches for vision Transformers and BERT, and a Decoder for language models. Errors of a file
/// are reported when one of its models is requested, so that a broken file does not affect points of other models.
class ModelLibrary {
 public:
  /// Reads every file. Problems of a file are kept until one of its models is requested. Models of installed folders
  /// are parsed when they are first requested, unless `installed` says otherwise, so that names() lists only valid
  /// ones. Throws InputError if there is no model at all.
  explicit ModelLibrary(const std::vector<ConfigFolder>& folders,
                        DefinitionIndex::Installed installed = DefinitionIndex::Installed::when_used);
  /// The models of one folder; throws InputError with all problems of all files.
  explicit ModelLibrary(const std::string& directory);
  /// The models of one file, given as its text; `path` is used in messages.
  ModelLibrary(const std::string& text, const std::string& path);
  ~ModelLibrary();

  /// Names in the order of the folders, then in alphabetical order of the files, then in the order within each file
  /// ("swin-t", "swin-s", ...).
  const std::vector<std::string>& names() const;
  /// Files that define the models, and the problems of each file.
  const DefinitionIndex& index() const;
  const std::string& family(std::string_view model) const;
  /// The default input size: the side of the image in pixels, or the number of tokens of a language model, which is
  /// used wherever a size is requested.
  std::int64_t default_image_px(std::string_view model) const;
  /// The default input size of a model; 0 if a network leaves it open.
  InputSize own_size(std::string_view model) const;
  /// The size at which to build a model: the given pixels or tokens, or the default size if both are 0. Throws
  /// PointError if the size of the other kind is given. graph() checks if the size suits the model.
  std::int64_t input_size(std::string_view model, InputSize size) const;
  /// Hash of the definition of a model: its resolved parameters, without comments.
  Hash128 content(std::string_view model) const;

  /// The operator graph at an input size. Throws PointError with the allowed sizes if the size does not suit the model.
  OperatorGraph graph(std::string_view model, std::int64_t image_px) const;

  /// The image models that consist of stages and branches.
  std::vector<std::string> vision_transformers() const;
  /// A vision Transformer, or BERT as one branch of all tokens, reduced to stages and branches. Throws PointError if
  /// the size does not suit the model or the model has no stages and branches.
  VisionTransformer vision_transformer(std::string_view model, std::int64_t image_px) const;

  /// The language models that generate tokens (family decoder).
  std::vector<std::string> decoders() const;
  /// Architecture of such a model. Throws PointError for other models.
  const decoder::Decoder& decoder(std::string_view model) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace pimsweep::workload
