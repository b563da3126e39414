#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

using DraftId = std::size_t;

/// An operator of a network that is being read; passes over the drafts may still merge or remove it.
struct Draft {
  Operator node;
  std::vector<DraftId> inputs;
  /// Each as often as it reads this draft.
  std::vector<DraftId> readers;
  bool is_output = false;
  bool removed = false;
};

/// The operators of a network that is being read, each after those that it reads.
class DraftGraph {
 public:
  /// Throws InputError beyond a bound that keeps time and memory small.
  DraftId add(Operator node, const std::vector<DraftId>& inputs);
  std::size_t size() const { return drafts_.size(); }
  Draft& operator[](DraftId id) { return drafts_[id]; }
  const Draft& operator[](DraftId id) const { return drafts_[id]; }
  Operator& node(DraftId id) { return drafts_[id].node; }
  const Operator& node(DraftId id) const { return drafts_[id].node; }

  /// Whether exactly one operator reads a draft, and nothing else does.
  bool has_one_reader(DraftId id) const { return !drafts_[id].is_output && drafts_[id].readers.size() == 1; }
  /// Gives the readers of a draft, and its place among the outputs, to another one and removes it.
  void replace(DraftId id, DraftId by);
  /// Lets a draft read `source` at one of its inputs.
  void redirect(DraftId reader, std::size_t input, DraftId source);
  /// Lets a draft read its input number `input` alone.
  void keep_input(DraftId reader, std::size_t input);
  /// Removes all drafts from `first` on.
  void truncate(DraftId first);
  /// Removes all drafts that no output depends on.
  void remove_unread();
  /// The graph of all drafts that are left, with unique names.
  OperatorGraph build() const;

 private:
  std::vector<Draft> drafts_;
};

}  // namespace pimsweep::workload::import
