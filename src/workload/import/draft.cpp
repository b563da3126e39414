#include "workload/import/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "base/downward.h"
#include "base/error.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::size_t max_drafts = 100'000;

/// Searches from the end: drafts are mostly removed last to first, and later readers are listed last.
void erase_one(std::vector<DraftId>& ids, DraftId id) {
  const auto found = std::find(ids.rbegin(), ids.rend(), id);
  if (found != ids.rend()) ids.erase(std::next(found).base());
}

}  // namespace

void DraftGraph::reserve(std::size_t drafts) { drafts_.reserve(std::min(drafts, max_drafts)); }

DraftId DraftGraph::add(Operator node, const std::vector<DraftId>& inputs) {
  const DraftId id = drafts_.size();
  if (id >= max_drafts) throw InputError(fmt::format("the network has more than {} operators", max_drafts));
  for (const DraftId input : inputs) drafts_[input].readers.push_back(id);
  drafts_.push_back({std::move(node), inputs, {}, false, false});
  return id;
}

void DraftGraph::replace(DraftId id, DraftId by) {
  Draft& old = drafts_[id];
  for (const DraftId input : old.inputs) erase_one(drafts_[input].readers, id);
  for (const DraftId reader : old.readers) {
    std::replace(drafts_[reader].inputs.begin(), drafts_[reader].inputs.end(), id, by);
    drafts_[by].readers.push_back(reader);
  }
  drafts_[by].is_output = drafts_[by].is_output || old.is_output;
  old = {};
  old.removed = true;
}

void DraftGraph::redirect(DraftId reader, std::size_t input, DraftId source) {
  erase_one(drafts_[drafts_[reader].inputs[input]].readers, reader);
  drafts_[reader].inputs[input] = source;
  drafts_[source].readers.push_back(reader);
}

void DraftGraph::keep_input(DraftId reader, std::size_t input) {
  std::vector<DraftId>& inputs = drafts_[reader].inputs;
  const DraftId kept = inputs[input];
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (i != input) erase_one(drafts_[inputs[i]].readers, reader);
  }
  inputs = {kept};
}

void DraftGraph::truncate(DraftId first) {
  while (drafts_.size() > first) {
    const DraftId id = drafts_.size() - 1;
    for (const DraftId input : drafts_[id].inputs) erase_one(drafts_[input].readers, id);
    drafts_.pop_back();
  }
}

void DraftGraph::remove_unread() {
  for (const DraftId id : downward(drafts_.size())) {
    Draft& draft = drafts_[id];
    if (draft.removed || draft.is_output || !draft.readers.empty()) continue;
    for (const DraftId input : draft.inputs) erase_one(drafts_[input].readers, id);
    draft = {};
    draft.removed = true;
  }
}

OperatorGraph DraftGraph::build() && {
  OperatorGraph graph;
  graph.reserve(drafts_.size());
  std::vector<OperatorId> ids(drafts_.size());
  std::unordered_map<std::string, int> uses;
  uses.reserve(drafts_.size());
  for (DraftId id = 0; id < drafts_.size(); ++id) {
    if (drafts_[id].removed) continue;
    Operator& node = drafts_[id].node;
    if (int use = ++uses[node.name]; use > 1) {
      std::string name = fmt::format("{}.{}", node.name, use);
      while (++uses[name] > 1) name = fmt::format("{}.{}", node.name, ++use);
      node.name = std::move(name);
    }
    std::vector<OperatorId> inputs;
    inputs.reserve(drafts_[id].inputs.size());
    for (const DraftId input : drafts_[id].inputs) inputs.push_back(ids[input]);
    ids[id] = graph.add(std::move(node), inputs);
  }
  return graph;
}

}  // namespace pimsweep::workload::import
