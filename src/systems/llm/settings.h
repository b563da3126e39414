#pragma once

#include <cstdint>
#include <string_view>

#include "systems/llm/attacc/machine.h"
#include "systems/llm/cent/faults.h"
#include "systems/llm/machine.h"
#include "systems/llm/policies.h"
#include "workload/decoder/requests.h"
#include "workload/decoder/routing.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// What a point evaluates: the prompts of a batch, a step that generates tokens, such a step with a piece of another
/// prompt in it, or whole queries from prompt to last token.
enum class Phase : std::uint8_t { prefill, decode, mixed, query };
inline constexpr Words<Phase, 4> phase_words{
    {{"prefill", Phase::prefill}, {"decode", Phase::decode}, {"mixed", Phase::mixed}, {"query", Phase::query}}};

/// What becomes of a batch of queries that does not fit in memory.
enum class Queueing : std::uint8_t { refuse, queue };
inline constexpr Words<Queueing, 2> queueing_words{{{"refuse", Queueing::refuse}, {"queue", Queueing::queue}}};

/// Rules by which time and energy are counted: ours, or those of a paper's artifact, with its faults.
enum class Accounting : std::uint8_t { own, attacc_artifact, cent_artifact };
inline constexpr Words<Accounting, 3> accounting_words{{{"own", Accounting::own},
                                                        {"attacc-artifact", Accounting::attacc_artifact},
                                                        {"cent-artifact", Accounting::cent_artifact}}};

/// A fault of AttAcc's artifact that is mended (attacc::Accounting).
enum class Mended : std::uint8_t { none, softmax, moves, context_products, elements, all };
inline constexpr Words<Mended, 6> mended_words{{{"none", Mended::none},
                                                {"softmax", Mended::softmax},
                                                {"moves", Mended::moves},
                                                {"context-products", Mended::context_products},
                                                {"elements", Mended::elements},
                                                {"all", Mended::all}}};

/// What only the accounting of AttAcc's artifact knows.
struct AttaccArtifact {
  attacc::Card card;
  attacc::AttAcc pim;
  bool uses_published_clocks = true;
  Mended mended = Mended::none;
};

/// Lengths of the sequences of a batch, and how tokens choose experts.
struct Load {
  workload::decoder::Lengths lengths = workload::decoder::Lengths::equal;
  /// Standard deviation of the logarithm of drawn lengths, and their seed.
  double length_sigma = 0;
  std::int64_t length_seed = 0;
  /// Name of the table of requests.
  std::string_view length_table;
  workload::decoder::Routing routing = workload::decoder::Routing::uniform;
  double routing_exponent = 0;
  /// Name of the table of shares.
  std::string_view routing_table;
};

/// What a point says.
struct Settings {
  std::string_view model;
  Phase phase = Phase::decode;
  std::int64_t batch = 1;
  std::int64_t context = 1;
  std::int64_t new_tokens = 1;
  std::int64_t chunk = 512;
  Load load;
  Queueing queueing = Queueing::refuse;
  /// Seconds that a token may take; 0: no bound is asked for.
  double time_bound = 0;
  workload::decoder::Bits bits;
  /// 0: as many as the machine has for each stage of the pipeline.
  std::int64_t tensor_parallel = 0;
  std::int64_t pipeline_parallel = 1;
  const Policy* policy = nullptr;
  Machine machine;
  Accounting accounting = Accounting::own;
  attacc::Pipelining pipelining = attacc::Pipelining::projections;
  AttaccArtifact attacc;
  /// Those that accounting cent-artifact keeps.
  cent::Faults cent_faults = cent::artifact_faults;
  bool record_timeline = false;
};

}  // namespace pimsweep::systems::llm
