#include "systems/heteropim/cache_traffic.h"

#include <algorithm>
#include <list>
#include <optional>

namespace pimsweep::systems::heteropim {

namespace {

using workload::training::OperationIndex;
using workload::training::ValueIndex;

/// Tensors, the most recently used one first.
class TensorCache {
 public:
  TensorCache(const workload::training::TrainingGraph& graph, double capacity, std::vector<double>& traffic)
      : capacity_(capacity), traffic_(traffic), held_(graph.values().size()) {}

  /// `bytes` is the part of the tensor that the operation reads.
  void read(OperationIndex reader, ValueIndex value, double bytes) {
    if (held_[value]) {
      tensors_.splice(tensors_.begin(), tensors_, *held_[value]);
      return;
    }
    traffic_[reader] += bytes;
    hold(value, bytes, std::nullopt);
  }

  void write(OperationIndex writer, ValueIndex value, double bytes) {
    if (held_[value]) drop(*held_[value], false);
    if (!hold(value, bytes, writer)) traffic_[writer] += bytes;
  }

 private:
  struct Tensor {
    ValueIndex value;
    double bytes;
    /// The operation that pays for writing the tensor back.
    std::optional<OperationIndex> writer;
  };
  using Place = std::list<Tensor>::iterator;

  bool hold(ValueIndex value, double bytes, std::optional<OperationIndex> writer) {
    if (bytes > capacity_) return false;
    tensors_.push_front({value, bytes, writer});
    held_[value] = tensors_.begin();
    used_ += bytes;
    while (used_ > capacity_) drop(std::prev(tensors_.end()), true);
    return true;
  }

  void drop(Place tensor, bool write_back) {
    if (write_back && tensor->writer) traffic_[*tensor->writer] += tensor->bytes;
    used_ -= tensor->bytes;
    held_[tensor->value].reset();
    tensors_.erase(tensor);
  }

  double capacity_;
  std::vector<double>& traffic_;
  std::vector<std::optional<Place>> held_;
  std::list<Tensor> tensors_;
  double used_ = 0;
};

}  // namespace

std::vector<double> cache_traffic(const workload::training::TrainingGraph& graph, double capacity) {
  std::vector<double> traffic(graph.size());
  TensorCache cache(graph, capacity, traffic);
  // A view shares the memory of the input.
  std::vector<ValueIndex> memory_of(graph.values().size());
  for (ValueIndex value = 0; value < memory_of.size(); ++value) memory_of[value] = value;
  for (OperationIndex i = 0; i < graph.size(); ++i) {
    const workload::training::TrainingOperation& operation = graph.at(i);
    const auto inputs = graph.inputs(i);
    if (workload::training::is_view(operation.type)) {
      memory_of[operation.first_output] = memory_of[inputs[0]];
      continue;
    }
    if (workload::training::is_source(operation.type)) continue;
    double named = 0;
    for (const ValueIndex value : inputs) named += static_cast<double>(graph.values()[value].bytes());
    // Slices and rows of tables are less than the whole tensors.
    const double share = named > 0 ? std::min(1.0, static_cast<double>(operation.bytes_read) / named) : 0;
    for (const ValueIndex value : inputs) {
      cache.read(i, memory_of[value], share * static_cast<double>(graph.values()[value].bytes()));
    }
    if (workload::training::is_update(operation.type)) {
      for (const ValueIndex value : inputs) {
        const bool variable =
            graph.at(graph.values()[value].producer).type == workload::training::OperationType::VariableV2;
        if (variable) cache.write(i, memory_of[value], share * static_cast<double>(graph.values()[value].bytes()));
      }
      continue;
    }
    for (ValueIndex value = operation.first_output; value < operation.first_output + operation.outputs; ++value) {
      cache.write(i, value, static_cast<double>(graph.values()[value].bytes()));
    }
  }
  return traffic;
}

}  // namespace pimsweep::systems::heteropim
