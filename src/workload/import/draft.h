#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

using DraftId = std::size_t;

/// Operator of a network that is being imported; later passes may still merge or remove it.
struct Draft {
  Operator node;
  std::vector<DraftId> inputs;
  /// A draft that reads this one twice is listed twice.
  std::vector<DraftId> readers;
  bool is_output = false;
  bool removed = false;
};

/// Operators of a network that is being imported, in topological order.
class DraftGraph {
 public:
  /// Makes room for this many drafts.
  void reserve(std::size_t drafts);
  /// Throws InputError above a limit that bounds time and memory.
  DraftId add(Operator node, const std::vector<DraftId>& inputs);
  std::size_t size() const { return drafts_.size(); }
  Draft& operator[](DraftId id) { return drafts_[id]; }
  const Draft& operator[](DraftId id) const { return drafts_[id]; }
  Operator& node(DraftId id) { return drafts_[id].node; }
  const Operator& node(DraftId id) const { return drafts_[id].node; }

  /// True if exactly one operator reads a draft and it is not an output of the network.
  bool has_one_reader(DraftId id) const { return !drafts_[id].is_output && drafts_[id].readers.size() == 1; }
  /// Replaces a draft by another one, for its readers and as an output, and removes it.
  void replace(DraftId id, DraftId by);
  /// Makes a draft read `source` at one of its inputs.
  void redirect(DraftId reader, std::size_t input, DraftId source);
  /// Removes all inputs of a draft except number `input`.
  void keep_input(DraftId reader, std::size_t input);
  /// Removes all drafts from `first` on.
  void truncate(DraftId first);
  /// Removes all drafts that no output depends on.
  void remove_unread();
  /// Graph of the remaining drafts, with unique names.
  OperatorGraph build() &&;

 private:
  std::vector<Draft> drafts_;
};

}  // namespace pimsweep::workload::import
