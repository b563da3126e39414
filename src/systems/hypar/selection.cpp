#include "systems/hypar/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <sstream>

#include "base/error.h"

namespace pimsweep::systems::hypar {

namespace {

std::vector<std::string> items_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> items;
  for (std::string item; stream >> item;) items.push_back(std::move(item));
  return items;
}

/// "H2" to 2; nothing if the word is not a level of the array.
std::optional<int> level_named(std::string_view word, int levels) {
  int level = 0;
  if (word.size() < 2 || word[0] != 'H') return {};
  const auto [end, error] = std::from_chars(word.data() + 1, word.data() + word.size(), level);
  if (error != std::errc{} || end != word.data() + word.size() || level < 1 || level > levels) return {};
  return level;
}

std::vector<std::size_t> layer_nodes(const workload::TrainingNetwork& network) {
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < network.nodes.size(); ++node) {
    if (network.nodes[node].is_layer()) nodes.push_back(node);
  }
  return nodes;
}

[[noreturn]] void throw_unknown(std::string_view axis, const std::string& word,
                                const workload::TrainingNetwork& network, int levels) {
  std::vector<std::string> names;
  for (int level = 1; level <= levels; ++level) names.push_back(fmt::format("H{}", level));
  for (const std::size_t node : layer_nodes(network)) names.push_back(network.nodes[node].name);
  throw PointError(fmt::format("{}: unknown layer or level '{}'{}; allowed are {}", axis, word, suggestion(word, names),
                               fmt::join(names, ", ")));
}

std::optional<std::size_t> layer_named(std::string_view word, const workload::TrainingNetwork& network) {
  for (const std::size_t node : layer_nodes(network)) {
    if (network.nodes[node].name == word) return node;
  }
  return {};
}

void check_bits(const std::string& item, std::string_view bits, std::size_t wanted, std::string_view of_what) {
  if (bits.size() != wanted || bits.find_first_not_of("01") != std::string_view::npos) {
    throw PointError(fmt::format("overrides: '{}': expected {} digits 0 (data) or 1 (model) after '=', one for each {}",
                                 item, wanted, of_what));
  }
}

void set_level(search::State& state, int level, bool model) {
  const search::State bit = search::State{1} << (level - 1);
  state = model ? state | bit : state & ~bit;
}

}  // namespace

void override_states(std::string_view text, const workload::TrainingNetwork& network, int levels,
                     search::Assignment& assignment) {
  for (const std::string& item : items_of(text)) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) {
      throw PointError(fmt::format("overrides: '{}' is not LAYER=BITS or LEVEL=BITS, as in fc1=0011 or H2=0110", item));
    }
    const std::string word = item.substr(0, equals);
    const std::string_view bits = std::string_view(item).substr(equals + 1);
    if (const auto level = level_named(word, levels)) {
      const std::vector<std::size_t> nodes = layer_nodes(network);
      check_bits(item, bits, nodes.size(), "layer");
      for (std::size_t i = 0; i < nodes.size(); ++i) set_level(assignment[nodes[i]], *level, bits[i] == '1');
    } else if (const auto node = layer_named(word, network)) {
      check_bits(item, bits, static_cast<std::size_t>(levels), "level");
      for (int l = 1; l <= levels; ++l) set_level(assignment[*node], l, bits[static_cast<std::size_t>(l - 1)] == '1');
    } else {
      throw_unknown("overrides", word, network, levels);
    }
  }
}

std::vector<double> forbidden_states(std::string_view text, const workload::TrainingNetwork& network, int levels,
                                     const search::Assignment& fixed) {
  const std::vector<std::string> items = items_of(text);
  if (items.empty()) return {};
  std::vector<search::State> free(network.nodes.size(), 0);
  for (const std::string& word : items) {
    if (const auto level = level_named(word, levels)) {
      for (search::State& bits : free) set_level(bits, *level, true);
    } else if (const auto node = layer_named(word, network)) {
      free[*node] = search::all_model(levels);
    } else {
      throw_unknown("free", word, network, levels);
    }
  }
  const std::size_t states = search::state_count(levels);
  std::vector<double> forbidden(network.nodes.size() * states, 0);
  for (std::size_t node = 0; node < network.nodes.size(); ++node) {
    for (search::State state = 0; state < states; ++state) {
      if (((state ^ fixed[node]) & ~free[node]) != 0) {
        forbidden[node * states + state] = std::numeric_limits<double>::infinity();
      }
    }
  }
  return forbidden;
}

}  // namespace pimsweep::systems::hypar
