#pragma once

#include <vector>

namespace pimsweep::systems::llm::step {

/// Attention of decoding sequences on PIM beside what a GPU does, head by head: seconds of all heads together. Five
/// parts of a head follow each other, the first and the last of them on the GPU; each lane works on one head at a
/// time, in order. Prompts' attention on the GPU needs nothing of PIM.
struct HeadPipeline {
  double heads = 1;
  /// GEMMs and rotations on the GPU.
  double before = 0;
  /// From the GPU to PIM; a link sends and receives at the same time.
  double sent = 0;
  double attention = 0;
  double returned = 0;
  /// GEMMs on the GPU.
  double after = 0;
  /// Prompts' attention on the GPU, after the GEMMs before it.
  double prompts = 0;

  /// End of the last part. With lower-case letters for a head, B, S, A, R, F and P for the parts and prompts, the first
  /// head comes back after r = b + s + a + x and the last one (H - 1) max(b, s, a, x) later: the larger of r + F,
  /// B + P + F, and f after the last head.
  double time() const;
};

/// Starts of the parts of a head.
struct HeadStarts {
  double before = 0;
  double sent = 0;
  double attention = 0;
  double returned = 0;
  double after = 0;
};

/// Start times of each head, for a timeline.
std::vector<HeadStarts> head_starts(const HeadPipeline& pipeline);

}  // namespace pimsweep::systems::llm::step
