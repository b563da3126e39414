#pragma once

#include <random>

#include "systems/allspark/machine.h"
#include "workload/vision_transformer.h"

namespace pimsweep::systems::allspark {

/// Swin-B at 640 px, written out by hand from its paper (Liu et al., ICCV 2021, Table 7).
workload::VisionTransformer swin_b_640();

/// A made-up Transformer of one to four stages with plain, sub-sampled and coarse attention.
workload::VisionTransformer random_model(std::mt19937_64& random);

/// A made-up machine of the same kind.
/// The machine of Table IV with formulas at peak rates.
Machine table_iv();

Machine random_machine(std::mt19937_64& random);

}  // namespace pimsweep::systems::allspark
