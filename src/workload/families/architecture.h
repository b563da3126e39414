#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "workload/decoder/decoder.h"
#include "workload/operator_graph.h"
#include "workload/parameter_reader.h"
#include "workload/vision_transformer.h"

namespace pimsweep::workload::families {

/// Larger than any useful image, but small enough for squared token counts to fit into 64 bits.
constexpr std::int64_t max_image_px = 16384;

/// A model of one family, in which only the input size is variable: the side of a square image in pixels or, for
/// language models, the number of tokens.
class Architecture {
 public:
  virtual ~Architecture() = default;

  /// The smallest input size that leaves every layer at least one position, and every stage of a Transformer at least
  /// one token and one sub-sampled token.
  virtual std::int64_t min_input_size() const = 0;
  virtual std::int64_t max_input_size() const { return max_image_px; }
  /// The operator graph for one image; `image_px` must be between the smallest and the largest size. Throws
  /// OverflowError if the counts do not fit in 64 bits.
  virtual OperatorGraph graph(std::int64_t image_px) const = 0;
};

/// The encoder of a Transformer, which can also be reduced to stages and branches.
class TransformerArchitecture : public Architecture {
 public:
  virtual std::vector<TransformerStage> stages(std::int64_t image_px) const = 0;
};

/// A language model that generates tokens. Its graph is that of one sequence, after the context of its file if any.
class DecoderArchitecture : public Architecture {
 public:
  virtual const decoder::Decoder& decoder() const = 0;
};

/// Each reads the parameters of a model of one family. The caller calls reader.finish().
std::unique_ptr<Architecture> read_vit(ParameterReader& reader);
std::unique_ptr<Architecture> read_pvt(ParameterReader& reader);
std::unique_ptr<Architecture> read_swin(ParameterReader& reader);
std::unique_ptr<Architecture> read_focal(ParameterReader& reader);
std::unique_ptr<Architecture> read_twins_svt(ParameterReader& reader);
std::unique_ptr<Architecture> read_cswin(ParameterReader& reader);
std::unique_ptr<Architecture> read_layer_network(ParameterReader& reader);
std::unique_ptr<Architecture> read_bert(ParameterReader& reader);
std::unique_ptr<Architecture> read_decoder(ParameterReader& reader);
std::unique_ptr<Architecture> read_lstm(ParameterReader& reader);
std::unique_ptr<Architecture> read_conditional_dcgan(ParameterReader& reader);

}  // namespace pimsweep::workload::families
