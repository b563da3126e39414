// Uses of blocks by the layers of a model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "workload/layers/network_reader.h"

namespace pimsweep::workload::layers {

namespace {

/// A bound on the nesting of blocks.
constexpr int max_depth = 8;

std::string usage_of(const Block& block) {
  std::string usage = block.name;
  for (const BlockParameter& parameter : block.parameters) {
    const std::string_view form = parameter.value ? " [{} VALUE]" : " {} VALUE";
    usage += fmt::format(fmt::runtime(form), parameter.name);
  }
  return usage + " [repeat N] [first PARAMETER VALUE ...] [same_stage]";
}

std::vector<std::string> parameter_names(const Block& block) {
  std::vector<std::string> names;
  for (const BlockParameter& parameter : block.parameters) names.push_back(parameter.name);
  return names;
}

}  // namespace

bool NetworkReader::recurs(const Block& block, const Statement& statement, const Scope& scope) {
  std::vector<std::string> path{block.name};
  for (const Scope* outer = &scope; outer != nullptr && outer->block != nullptr; outer = outer->outer) {
    path.insert(path.begin(), outer->block->name);
    if (outer->block == &block) {
      reporter_.problem(statement.sentence, statement.begin,
                        fmt::format("a block cannot use itself: {}", fmt::join(path, " > ")));
      return true;
    }
  }
  if (static_cast<int>(path.size()) <= max_depth) return false;
  reporter_.problem(statement.sentence, statement.begin, fmt::format("blocks are nested deeper than {}", max_depth));
  return true;
}

NetworkReader::Call NetworkReader::read_call(const Block& block, const Statement& statement, const Scope& scope) {
  Call call;
  bool is_first = false;
  const std::vector<std::string> known = parameter_names(block);
  for (std::size_t i = statement.begin + 1; i < statement.end; ++i) {
    const std::string& name = statement.words[i].text;
    if (name == "first") {
      is_first = true;
      continue;
    }
    if (name == "same_stage") {
      call.same_stage = true;
      if (scope.block != nullptr) reporter_.problem(statement.sentence, i, "blocks within blocks have no stages");
      continue;
    }
    const bool repeat = name == "repeat";
    if (!repeat && std::ranges::find(known, name) == known.end()) {
      reporter_.problem(statement.sentence, i,
                        fmt::format("'{}' is not a parameter of block '{}'{}; write {}", name, block.name,
                                    suggestion(name, known), usage_of(block)));
      ++i;
      continue;
    }
    if (++i >= statement.end) {
      reporter_.problem(statement.sentence, i,
                        fmt::format("'{}' is missing its value; write {}", name, usage_of(block)));
      if (!repeat) call.arguments[name] = {"", 0, false};
      break;
    }
    const Word& value = statement.words[i];
    if (!repeat) {
      auto& arguments = is_first ? call.first : call.arguments;
      if (!arguments.emplace(name, value).second) {
        reporter_.problem(statement.sentence, i - 1, fmt::format("'{}' is given twice", name));
      }
      continue;
    }
    if (call.repeats) reporter_.problem(statement.sentence, i - 1, "'repeat' is given twice");
    const auto number = integer_of(value.text, {1, 1000000});
    if (!number && value.is_known) {
      reporter_.problem(statement.sentence, i, fmt::format("'{}' is not a 'repeat' from 1 to 1000000", value.text));
    }
    call.repeats = true;
    call.repeat = number.value_or(1);
  }
  return call;
}

std::map<std::string, Word, std::less<>> NetworkReader::arguments_of(const Block& block, const Statement& statement,
                                                                     const Call& call, bool is_first) {
  std::map<std::string, Word, std::less<>> arguments;
  for (const BlockParameter& parameter : block.parameters) {
    const auto given = call.arguments.find(parameter.name);
    const auto first = call.first.find(parameter.name);
    if (is_first && first != call.first.end()) {
      arguments[parameter.name] = first->second;
    } else if (given != call.arguments.end()) {
      arguments[parameter.name] = given->second;
    } else if (parameter.value) {
      arguments[parameter.name] = {*parameter.value, 0};
    } else {
      reporter_.problem(
          statement.sentence, statement.begin,
          fmt::format("'{}' is missing its parameter '{}'; write {}", block.name, parameter.name, usage_of(block)));
      arguments[parameter.name] = {"", 0, false};
    }
  }
  return arguments;
}

std::size_t NetworkReader::enter(const Statement& statement, const Call& call, const Scope& scope,
                                 const std::string& name, std::int64_t number) {
  Place place = network_.places[scope.place];
  if (scope.block == nullptr) {
    place = {stage_, ++blocks_of_stage_, ""};
    if (statement.name.empty()) place.prefix = fmt::format("stage{}.block{}.", place.stage, place.block);
  }
  if (scope.block != nullptr || !statement.name.empty()) {
    place.prefix += name + ".";
    if (call.repeats) place.prefix += fmt::format("block{}.", number);
  }
  network_.places.push_back(std::move(place));
  return network_.places.size() - 1;
}

void NetworkReader::read_use(const Block& block, const Statement& statement, Scope& scope, const std::string& name) {
  const Call call = read_call(block, statement, scope);
  auto sources = sources_of(statement, block.inputs.size(), block.inputs.size(), scope);
  if (!sources || recurs(block, statement, scope)) return place_unknown(scope);
  if (scope.block == nullptr && !(call.same_stage && stage_ > 0)) {
    ++stage_;
    blocks_of_stage_ = 0;
  }
  for (std::int64_t number = 1; number <= call.repeat && !is_stopped(); ++number) {
    Scope inner;
    inner.block = &block;
    inner.outer = &scope;
    inner.arguments = arguments_of(block, statement, call, number == 1);
    for (std::size_t i = 0; i < block.inputs.size(); ++i) inner.layers[block.inputs[i]] = (*sources)[i];
    inner.previous = sources->front();
    inner.place = enter(statement, call, scope, name, number);
    read_all(block.layers, inner);
    sources->front() = inner.previous;
  }
  scope.previous = sources->front();
}

}  // namespace pimsweep::workload::layers
