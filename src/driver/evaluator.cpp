#include "driver/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <stdexcept>

#include "calibrate/fit_plan.h"
#include "driver/observation.h"
#include "systems/record_check.h"

namespace pimsweep::driver {

namespace {

void make_failed(const systems::Schema& schema, std::string message, systems::Record& record) {
  record.reset(schema);
  record.status = systems::Status::failed;
  record.message = std::move(message);
}

}  // namespace

void evaluate_point(systems::System& system, const systems::Point& point, systems::Record& record) {
  const systems::Schema& schema = system.schema();
  record.reset(schema);
  try {
    system.evaluate(point, record);
    const std::string fault =
        record.status == systems::Status::not_run ? "evaluate() set no status" : systems::record_fault(schema, record);
    if (!fault.empty()) make_failed(schema, fmt::format("error in system '{}': {}", schema.name, fault), record);
  } catch (const std::exception& error) {
    make_failed(schema, error.what(), record);
  } catch (...) {
    make_failed(schema, "unknown exception", record);
  }
}

Evaluator::Evaluator(const sweep::Plan& plan) : plan_(plan) {
  std::uint64_t begin = 0;
  for (const sweep::Study& study : plan.studies) {
    auto& instance = instances_[study.system()];
    if (!instance)
      instance = std::make_unique<SystemInstance>(study.rows() != nullptr
                                                      ? calibrate::make_fit_system(study, plan.configs)
                                                      : systems::make_system(study.system(), plan.configs));
    contexts_.push_back(
        {&study, instance.get(), systems::Point(study.schema().axes.size()), begin, begin + study.size()});
    begin += study.size();
  }
}

const systems::Schema* Evaluator::schema_of(std::string_view system) const {
  const auto found = instances_.find(system);
  return found == instances_.end() ? nullptr : &found->second->system->schema();
}

const systems::Schema& Evaluator::schema_at(std::uint64_t point) const {
  return plan_.studies[plan_.locate(point).study].schema();
}

Evaluator::StudyContext& Evaluator::find_context(std::uint64_t point) {
  if (point < contexts_[last_context_].begin || point >= contexts_[last_context_].end) {
    const auto after = std::ranges::upper_bound(contexts_, point, {}, &StudyContext::begin);
    if (after == contexts_.begin() || point >= std::prev(after)->end)
      throw std::out_of_range(fmt::format("point {} of {}", point, contexts_.back().end));
    last_context_ = static_cast<std::size_t>(after - contexts_.begin()) - 1;
  }
  return contexts_[last_context_];
}

Evaluator::StudyContext& Evaluator::context_at(std::uint64_t point) {
  StudyContext& context = find_context(point);
  context.study->point(point - context.begin, context.point);
  return context;
}

Hash128 Evaluator::identity_of(SystemInstance& instance, const systems::Point& values, std::uint64_t point) {
  try {
    return instance.hasher(values);
  } catch (const std::exception&) {
    // The workload cannot be built, so it has no content to hash. evaluate() records the failure under an identity that
    // only this plan uses.
    const Hash128 plan = plan_.hash();
    return hash128(fmt::format("no workload {} {}", plan.text(), point));
  }
}

void Evaluator::observe(const journal::Entry& entry, std::string& bytes) {
  const sweep::SearchSettings* search = find_context(entry.index).study->search();
  if (search != nullptr) append_observation(observation_of(*search, entry.record), bytes);
}

Hash128 Evaluator::identity(std::uint64_t point) {
  StudyContext& context = context_at(point);
  return identity_of(*context.instance, context.point, point);
}

Hash128 Evaluator::identity(std::uint64_t point, const systems::Point& values) {
  return identity_of(*find_context(point).instance, values, point);
}

std::optional<double> Evaluator::expected_seconds(std::uint64_t point) {
  StudyContext& context = context_at(point);
  try {
    return context.instance->system->expected_seconds(context.point);
  } catch (const std::exception&) {
    return std::nullopt;  // evaluate() reports the error
  }
}

void Evaluator::evaluate(std::uint64_t point, journal::Entry& entry) {
  StudyContext& context = context_at(point);
  entry.index = point;
  entry.identity = identity_of(*context.instance, context.point, point);
  evaluate_point(*context.instance->system, context.point, entry.record);
}

}  // namespace pimsweep::driver
