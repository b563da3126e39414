#pragma once

#include <cstddef>
#include <functional>

#include "results/cells.h"
#include "results/study_groups.h"
#include "results/study_view.h"

namespace pimsweep::results {

/// Takes a block of rows of a group of StudyGroups.
using TakeBlock = std::function<void(std::size_t group, Block&& block)>;

/// Reads the points of a study once, in their order, and fills the columns of all its groups with them. Gives each
/// block away when it is full, and at the end the last one of each group, which may be empty. Holds at most one block
/// of each group. Throws what StudyView::row() and `take` throw.
void fill_blocks(StudyView& study, const StudyGroups& groups, const TakeBlock& take);

}  // namespace pimsweep::results
