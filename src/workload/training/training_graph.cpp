#include "workload/training/training_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace pimsweep::workload::training {

Shape::Shape(std::initializer_list<std::int64_t> extents) : rank_(static_cast<std::uint32_t>(extents.size())) {
  if (extents.size() > extents_.size()) throw std::logic_error("a tensor has four extents at most");
  std::copy(extents.begin(), extents.end(), extents_.begin());
}

std::int64_t Shape::elements() const {
  return std::accumulate(extents_.begin(), extents_.begin() + rank_, std::int64_t{1}, std::multiplies<>());
}

std::string Shape::text() const {
  return fmt::format("({})", fmt::join(extents_.begin(), extents_.begin() + rank_, ","));
}

std::span<const ValueIndex> TrainingGraph::inputs(OperationIndex operation) const {
  return std::span(inputs_).subspan(operations_[operation].first_input, operations_[operation].inputs);
}

std::span<const OperationIndex> TrainingGraph::predecessors(OperationIndex operation) const {
  const std::uint32_t begin = predecessor_begin_[operation];
  return std::span(predecessors_).subspan(begin, predecessor_begin_[operation + 1] - begin);
}

std::span<const OperationIndex> TrainingGraph::successors(OperationIndex operation) const {
  const std::uint32_t begin = successor_begin_[operation];
  return std::span(successors_).subspan(begin, successor_begin_[operation + 1] - begin);
}

std::size_t TrainingGraph::count(OperationType type) const {
  return static_cast<std::size_t>(std::count_if(operations_.begin(), operations_.end(),
                                                [&](const TrainingOperation& o) { return o.type == type; }));
}

Work TrainingGraph::work() const {
  Work sum;
  for (const TrainingOperation& operation : operations_) {
    sum.multiplications += operation.work.multiplications;
    sum.additions += operation.work.additions;
    sum.others += operation.work.others;
  }
  return sum;
}

ValueIndex TrainingGraphBuilder::add(TrainingOperation operation, std::string name, std::span<const ValueIndex> inputs,
                                     std::span<const Shape> outputs, std::span<const OperationIndex> after) {
  const auto index = static_cast<OperationIndex>(graph_.size());
  operation.first_input = static_cast<std::uint32_t>(graph_.inputs_.size());
  operation.inputs = static_cast<std::uint32_t>(inputs.size());
  operation.first_output = static_cast<ValueIndex>(graph_.values_.size());
  operation.outputs = static_cast<std::uint32_t>(outputs.size());
  const auto first = static_cast<std::ptrdiff_t>(graph_.predecessors_.size());
  graph_.predecessor_begin_.push_back(static_cast<std::uint32_t>(first));
  for (const ValueIndex input : inputs) graph_.predecessors_.push_back(graph_.values_.at(input).producer);
  graph_.predecessors_.insert(graph_.predecessors_.end(), after.begin(), after.end());
  std::sort(graph_.predecessors_.begin() + first, graph_.predecessors_.end());
  graph_.predecessors_.erase(std::unique(graph_.predecessors_.begin() + first, graph_.predecessors_.end()),
                             graph_.predecessors_.end());
  if (std::ssize(graph_.predecessors_) > first && graph_.predecessors_.back() >= index) {
    throw std::logic_error(fmt::format("operation {} waits for a later one", name));
  }
  graph_.inputs_.insert(graph_.inputs_.end(), inputs.begin(), inputs.end());
  for (const Shape& shape : outputs) graph_.values_.push_back({index, shape});
  graph_.operations_.push_back(operation);
  graph_.names_.push_back(std::move(name));
  return operation.first_output;
}

TrainingGraph TrainingGraphBuilder::finish(std::int64_t parameters) {
  const std::size_t size = graph_.size();
  graph_.parameters_ = parameters;
  graph_.predecessor_begin_.push_back(static_cast<std::uint32_t>(graph_.predecessors_.size()));
  graph_.successor_begin_.assign(size + 1, 0);
  for (const OperationIndex before : graph_.predecessors_) ++graph_.successor_begin_[before + 1];
  std::partial_sum(graph_.successor_begin_.begin(), graph_.successor_begin_.end(), graph_.successor_begin_.begin());
  graph_.successors_.resize(graph_.predecessors_.size());
  std::vector<std::uint32_t> next(graph_.successor_begin_.begin(), graph_.successor_begin_.end() - 1);
  for (OperationIndex operation = 0; operation < size; ++operation) {
    for (const OperationIndex before : graph_.predecessors(operation)) graph_.successors_[next[before]++] = operation;
  }
  return std::move(graph_);
}

}  // namespace pimsweep::workload::training
