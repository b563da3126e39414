#include "driver/evaluator.h"

#include <fmt/format.h>

#include <chrono>
#include <exception>

namespace pimsweep {

namespace {

bool fits(const Metric& metric, const Value& value) {
  const ValueType type = type_of(value);
  if (metric.type == ValueType::text) return type == ValueType::text;
  return type == ValueType::real || type == ValueType::integer;
}

void make_failed(const Schema& schema, std::string message, Record& record) {
  record.reset(schema);
  record.status = Status::failed;
  record.message = std::move(message);
}

}  // namespace

std::string shape_problem(const Schema& schema, const Record& record) {
  if (record.metrics.size() != schema.metrics.size()) {
    return fmt::format("{} metrics instead of {}", record.metrics.size(), schema.metrics.size());
  }
  for (std::size_t i = 0; i < record.metrics.size(); ++i) {
    if (!fits(schema.metrics[i], record.metrics[i])) {
      return fmt::format("metric '{}' is {}", schema.metrics[i].name, name_of(type_of(record.metrics[i])));
    }
  }
  if (record.tables.size() != schema.tables.size()) {
    return fmt::format("{} tables instead of {}", record.tables.size(), schema.tables.size());
  }
  for (std::size_t i = 0; i < record.tables.size(); ++i) {
    const Table& table = schema.tables[i];
    const std::vector<Value>& cells = record.tables[i];
    if (cells.size() % table.columns.size() != 0)
      return fmt::format("table '{}' ends in an unfinished row", table.name);
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
      const Metric& column = table.columns[cell % table.columns.size()];
      const bool fit = column.type == ValueType::real ? fits(column, cells[cell]) : column.type == type_of(cells[cell]);
      if (!fit)
        return fmt::format("column '{}' of table '{}' is {}", column.name, table.name, name_of(type_of(cells[cell])));
    }
  }
  return {};
}

void evaluate_point(System& system, const Point& point, Record& record) {
  const Schema& schema = system.schema();
  record.reset(schema);
  try {
    system.evaluate(point, record);
    const std::string problem = shape_problem(schema, record);
    if (!problem.empty()) {
      make_failed(schema, fmt::format("error in system '{}': {}", schema.name, problem), record);
    } else if (record.status == Status::not_run) {
      make_failed(schema, fmt::format("error in system '{}': it gave the point no status", schema.name), record);
    }
  } catch (const std::exception& error) {
    make_failed(schema, error.what(), record);
  } catch (...) {
    make_failed(schema, "unknown exception", record);
  }
}

Evaluator::Evaluator(const Plan& plan) : plan_(plan) {
  for (const Study& study : plan.studies) {
    auto& machine = machines_[study.system()];
    if (!machine) machine = std::make_unique<Machine>(make_system(study.system(), plan.options.config_dir));
    machine_of_.push_back(machine.get());
    points_.emplace_back(machine->system->schema().axes.size());
  }
}

const Schema* Evaluator::schema_of(std::string_view system) const {
  const auto found = machines_.find(system);
  return found == machines_.end() ? nullptr : &found->second->system->schema();
}

Hash128 Evaluator::identity_of(std::size_t study, std::uint64_t index) {
  plan_.studies[study].point(index, points_[study]);
  return machine_of_[study]->hasher(points_[study]);
}

Hash128 Evaluator::identity(std::size_t study, std::uint64_t index) {
  try {
    return identity_of(study, index);
  } catch (const std::exception&) {
    // The workload itself cannot be made, so it has no content to hash. evaluate() records the failure under a name
    // that only this plan uses.
    const Hash128 plan = plan_.hash();
    return hash128(fmt::format("no workload {:016x}{:016x} {} {}", plan.high, plan.low, study, index));
  }
}

void Evaluator::evaluate(std::uint64_t index, JournalEntry& entry) {
  const auto start = std::chrono::steady_clock::now();
  const auto [study, index_in_study] = plan_.locate(index);
  entry.identity = identity(study, index_in_study);
  evaluate_point(*machine_of_[study]->system, points_[study], entry.record);
  entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace pimsweep
