#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "commands/text_table.h"
#include "workload/training/training_library.h"

namespace pimsweep::commands {

namespace {

TextTable list_steps(const workload::training::TrainingLibrary& steps) {
  TextTable table({"step", "model", "adversary", "trained", "batch", "file"});
  for (const std::string& name : steps.names()) {
    const workload::training::TrainingStep step = steps.find(name);
    table.add({name, step.model, step.adversary, step.trains_adversary ? step.adversary : step.model,
               std::to_string(step.batch), steps.index().file_of(name)->path});
  }
  return table;
}

/// Sums over all operations of one type.
struct Total {
  workload::training::OperationType type = workload::training::OperationType::Const;
  std::int64_t invocations = 0;
  workload::training::Work work;
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::int64_t parameter_bytes = 0;
};

TextTable totals_by_type(const workload::training::TrainingGraph& graph) {
  std::map<workload::training::OperationType, Total> by_type;
  for (const workload::training::TrainingOperation& operation : graph.operations()) {
    Total& total = by_type[operation.type];
    total.type = operation.type;
    ++total.invocations;
    total.work.multiplications += operation.work.multiplications;
    total.work.additions += operation.work.additions;
    total.work.others += operation.work.others;
    total.bytes_read += operation.bytes_read;
    total.bytes_written += operation.bytes_written;
    total.parameter_bytes += operation.parameter_bytes;
  }
  std::vector<Total> totals;
  totals.reserve(by_type.size());
  for (const auto& [type, total] : by_type) totals.push_back(total);
  std::stable_sort(totals.begin(), totals.end(),
                   [](const Total& a, const Total& b) { return a.work.total() > b.work.total(); });
  TextTable table({"type", "invocations", "multiplications", "additions", "others", "bytes_read", "bytes_written",
                   "parameter_bytes"});
  for (const Total& total : totals) {
    table.add({std::string(workload::training::name_of(total.type)), std::to_string(total.invocations),
               std::to_string(total.work.multiplications), std::to_string(total.work.additions),
               std::to_string(total.work.others), std::to_string(total.bytes_read), std::to_string(total.bytes_written),
               std::to_string(total.parameter_bytes)});
  }
  return table;
}

/// Joins items with blanks.
template <typename Items>
std::string joined(const Items& items) {
  return fmt::format("{}", fmt::join(items, " "));
}

TextTable every_operation(const workload::training::TrainingGraph& graph) {
  TextTable table({"operation", "type", "name", "inputs", "outputs", "multiplications", "additions", "others",
                   "bytes_read", "bytes_written", "parameter_bytes", "after"});
  for (workload::training::OperationIndex i = 0; i < graph.size(); ++i) {
    const workload::training::TrainingOperation& operation = graph.at(i);
    std::vector<std::string> inputs;
    for (const workload::training::ValueIndex value : graph.inputs(i))
      inputs.push_back(graph.values()[value].shape.text());
    std::vector<std::string> outputs;
    for (workload::training::ValueIndex value = operation.first_output;
         value < operation.first_output + operation.outputs; ++value) {
      outputs.push_back(graph.values()[value].shape.text());
    }
    table.add({std::to_string(i), std::string(workload::training::name_of(operation.type)), graph.name(i),
               joined(inputs), joined(outputs), std::to_string(operation.work.multiplications),
               std::to_string(operation.work.additions), std::to_string(operation.work.others),
               std::to_string(operation.bytes_read), std::to_string(operation.bytes_written),
               std::to_string(operation.parameter_bytes), joined(graph.predecessors(i))});
  }
  return table;
}

}  // namespace

int training(const TrainingOptions& request, const OutputForm& form, const ConfigFolders& configs) {
  const workload::ModelLibrary models(configs.models);
  const workload::training::TrainingLibrary steps(configs.training, models);
  const auto print = [&](const TextTable& table) {
    if (form.has_text()) fmt::print("{}", table.aligned());
    write_table(table, form,
                {"batch", "operation", "invocations", "multiplications", "additions", "others", "bytes_read",
                 "bytes_written", "parameter_bytes"});
  };
  if (request.name.empty()) {
    print(list_steps(steps));
    return 0;
  }
  workload::training::TrainingStep step = steps.find(request.name);
  if (request.batch > 0) step.batch = request.batch;
  try {
    const workload::training::TrainingGraph graph = workload::training::training_graph(models, step);
    print(request.operations ? every_operation(graph) : totals_by_type(graph));
    if (form.has_text() && !request.operations) {
      const workload::training::Work work = graph.work();
      fmt::print("\n{} operations, {} parameters, batch {}: {:.6g} GFLOP\n", graph.size(), graph.parameters(),
                 step.batch, static_cast<double>(work.multiplications + work.additions) / 1e9);
    }
  } catch (const PointError& error) {
    throw InputError(fmt::format("{}: {}", request.name, error.what()));
  }
  return 0;
}

}  // namespace pimsweep::commands
