#include "systems/parts/language_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/error.h"
#include "hardware/gpu/serving/expert_loads.h"

namespace pimsweep::systems::parts {

namespace {

namespace serving = hardware::gpu::serving;
using devices::OperationKind;
using hardware::gpu::Precision;
using hardware::links::Collective;
using hardware::links::CollectiveLibrary;

constexpr Numbers sheet_numbers(Precision precision) { return {.sheet = precision}; }
constexpr Numbers language_numbers(double factor_bytes, double weight_bytes) {
  return {.sheet = Precision::tensor, .is_language = true, .factor_bytes = factor_bytes, .weight_bytes = weight_bytes};
}

/// Weights in blocks of 32 values of 4 bits with an 8-bit scale (OCP Microscaling Formats 1.0, Sec. 5.2), and of 16
/// values with such a scale (NVFP4).
constexpr double mxfp4_bytes = 0.5 + 1.0 / 32;
constexpr double nvfp4_bytes = 0.5 + 1.0 / 16;

constexpr std::array numbers_words{Word{"fp32", sheet_numbers(Precision::fp32)},
                                   Word{"fp16-in/fp32-math", sheet_numbers(Precision::half_storage)},
                                   Word{"fp16-in/tensor-mixed", sheet_numbers(Precision::tensor)},
                                   Word{"int8", sheet_numbers(Precision::int8)},
                                   Word{"bf16", language_numbers(2, 2)},
                                   Word{"bfloat16", language_numbers(2, 2)},
                                   Word{"fp16", language_numbers(2, 2)},
                                   Word{"fp8", language_numbers(1, 1)},
                                   Word{"fp8_block", language_numbers(1, 1)},
                                   Word{"nvfp4", language_numbers(0.5, nvfp4_bytes)},
                                   Word{"w8a16", language_numbers(2, 1)},
                                   Word{"w4a16_mxfp4", language_numbers(2, mxfp4_bytes)}};

constexpr std::array cache_words{Word{"bf16", 2.0}, Word{"bfloat16", 2.0}, Word{"fp8", 1.0}};
constexpr std::array state_words{Word{"cold", false}, Word{"warm", true}};
constexpr std::array skew_words{Word{"balanced", 0.0}, Word{"power_law_1.01", 1.01}, Word{"power_law_1.2", 1.2}};
constexpr std::array collective_library_words{Word{"automatic", CollectiveLibrary::automatic},
                                              Word{"custom", CollectiveLibrary::custom},
                                              Word{"nccl", CollectiveLibrary::nccl}};
constexpr std::array mode_words{Word{"graph", false}, Word{"eager", true}};

/// Weights that the cache holds, or that something else has always displaced.
double working_set(const LanguageSheet& s) { return s.is_cached ? 0 : std::numeric_limits<double>::infinity(); }

serving::AttentionShape attention_of(const LanguageSheet& s) {
  return {.heads = s.heads,
          .kv_heads = s.kv_heads,
          .key_size = s.head_size,
          .value_size = s.head_size,
          .cache_bytes = 2 * s.kv_heads * s.head_size * s.cache_bytes,
          .factor_bytes = s.cache_bytes,
          .is_cached = s.is_cached};
}

double window_of(const LanguageSheet& s) { return s.window == 0 ? std::numeric_limits<double>::infinity() : s.window; }

serving::KernelTime gemm_time(const devices::Sheet& sheet, const LanguageSheet& s, const serving::Card& card) {
  return serving::dense(card, {.tokens = s.m == 0 ? sheet.m : s.m,
                               .inner = s.k == 0 ? sheet.k : s.k,
                               .columns = s.n == 0 ? sheet.n : s.n,
                               .weight_bytes = s.numbers.weight_bytes,
                               .factor_bytes = s.numbers.factor_bytes,
                               .working_set = working_set(s)});
}

/// `sequences` with one new token each, of which some are longer.
std::array<serving::SequenceGroup, 2> decodes_of(const LanguageSheet& s, double sequences) {
  return {{{sequences - s.long_decodes, std::min(s.context, window_of(s))},
           {s.long_decodes, std::min(s.long_context, window_of(s))}}};
}

serving::KernelTime decode_time(const devices::Sheet& sheet, const LanguageSheet& s, const serving::Card& card) {
  const std::array groups = decodes_of(s, sheet.batch);
  return serving::decode_attention(card, attention_of(s), std::span(groups).first(s.long_decodes > 0 ? 2 : 1));
}

serving::PrefillChunk chunk_of(const devices::Sheet& sheet, const LanguageSheet& s) {
  return {.chunk = s.tokens, .earlier = s.prefix, .sequences = sheet.batch, .window = window_of(s)};
}

serving::KernelTime mixed_time(const devices::Sheet& sheet, const LanguageSheet& s, const serving::Card& card) {
  const serving::PrefillChunk prompts = chunk_of(sheet, s);
  const std::array groups = decodes_of(s, s.decodes);
  return serving::mixed_attention(card, attention_of(s), std::span(&prompts, 1),
                                  std::span(groups).first(s.long_decodes > 0 ? 2 : 1));
}

serving::KernelTime prefill_time(const devices::Sheet& sheet, const LanguageSheet& s, const serving::Card& card) {
  return serving::prefill_attention(card, attention_of(s), chunk_of(sheet, s));
}

serving::KernelTime experts_time(const devices::Sheet& sheet, const LanguageSheet& s, const serving::Card& card) {
  const std::vector<serving::ExpertGroup> groups =
      serving::expert_loads({.tokens = s.tokens,
                             .experts = s.experts,
                             .per_token = s.top_k,
                             .ranks = s.expert_parallel,
                             .skew = std::max(s.distribution, s.expert_skew)});
  return serving::experts(card,
                          {.tokens = s.tokens,
                           .experts = s.experts,
                           .per_token = s.top_k,
                           .hidden = sheet.hidden,
                           .width = s.intermediate / s.tensor_parallel,
                           .weight_bytes = s.numbers.weight_bytes,
                           .factor_bytes = s.numbers.factor_bytes,
                           .working_set = working_set(s)},
                          groups);
}

Collective collective_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::all_gather:
      return Collective::all_gather;
    case OperationKind::reduce_scatter:
      return Collective::reduce_scatter;
    case OperationKind::all_to_all:
      return Collective::all_to_all;
    case OperationKind::send:
      return Collective::send;
    default:
      return Collective::all_reduce;
  }
}

}  // namespace

void add_axes(AxisList& axes, LanguageSheet& s) {
  axes.choice(s.numbers, "precision", numbers_words,
              "numbers as in the measured sheets, or of language models: bf16 to nvfp4, or weights of fewer bits",
              sheet_numbers(Precision::fp32));
  const auto size = [&](double& place, const char* name, const char* doc, std::int64_t value, double min = 1) {
    devices::add_size_axis(axes, place, name, doc, value, min);
  };
  size(s.m, "m", "gemm: rows of the input; 0: M", 0, 0);
  size(s.n, "n", "gemm: columns of the weights; 0: N", 0, 0);
  size(s.k, "k", "gemm: depth; 0: K", 0, 0);
  size(s.heads, "heads", "attention: query heads", 1);
  size(s.kv_heads, "kv_heads", "attention: key heads", 1);
  size(s.head_size, "head_size", "attention: values of a head", 128);
  axes.choice(s.cache_bytes, "cache_precision", cache_words, "attention: number format of the KV cache", 2.0);
  size(s.context, "context", "decode-attention, mixed-attention: tokens of each decode's sequence, with the new one",
       1);
  size(s.decodes, "decodes", "mixed-attention: sequences with one new token beside prompts", 1);
  size(s.long_decodes, "long_decodes", "decode-attention, mixed-attention: decodes of another context", 0, 0);
  size(s.long_context, "long_context", "decode-attention, mixed-attention: their tokens, with the new one", 1);
  size(s.window, "window", "attention: tokens that a query sees; 0: all", 0, 0);
  size(s.tokens, "tokens",
       "prefill-attention, mixed-attention: new tokens of each prompt; experts: tokens of the layer", 1);
  axes.kind(AxisKind::tokens);
  size(s.prefix, "prefix", "prefill-attention, mixed-attention: earlier tokens of the prompt, in the KV cache", 0, 0);
  axes.count(s.experts, "experts", 1, 65536, "experts: experts of the whole layer", 1);
  size(s.top_k, "top_k", "experts: experts of a token", 1);
  size(s.intermediate, "intermediate", "experts: width of an expert", 1);
  size(s.tensor_parallel, "tensor_parallel", "experts: GPUs that share the width", 1);
  size(s.expert_parallel, "expert_parallel", "experts: GPUs that share the experts; the most loaded one is timed", 1);
  axes.quantity(s.expert_skew, "expert_skew", "1", 0, 10,
                "experts: exponent of the power law of the loads; 0: that of distribution", 0.0);
  axes.choice(s.distribution, "distribution", skew_words, "experts: loads, equal or by a power law with its exponent",
              0.0);
  axes.choice(s.is_cached, "cache_state", state_words,
              "place of weights and KV cache: memory (cold), as in a step of a model, or the second-level cache (warm)",
              false);
  size(s.ranks, "ranks", "collectives: GPUs that take part", 2, 2);
  axes.count(s.bytes, "bytes", 1, 1e15,
             "collectives: bytes of the whole vector, for all-gather of the one received, as nccl-tests count them", 1);
  axes.choice(s.library, "library", collective_library_words,
              "all-reduce: kernels of the serving library (custom), NCCL, or the one that the serving library takes",
              CollectiveLibrary::automatic)
      .choice(s.is_eager, "mode", mode_words, "collectives: part of a CUDA graph, or launched by the host", false);
}

bool is_collective(OperationKind kind) {
  return kind == OperationKind::all_reduce || kind == OperationKind::all_gather ||
         kind == OperationKind::reduce_scatter || kind == OperationKind::all_to_all || kind == OperationKind::send;
}

namespace {

bool is_attention(OperationKind kind) {
  return kind == OperationKind::decode_attention || kind == OperationKind::prefill_attention ||
         kind == OperationKind::mixed_attention;
}

}  // namespace

bool is_language_kernel(const devices::Sheet& sheet, const LanguageSheet& s) {
  return is_collective(sheet.kind) || is_attention(sheet.kind) || sheet.kind == OperationKind::experts ||
         (sheet.kind == OperationKind::gemm && s.numbers.is_language);
}

double factor_bytes_of(const devices::Sheet& sheet, const LanguageSheet& s) {
  return is_attention(sheet.kind) ? s.cache_bytes : s.numbers.factor_bytes;
}

std::string misfit_of(const devices::Sheet& sheet, const LanguageSheet& s, const devices::ServingGpu& gpu) {
  const std::string_view kind = word_of(devices::operation_words, sheet.kind);
  if (is_collective(sheet.kind)) {
    const std::vector<std::string> missing = devices::missing_collective_constants("", gpu);
    return missing.empty() ? "" : fmt::format("kind '{}': the hardware file lacks {}", kind, missing.front());
  }
  const std::vector<std::string> missing = devices::missing_kernel_constants("", gpu);
  if (!missing.empty()) {
    return fmt::format(
        "kind '{}' with precision '{}': the hardware file lacks {} constants of kernels of language "
        "models, {} the first",
        kind, word_of(numbers_words, s.numbers), missing.size(), missing.front());
  }
  if (is_attention(sheet.kind) && (s.heads < s.kv_heads || std::fmod(s.heads, s.kv_heads) != 0)) {
    throw PointError(fmt::format("heads is {}, which is not a multiple of kv_heads, {}", s.heads, s.kv_heads));
  }
  const double decodes = sheet.kind == OperationKind::mixed_attention ? s.decodes : sheet.batch;
  if (is_attention(sheet.kind) && s.long_decodes >= decodes && s.long_decodes > 0) {
    throw PointError(fmt::format("long_decodes is {}, but there are {} decodes in all", s.long_decodes, decodes));
  }
  if (sheet.kind == OperationKind::experts && !s.numbers.is_language) {
    throw PointError(fmt::format("kind 'experts' needs a precision of language models, such as bf16, got '{}'",
                                 word_of(numbers_words, s.numbers)));
  }
  if (sheet.kind == OperationKind::experts && (s.top_k > s.experts || s.expert_parallel > s.experts)) {
    throw PointError(
        fmt::format("experts is {}, but top_k is {} and expert_parallel {}", s.experts, s.top_k, s.expert_parallel));
  }
  if (s.expert_skew > 0 && s.distribution > 0 && s.expert_skew != s.distribution) {
    throw PointError(
        fmt::format("expert_skew is {}, but distribution is '{}'", s.expert_skew, word_of(skew_words, s.distribution)));
  }
  const double bytes = factor_bytes_of(sheet, s);
  if (!gpu.card.has_factors(bytes)) {
    return fmt::format("the tensor cores do not support factors of {} bits (no hardware.sm.{} above 1)", 8 * bytes,
                       bytes < 1 ? "fp4_speedup" : "narrow_speedup");
  }
  return {};
}

serving::KernelTime time_of(const devices::Sheet& sheet, const LanguageSheet& s, const devices::ServingGpu& gpu) {
  const serving::Card& card = gpu.card;
  serving::KernelTime time;
  double error = 1;
  switch (sheet.kind) {
    case OperationKind::gemm:
      time = gemm_time(sheet, s, card);
      error = gpu.errors.gemm * gpu.errors.gemm_by_shape;
      break;
    case OperationKind::decode_attention:
      time = decode_time(sheet, s, card);
      error = gpu.errors.decode_attention;
      break;
    case OperationKind::prefill_attention:
      time = prefill_time(sheet, s, card);
      error = gpu.errors.prefill_attention;
      break;
    case OperationKind::mixed_attention:
      time = mixed_time(sheet, s, card);
      error = gpu.errors.prefill_attention;
      break;
    case OperationKind::experts:
      time = experts_time(sheet, s, card);
      error = gpu.errors.experts;
      break;
    default: {
      const double seconds =
          hardware::links::collective_time(gpu.collectives, collective_of(sheet.kind), s.library, s.ranks, s.bytes);
      return {.seconds = s.is_eager ? std::max(seconds, gpu.collectives.eager_latency) : seconds};
    }
  }
  // Whatever the error of the model, no kernel is faster than the peaks of the GPU.
  time.seconds = std::max({error * time.seconds, time.memory_bytes / card.memory_bandwidth,
                           time.operations / card.peak_rate(factor_bytes_of(sheet, s))});
  return time;
}

}  // namespace pimsweep::systems::parts
