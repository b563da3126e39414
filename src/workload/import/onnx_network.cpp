#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "workload/import/formats.h"
#include "workload/import/network_import.h"
#include "workload/import/onnx_reader.h"

namespace pimsweep::workload::import {

namespace {

/// Increment it when a change of the importer alters operator graphs.
constexpr int importer_version = 4;

/// Network of an ONNX file; builds an operator graph from the file's nodes for each input size.
class OnnxNetwork final : public families::Architecture {
 public:
  OnnxNetwork(OnnxModel model, const InputExtents& extents, ImportOptions options)
      : model_(std::move(model)), extents_(extents), options_(std::move(options)) {}

  std::int64_t min_input_size() const override { return extents_.size.value_or(1); }
  std::int64_t max_input_size() const override { return extents_.size.value_or(families::max_image_px); }

  OperatorGraph graph(std::int64_t size) const override {
    ImportOptions options = options_;
    (extents_.is_sequence ? options.tokens : options.image_px) = size;
    return import_network(model_, options);
  }

 private:
  OnnxModel model_;
  InputExtents extents_;
  ImportOptions options_;
};

}  // namespace

Model read_onnx_network(const std::string& kept, const NetworkSource& source) {
  OnnxModel onnx = read_onnx(kept, source.path);
  ImportOptions options;
  options.unknown = source.options.unknown;
  options.reading = read_inputs(onnx, source.options);
  check_network(onnx, options);
  const InputExtents extents = input_extents(onnx, options.reading);
  Model model;
  model.family = "onnx";
  model.tokens = extents.is_sequence;
  model.default_size = extents.size.value_or(0);
  if (!options.reading.note.empty()) model.notes.push_back(options.reading.note);
  model.content =
      hash128(fmt::format("onnx {} {} {}\n{}", importer_version, word_of(unknown_words, source.options.unknown),
                          word_of(first_dimension_words, source.options.first), kept));
  model.architecture = std::make_shared<OnnxNetwork>(std::move(onnx), extents, std::move(options));
  return model;
}

}  // namespace pimsweep::workload::import
