#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workload/operator_graph.h"
#include "workload/parameter_reader.h"
#include "workload/vision_transformer.h"

namespace pimsweep::workload {

/// A model of one family with its parameters read: everything but the image size is fixed.
class Architecture {
 public:
  virtual ~Architecture() = default;

  /// The smallest side of a square image that leaves every stage at least one token (and one sub-sampled token).
  virtual std::int64_t smallest_image_px() const = 0;
  /// The operator graph for one image; `image_px` is at least the smallest.
  virtual OperatorGraph graph(std::int64_t image_px) const = 0;
  virtual std::vector<TransformerStage> stages(std::int64_t image_px) const = 0;
};

/// One for each family: reads its parameters (reader.finish() is the caller's).
std::unique_ptr<Architecture> read_vit(ParameterReader& reader);
std::unique_ptr<Architecture> read_pvt(ParameterReader& reader);
std::unique_ptr<Architecture> read_swin(ParameterReader& reader);
std::unique_ptr<Architecture> read_focal(ParameterReader& reader);
std::unique_ptr<Architecture> read_twins_svt(ParameterReader& reader);
std::unique_ptr<Architecture> read_cswin(ParameterReader& reader);

}  // namespace pimsweep::workload
