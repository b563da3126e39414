#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "workload/import/network_import.h"
#include "workload/model_library.h"

namespace pimsweep::commands {

/// The names of the models that `names` selects: those of the library, and networks of files, which are read. All of
/// the library if there are none. Throws InputError for a name that is not known.
std::vector<std::string> selected_models(const workload::ModelLibrary& library, const std::vector<std::string>& names,
                                         const workload::import::ReadingOptions& options = {});

/// The size at which a model is shown: the given one, else its own, or that of most image classifiers if it leaves the
/// size open. Throws PointError if `size` gives one of the other kind.
std::int64_t shown_size(const workload::ModelLibrary& library, const std::string& model,
                        const workload::InputSize& size);

/// An operator of a network with what it moves.
struct OperatorView {
  const workload::Operator* node = nullptr;
  /// The operators that it reads, in the order of its inputs.
  std::vector<workload::OperatorId> inputs;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
};

/// A network as `pimsweep model` shows it.
struct ModelView {
  std::string name;
  /// The family of a built-in model, or the format of a file.
  std::string family;
  /// Pixels a side or tokens.
  std::int64_t input_size = 0;
  std::int64_t bytes_per_element = 0;
  /// Assumptions and omissions of the reader of a network file.
  std::vector<std::string> notes = {};
  workload::OperatorGraph graph;
  /// By their ids.
  std::vector<OperatorView> operators;

  std::int64_t bytes_read() const;
  std::int64_t bytes_written() const;
  /// Weights of a quantized network, and the bytes in which it stores them.
  std::pair<std::int64_t, std::int64_t> quantized() const;
  /// Multiply-accumulates for each byte read or written.
  double intensity() const;
  /// Number of operators of each kind, most frequent first.
  std::vector<std::pair<std::string_view, std::int64_t>> kinds() const;
};

/// Each operator reads its inputs and what it has learned, and writes its output: nothing stays on a chip. An embedding
/// reads the rows that it looks up. Weights of quantized networks have their own bits, all other numbers
/// `bytes_per_element`. Throws InputError if the size does not suit the model.
ModelView view_model(const workload::ModelLibrary& library, const std::string& model, const workload::InputSize& size,
                     std::int64_t bytes_per_element);

bool has_product(const workload::Operator& node);
bool has_window(const workload::Operator& node);
/// "56x56x64".
std::string shape_text(const workload::Tensor& tensor);

/// The network as JSON, with exact numbers.
std::string model_json(const ModelView& view);
/// The network as a graph of Graphviz, with a cluster for each stage and each block.
std::string model_dot(const ModelView& view);

}  // namespace pimsweep::commands
