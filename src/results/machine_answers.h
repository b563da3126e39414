#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/draws.h"
#include "results/judge.h"
#include "results/published.h"
#include "results/study_frames.h"

namespace pimsweep::results {

/// What a drawn machine moves.
struct Move {
  std::size_t constants = 0;
  /// By name; nothing if it moves none.
  std::optional<MovedConstant> first;
};

/// A published value on a drawn machine.
struct MachineAnswer {
  std::optional<double> number;
  Verdict verdict = Verdict::open;
};

/// Published values that are recomputed from one study of a results file, on each of its drawn machines: that of
/// `draw` 1 comes first.
struct MachineAnswers {
  StudyFrames::Place place;
  std::vector<Move> moves;
  /// By the id of the value.
  std::map<std::string, std::vector<MachineAnswer>> answers;
};

/// Recomputes those values of a set that are functions of the study of `query`. Machines are read one after another:
/// memory holds the answers and some machines.
MachineAnswers answer_on_machines(const StudyFrames::Place& place, const Query& query, const PublishedSet& set,
                                  const StudyFrames& frames);

}  // namespace pimsweep::results
