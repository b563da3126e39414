// Parameters of the networks of Hugging Face configurations against layer arithmetic and published counts, and refusals
// of configurations with layers that are not modeled.
#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "workload/decoder/parameters.h"
#include "workload/import/formats.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;

Model read(const std::string& text) { return import::read_json_network(text, {"config.json", "", {}}); }

Model read_type(const std::string& type, const std::string& keys) {
  return read("{\"model_type\": \"" + type + "\", " + keys + "}");
}

const decoder::Decoder& decoder_of(const Model& model) {
  return dynamic_cast<const families::DecoderArchitecture&>(*model.architecture).decoder();
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// Elements of a matrix, or of a table with a row for each token or position.
constexpr std::int64_t matrix(std::int64_t inputs, std::int64_t outputs) { return inputs * outputs; }

/// Projections of queries, keys, values and of the output, without biases.
constexpr std::int64_t attention_weights(std::int64_t hidden, std::int64_t heads, std::int64_t kv_heads,
                                         std::int64_t head_size) {
  return hidden * head_size * 2 * (heads + kv_heads);
}

/// Gate, up and down projection, without biases.
constexpr std::int64_t gated_weights(std::int64_t hidden, std::int64_t width) { return 3 * hidden * width; }

/// Latent attention with DeepSeek's sizes (a cached vector of 512 elements, heads of 128 and 64 rotated ones) and its
/// norms; a query rank of 0 stands for queries that are projected from the token.
constexpr std::int64_t latent_attention_weights(std::int64_t hidden, std::int64_t heads, std::int64_t query_rank) {
  const std::int64_t queries =
      query_rank == 0 ? hidden * heads * 192 : hidden * query_rank + query_rank + query_rank * heads * 192;
  return queries + hidden * (512 + 64) + 512 + 512 * heads * (128 + 128) + heads * 128 * hidden;
}

struct Checkpoint {
  std::string name;
  std::string type;
  std::string keys;
  /// The sum over the layers of the public modeling code with the sizes of the repository's config.json: embedding and
  /// head, blocks (matrices, biases, norms), last norm. Buffers are not counted.
  std::int64_t parameters;
  /// The total in public records of the model: its card, its safetensors metadata, or the log of a program that loads
  /// it. 0 if none was found.
  std::int64_t published = 0;
};

const Checkpoint checkpoints[] = {
    {"baichuan-inc/Baichuan2-7B-Base", "baichuan", R"("vocab_size": 125696, "max_position_embeddings": 4096)",
     2 * matrix(125696, 4096) + 32 * (attention_weights(4096, 32, 32, 128) + gated_weights(4096, 11008) + 2 * 4096) +
         4096},
    {"baichuan-inc/Baichuan2-13B-Base", "baichuan",
     R"("vocab_size": 125696, "model_max_length": 4096, "hidden_size": 5120, "num_hidden_layers": 40,
        "num_attention_heads": 40, "intermediate_size": 13696)",
     2 * matrix(125696, 5120) + 40 * (attention_weights(5120, 40, 40, 128) + gated_weights(5120, 13696) + 2 * 5120) +
         5120},
    {"bigscience/bloom-560m", "bloom", R"("n_embed": 1024, "n_layer": 24, "num_attention_heads": 16)",
     matrix(250880, 1024) + 2 * 1024 + 24 * (attention_weights(1024, 16, 16, 64) + 2 * matrix(1024, 4096) + 13 * 1024) +
         2 * 1024,
     559'214'592},
    {"bigscience/bloom", "bloom", R"("n_embed": 14336, "n_layer": 70, "num_attention_heads": 112)",
     matrix(250880, 14336) + 2 * 14336 +
         70 * (attention_weights(14336, 112, 112, 128) + 2 * matrix(14336, 57344) + 13 * 14336) + 2 * 14336,
     176'247'271'424},
    {"THUDM/chatglm3-6b", "chatglm",
     R"("add_bias_linear": false, "add_qkv_bias": true, "multi_query_attention": true, "multi_query_group_num": 2,
        "seq_length": 8192, "tie_word_embeddings": false)",
     2 * matrix(65024, 4096) +
         28 * (attention_weights(4096, 32, 2, 128) + 36 * 128 + gated_weights(4096, 13696) + 2 * 4096) + 4096,
     6'243'584'000},
    {"CohereForAI/c4ai-command-r-v01", "cohere", R"("max_position_embeddings": 131072)",
     matrix(256000, 8192) + 40 * (attention_weights(8192, 64, 64, 128) + gated_weights(8192, 22528) + 8192) + 8192},
    {"CohereForAI/c4ai-command-r-plus", "cohere",
     R"("hidden_size": 12288, "num_attention_heads": 96, "num_key_value_heads": 8, "num_hidden_layers": 64,
        "intermediate_size": 33792, "use_qk_norm": true)",
     matrix(256000, 12288) +
         64 * (attention_weights(12288, 96, 8, 128) + 104 * 128 + gated_weights(12288, 33792) + 12288) + 12288},
    {"deepseek-ai/deepseek-moe-16b-base", "deepseek",
     R"("hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "num_hidden_layers": 28, "num_attention_heads": 16,
        "num_key_value_heads": 16, "first_k_dense_replace": 1)",
     2 * matrix(102400, 2048) + 28 * (attention_weights(2048, 16, 16, 128) + 2 * 2048) + 2048 +
         gated_weights(2048, 10944) + 27 * (66 * gated_weights(2048, 1408) + matrix(64, 2048)),
     16'375'728'128},
    {"deepseek-ai/DeepSeek-V2", "deepseek_v2",
     R"("hidden_size": 5120, "intermediate_size": 12288, "moe_intermediate_size": 1536, "n_routed_experts": 160,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "num_hidden_layers": 60, "num_attention_heads": 128,
        "num_key_value_heads": 128, "first_k_dense_replace": 1)",
     2 * matrix(102400, 5120) + 60 * (latent_attention_weights(5120, 128, 1536) + 2 * 5120) + 5120 +
         gated_weights(5120, 12288) + 59 * (162 * gated_weights(5120, 1536) + matrix(160, 5120)),
     235'741'434'880},
    {"deepseek-ai/DeepSeek-V2-Lite", "deepseek_v2",
     R"("hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "num_hidden_layers": 27, "num_attention_heads": 16,
        "num_key_value_heads": 16, "first_k_dense_replace": 1, "q_lora_rank": null)",
     2 * matrix(102400, 2048) + 27 * (latent_attention_weights(2048, 16, 0) + 2 * 2048) + 2048 +
         gated_weights(2048, 10944) + 26 * (66 * gated_weights(2048, 1408) + matrix(64, 2048)),
     15'706'484'224},
    {"tiiuae/falcon-7b", "falcon", R"("hidden_size": 4544)",
     matrix(65024, 4544) + 32 * (attention_weights(4544, 71, 1, 64) + 2 * matrix(4544, 18176) + 2 * 4544) + 2 * 4544},
    {"tiiuae/falcon-40b", "falcon",
     R"("hidden_size": 8192, "num_attention_heads": 128, "num_hidden_layers": 60, "num_kv_heads": 8,
        "new_decoder_architecture": true)",
     matrix(65024, 8192) + 60 * (attention_weights(8192, 128, 8, 64) + 2 * matrix(8192, 32768) + 4 * 8192) + 2 * 8192},
    {"google/gemma-2-2b", "gemma2", R"("hidden_activation": "gelu_pytorch_tanh")",
     matrix(256000, 2304) + 26 * (attention_weights(2304, 8, 4, 256) + gated_weights(2304, 9216) + 4 * 2304) + 2304,
     2'614'341'888},
    {"google/gemma-2-9b", "gemma2",
     R"("hidden_size": 3584, "intermediate_size": 14336, "num_attention_heads": 16, "num_hidden_layers": 42,
        "num_key_value_heads": 8)",
     matrix(256000, 3584) + 42 * (attention_weights(3584, 16, 8, 256) + gated_weights(3584, 14336) + 4 * 3584) + 3584,
     9'241'705'984},
    {"google/gemma-3-1b-pt", "gemma3_text",
     R"("vocab_size": 262144, "hidden_size": 1152, "intermediate_size": 6912, "num_attention_heads": 4,
        "num_hidden_layers": 26, "num_key_value_heads": 1, "sliding_window": 512, "sliding_window_pattern": 6)",
     matrix(262144, 1152) + 26 * (attention_weights(1152, 4, 1, 256) + gated_weights(1152, 6912) + 4 * 1152 + 2 * 256) +
         1152,
     999'885'952},
    {"bigcode/starcoder", "gpt_bigcode",
     R"("vocab_size": 49152, "n_embd": 6144, "n_head": 48, "n_inner": 24576, "n_layer": 40, "n_positions": 8192)",
     matrix(49152, 6144) + matrix(8192, 6144) +
         40 * (attention_weights(6144, 48, 1, 128) + 50 * 128 + 6144 + 2 * matrix(6144, 24576) + 24576 + 6144 +
               4 * 6144) +
         2 * 6144,
     15'517'456'384},
    {"EleutherAI/gpt-neox-20b", "gpt_neox", R"("rotary_pct": 0.25)",
     2 * matrix(50432, 6144) + 44 * (attention_weights(6144, 64, 64, 96) + 2 * matrix(6144, 24576) + 13 * 6144) +
         2 * 6144,
     20'554'567'680},
    {"EleutherAI/pythia-12b", "gpt_neox",
     R"("vocab_size": 50688, "hidden_size": 5120, "intermediate_size": 20480, "num_attention_heads": 40,
        "num_hidden_layers": 36)",
     2 * matrix(50688, 5120) + 36 * (attention_weights(5120, 40, 40, 128) + 2 * matrix(5120, 20480) + 13 * 5120) +
         2 * 5120,
     11'846'072'320},
    {"openai/gpt-oss-20b", "gpt_oss", R"("num_hidden_layers": 24, "num_local_experts": 32)",
     2 * matrix(201088, 2880) +
         24 * (attention_weights(2880, 64, 8, 64) + 80 * 64 + 2880 + 64 + 2 * 2880 + matrix(2881, 32) +
               32 * (gated_weights(2880, 2880) + 3 * 2880)) +
         2880,
     20'914'757'184},
    {"openai/gpt-oss-120b", "gpt_oss", R"("experts_per_token": 4)",
     2 * matrix(201088, 2880) +
         36 * (attention_weights(2880, 64, 8, 64) + 80 * 64 + 2880 + 64 + 2 * 2880 + matrix(2881, 128) +
               128 * (gated_weights(2880, 2880) + 3 * 2880)) +
         2880,
     116'829'156'672},
    {"EleutherAI/gpt-j-6b", "gptj", R"("rotary_dim": 64)",
     2 * matrix(50400, 4096) + 50400 +
         28 * (attention_weights(4096, 16, 16, 256) + 2 * matrix(4096, 16384) + 5 * 4096 + 2 * 4096) + 2 * 4096,
     6'050'882'784},
    {"ibm-granite/granite-3.0-8b-base", "granite",
     R"("vocab_size": 49152, "hidden_size": 4096, "intermediate_size": 12800, "num_hidden_layers": 40,
        "num_attention_heads": 32, "num_key_value_heads": 8, "tie_word_embeddings": true)",
     matrix(49152, 4096) + 40 * (attention_weights(4096, 32, 8, 128) + gated_weights(4096, 12800) + 2 * 4096) + 4096},
    {"internlm/internlm2-7b", "internlm2",
     R"("vocab_size": 92544, "intermediate_size": 14336, "num_key_value_heads": 8, "bias": false)",
     2 * matrix(92544, 4096) + 32 * (attention_weights(4096, 32, 8, 128) + gated_weights(4096, 14336) + 2 * 4096) +
         4096,
     7'737'708'544},
    {"internlm/internlm-7b", "internlm", R"("bias": true)",
     2 * matrix(103168, 4096) +
         32 * (attention_weights(4096, 32, 32, 128) + 4 * 4096 + gated_weights(4096, 11008) + 2 * 4096) + 4096},
    {"openbmb/MiniCPM-2B-sft-bf16", "minicpm",
     R"("vocab_size": 122753, "hidden_size": 2304, "intermediate_size": 5760, "num_attention_heads": 36,
        "num_hidden_layers": 40, "num_key_value_heads": 36)",
     matrix(122753, 2304) + 40 * (attention_weights(2304, 36, 36, 64) + gated_weights(2304, 5760) + 2 * 2304) + 2304,
     2'724'880'896},
    {"mosaicml/mpt-7b", "mpt", R"("vocab_size": 50432, "d_model": 4096, "n_heads": 32, "n_layers": 32,
        "attn_config": {"alibi": true, "attn_type": "multihead_attention"})",
     matrix(50432, 4096) + 32 * (attention_weights(4096, 32, 32, 128) + 2 * matrix(4096, 16384) + 2 * 4096) + 4096},
    {"allenai/OLMo-7B-hf", "olmo", R"("clip_qkv": null)",
     2 * matrix(50304, 4096) + 32 * (attention_weights(4096, 32, 32, 128) + gated_weights(4096, 11008)), 6'888'095'744},
    {"allenai/OLMo-2-1124-7B", "olmo2", R"("vocab_size": 100352, "max_position_embeddings": 4096)",
     2 * matrix(100352, 4096) + 32 * (attention_weights(4096, 32, 32, 128) + gated_weights(4096, 11008) + 4 * 4096) +
         4096,
     7'298'617'344},
    {"microsoft/phi-2", "phi",
     R"("hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 32, "num_key_value_heads": 32)",
     2 * matrix(51200, 2560) + 51200 +
         32 * (attention_weights(2560, 32, 32, 80) + 2 * matrix(2560, 10240) + 11 * 2560) + 2 * 2560,
     2'779'683'840},
    {"microsoft/phi-2, first form", "phi-msft",
     R"("vocab_size": 51200, "n_embd": 2560, "n_head": 32, "n_layer": 32, "n_inner": null, "rotary_dim": 32)",
     2 * matrix(51200, 2560) + 51200 +
         32 * (attention_weights(2560, 32, 32, 80) + 2 * matrix(2560, 10240) + 11 * 2560) + 2 * 2560,
     2'779'683'840},
    {"microsoft/Phi-3-mini-4k-instruct", "phi3", R"("sliding_window": 2047)",
     2 * matrix(32064, 3072) + 32 * (attention_weights(3072, 32, 32, 96) + gated_weights(3072, 8192) + 2 * 3072) + 3072,
     3'821'079'552},
    {"microsoft/phi-4", "phi3",
     R"("vocab_size": 100352, "hidden_size": 5120, "intermediate_size": 17920, "num_attention_heads": 40,
        "num_hidden_layers": 40, "num_key_value_heads": 10)",
     2 * matrix(100352, 5120) + 40 * (attention_weights(5120, 40, 10, 128) + gated_weights(5120, 17920) + 2 * 5120) +
         5120,
     14'659'507'200},
    {"microsoft/Phi-3.5-MoE-instruct", "phimoe", R"("attention_bias": true, "lm_head_bias": true)",
     2 * matrix(32064, 4096) + 32064 +
         32 * (attention_weights(4096, 32, 8, 128) + 48 * 128 + 4096 + matrix(16, 4096) +
               16 * gated_weights(4096, 6400) + 4 * 4096) +
         2 * 4096},
    {"Qwen/Qwen-7B", "qwen", R"("seq_length": 8192)",
     2 * matrix(151936, 4096) +
         32 * (attention_weights(4096, 32, 32, 128) + 3 * 4096 + gated_weights(4096, 11008) + 2 * 4096) + 4096,
     7'721'324'544},
    {"Qwen/Qwen1.5-MoE-A2.7B", "qwen2_moe", R"("max_position_embeddings": 8192)",
     2 * matrix(151936, 2048) +
         24 * (attention_weights(2048, 16, 16, 128) + 3 * 2048 + matrix(60, 2048) + 60 * gated_weights(2048, 1408) +
               gated_weights(2048, 5632) + 2048 + 2 * 2048) +
         2048,
     14'315'784'192},
    {"stabilityai/stablelm-3b-4e1t", "stablelm", R"("use_qkv_bias": false)",
     2 * matrix(50304, 2560) + 32 * (attention_weights(2560, 32, 32, 80) + gated_weights(2560, 6912) + 4 * 2560) +
         2 * 2560,
     2'795'443'200},
    {"stabilityai/stablelm-2-1_6b", "stablelm",
     R"("vocab_size": 100352, "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 24,
        "use_qkv_bias": true)",
     2 * matrix(100352, 2048) +
         24 * (attention_weights(2048, 32, 32, 64) + 3 * 2048 + gated_weights(2048, 5632) + 4 * 2048) + 2 * 2048,
     1'644'515'328},
    {"stabilityai/stablelm-2-12b", "stablelm",
     R"("vocab_size": 100352, "hidden_size": 5120, "intermediate_size": 13824, "num_hidden_layers": 40,
        "num_key_value_heads": 8, "use_parallel_residual": true, "qk_layernorm": true)",
     2 * matrix(100352, 5120) +
         40 * (attention_weights(5120, 32, 8, 160) + 40 * 160 + gated_weights(5120, 13824) + 2 * 5120) + 2 * 5120,
     12'143'185'920},
    {"bigcode/starcoder2-3b", "starcoder2", R"("sliding_window": 4096)",
     matrix(49152, 3072) +
         30 * (attention_weights(3072, 24, 2, 128) + 28 * 128 + 3072 + 2 * matrix(3072, 12288) + 12288 + 3072 +
               4 * 3072) +
         2 * 3072},
    {"bigcode/starcoder2-15b", "starcoder2",
     R"("hidden_size": 6144, "intermediate_size": 24576, "num_attention_heads": 48, "num_hidden_layers": 40,
        "num_key_value_heads": 4, "tie_word_embeddings": false)",
     2 * matrix(49152, 6144) +
         40 * (attention_weights(6144, 48, 4, 128) + 56 * 128 + 6144 + 2 * matrix(6144, 24576) + 24576 + 6144 +
               4 * 6144) +
         2 * 6144,
     15'957'889'024},
};

/// Note of a model whose part for images has so many parameters.
std::string left_out(std::int64_t parameters) {
  return "language part only: vision_config left out, " + std::to_string(parameters) +
         " parameters with the projector of images";
}

}  // namespace

TEST_CASE("Configurations have the parameters of their layers", "[import][decoder]") {
  for (const Checkpoint& checkpoint : checkpoints) {
    CAPTURE(checkpoint.name);
    const Model model = read_type(checkpoint.type, checkpoint.keys);
    CHECK(decoder::parameters(decoder_of(model)) == checkpoint.parameters);
    CHECK(model.architecture->graph(5).parameters() == checkpoint.parameters);
    if (checkpoint.published != 0) CHECK(checkpoint.parameters == checkpoint.published);
  }
}

TEST_CASE("Encoders have the parameters of their layers", "[import]") {
  const auto parameters = [](const std::string& text, std::int64_t size) {
    return read(text).architecture->graph(size).parameters();
  };
  constexpr std::int64_t width = 768;
  constexpr std::int64_t block = attention_weights(width, 12, 12, 64) + 2 * matrix(width, 3072) + 13 * width;
  // distilbert-base-uncased: no token types, no pooler.
  CHECK(parameters(R"({"model_type": "distilbert", "sinusoidal_pos_embds": false})", 16) ==
        matrix(30522 + 512, width) + 2 * width + 6 * block);
  // roberta-base with its pooler: one token type.
  CHECK(parameters(R"({"model_type": "roberta", "max_position_embeddings": 514, "type_vocab_size": 1})", 16) ==
        matrix(50265 + 514 + 1, width) + 2 * width + 12 * block + matrix(width, width) + width);
  // facebook/deit-base-distilled-patch16-224: 196 patches, a class token, a distillation token, and a head for each.
  CHECK(parameters(R"({"model_type": "deit", "num_labels": 1000})", 224) ==
        matrix(16 * 16 * 3, width) + width + 2 * width + matrix(196 + 2, width) + 12 * block + 2 * width +
            2 * (matrix(width, 1000) + 1000));
}

/// Kimi-K2: a first block with a dense network, 60 with 384 routed experts and one shared one.
constexpr std::int64_t kimi_k2 = 2 * matrix(163840, 7168) + 61 * (latent_attention_weights(7168, 64, 1536) + 2 * 7168) +
                                 7168 + gated_weights(7168, 18432) +
                                 60 * (385 * gated_weights(7168, 2048) + matrix(384, 7168));
// The published total also has an offset for each routed expert that balances their loads.
static_assert(kimi_k2 + 60 * 384 == 1'026'408'232'448);

TEST_CASE("A model of several parts opens with its language part, and a note names the others", "[import][decoder]") {
  const Model mistral = read(R"({"architectures": ["Mistral3ForConditionalGeneration"], "model_type": "mistral3",
      "text_config": {"head_dim": 128, "hidden_size": 5120, "intermediate_size": 32768, "model_type": "mistral",
      "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8, "sliding_window": null,
      "vocab_size": 131072}, "vision_config": {"model_type": "pixtral", "hidden_size": 1024, "patch_size": 14}})");
  // Mistral-Small-24B.
  CHECK(decoder::parameters(decoder_of(mistral)) == 23'572'403'200);
  REQUIRE(mistral.notes.size() == 1);
  CHECK(mistral.notes[0] == left_out(24'011'361'280 - 23'572'403'200));
  const Model gemma = read(R"({"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3",
      "text_config": {"hidden_size": 5376, "intermediate_size": 21504, "model_type": "gemma3_text",
      "num_attention_heads": 32, "num_hidden_layers": 62, "num_key_value_heads": 16, "head_dim": 128,
      "sliding_window": 1024}, "vision_config": {"hidden_size": 1152, "image_size": 896, "intermediate_size": 4304,
      "model_type": "siglip_vision_model", "num_hidden_layers": 27, "patch_size": 14, "vision_use_head": false}})");
  CHECK(gemma.notes[0] == left_out(27'432'406'640 - decoder::parameters(decoder_of(gemma))));
  CHECK(decoder::parameters(decoder_of(gemma)) ==
        matrix(262208, 5376) +
            62 * (attention_weights(5376, 32, 16, 128) + gated_weights(5376, 21504) + 4 * 5376 + 2 * 128) + 5376);
  // The sizes of Qwen3-8B. `tie_word_embeddings` may be a key of the outer object.
  const std::string qwen = R"("model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text",
      "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36, "num_key_value_heads": 8},
      "vision_config": {"hidden_size": 1152, "model_type": "qwen3_vl", "out_hidden_size": 4096}})";
  CHECK(decoder::parameters(decoder_of(read("{" + qwen))) == 8'190'735'360);
  CHECK(decoder_of(read("{\"tie_word_embeddings\": true, " + qwen)).tied);
  CHECK(read("{" + qwen).notes[0] == left_out(8'767'123'696 - 8'190'735'360));
  const Model scout = read(R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text"}, "vision_config": {
      "hidden_size": 1408, "image_size": 336, "model_type": "llama4_vision_model", "vision_output_dim": 4096}})");
  CHECK(scout.notes[0] == left_out(108'641'793'536 - decoder::parameters(decoder_of(scout))));
  const Model kimi = read(R"({"architectures": ["KimiK25ForConditionalGeneration"], "model_type": "kimi_k25",
      "text_config": {"architectures": ["DeepseekV3ForCausalLM"], "model_type": "kimi_k2", "first_k_dense_replace": 1,
      "n_routed_experts": 384, "num_attention_heads": 64, "vocab_size": 163840}, "vision_config": {}})");
  CHECK(decoder::parameters(decoder_of(kimi)) == kimi_k2);
  CHECK_THAT(kimi.notes[0], Contains("vision_config left out; its parameters are not counted"));
  CHECK_THAT(error_of(R"({"model_type": "gemma3", "text_config": {"hidden_size": 0, "model_type": "gemma3_text"}})"),
             Contains("hidden_size: 'hidden' is 0"));
}

TEST_CASE("The architecture decides where the type has another name", "[import][decoder]") {
  const Model kimi = read(R"({"architectures": ["DeepseekV3ForCausalLM"], "model_type": "kimi_k2",
      "first_k_dense_replace": 1, "n_routed_experts": 384, "num_attention_heads": 64, "vocab_size": 163840,
      "num_nextn_predict_layers": 1})");
  CHECK(decoder::parameters(decoder_of(kimi)) == kimi_k2);
  REQUIRE(kimi.notes.size() == 1);
  CHECK_THAT(kimi.notes[0], Contains("1 module for further tokens left out"));
}

TEST_CASE("Windows apply to the blocks that the configuration names", "[import][decoder]") {
  using Blocks = std::vector<std::int64_t>;
  const decoder::Decoder gemma = decoder_of(read_type("gemma2", R"("num_hidden_layers": 6)"));
  CHECK(gemma.window == 4096);
  CHECK(gemma.full_blocks == Blocks{2, 4, 6});
  CHECK(gemma.window_of(1) == 4096);
  CHECK(gemma.window_of(2) == 0);
  CHECK(decoder_of(read_type("gemma3_text", R"("num_hidden_layers": 13)")).full_blocks == Blocks{6, 12});
  const std::string types = R"("layer_types": ["full_attention", "sliding_attention", "full_attention"])";
  CHECK(decoder_of(read_type("gpt_oss", R"("num_hidden_layers": 3, )" + types)).full_blocks == Blocks{1, 3});
  CHECK(decoder_of(read_type("qwen3", R"("num_hidden_layers": 4)")).window == 0);
  const decoder::Decoder qwen =
      decoder_of(read_type("qwen2", R"("num_hidden_layers": 4, "use_sliding_window": true, "max_window_layers": 3)"));
  CHECK(qwen.window == 4096);
  CHECK(qwen.full_blocks == Blocks{1, 2, 3});
  CHECK(decoder_of(read_type("llama4_text", R"("num_hidden_layers": 8)")).full_blocks == Blocks{4, 8});
}

TEST_CASE("Experts are in the blocks that the configuration names", "[import][decoder]") {
  const decoder::Decoder scout = decoder_of(read_type("llama4_text", R"("vocab_size": 202048)"));
  CHECK(scout.expert_blocks() == 48);
  CHECK(decoder::parameters(scout) ==
        2 * matrix(202048, 5120) +
            48 * (attention_weights(5120, 40, 8, 128) + 2 * 5120 + matrix(16, 5120) + 17 * gated_weights(5120, 8192)) +
            5120);
  const decoder::Decoder maverick =
      decoder_of(read_type("llama4_text", R"("interleave_moe_layer_step": 2, "num_local_experts": 128)"));
  CHECK(maverick.expert_blocks() == 24);
  CHECK_FALSE(maverick.has_experts(1));
  CHECK(maverick.has_experts(2));
}

TEST_CASE("A quantized checkpoint sets the bits of its parts", "[import][decoder]") {
  const std::string fp8 = R"("quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]})";
  const decoder::Storage deepseek = decoder_of(read_type("deepseek_v3", fp8)).storage;
  CHECK(deepseek.weight_bits == 8 + 32.0 / 16384);
  CHECK((deepseek.attention && deepseek.feed_forward && deepseek.experts && deepseek.shared_experts));
  CHECK_FALSE(deepseek.head);
  const decoder::Storage oss = decoder_of(read_type("gpt_oss", R"("quantization_config": {"quant_method": "mxfp4",
      "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens",
      "lm_head"]})"))
                                   .storage;
  CHECK(oss.weight_bits == 4.25);
  CHECK((oss.experts && !oss.attention && !oss.head));
  const decoder::Storage kimi = decoder_of(read_type("deepseek_v3", R"("quantization_config": {
      "quant_method": "compressed-tensors", "format": "pack-quantized", "config_groups": {"group_0": {"weights":
      {"num_bits": 4, "group_size": 32, "type": "int"}, "targets": ["Linear"]}}, "ignore": ["lm_head",
      "re:.*self_attn.*", "re:.*shared_experts.*", "re:.*mlp\\.(gate|up|gate_up|down)_proj.*"],
      "kv_cache_scheme": {"num_bits": 8}})"))
                                    .storage;
  CHECK(kimi.weight_bits == 4.5);
  CHECK(kimi.cache_bits == 8);
  CHECK((kimi.experts && !kimi.attention && !kimi.shared_experts && !kimi.feed_forward && !kimi.head));
  const decoder::Storage awq = decoder_of(read_type("llama", R"("quantization_config": {"quant_method": "awq",
      "bits": 4, "group_size": 128, "modules_to_not_convert": null})"))
                                   .storage;
  CHECK(awq.weight_bits == 4 + 20.0 / 128);
  CHECK((awq.attention && awq.feed_forward && !awq.head));
  CHECK_THAT(error_of(R"({"model_type": "llama", "quantization_config": {"quant_method": "magic"}})"),
             Contains("config.json:1:48: 'quantization_config' has the quant_method 'magic', which is not known"));
}

TEST_CASE("Types with layers that are not modeled are refused by the layer", "[import]") {
  const auto [type, layer] = GENERATE(table<std::string, std::string>({
      {"deepseek_ref", "sparse and compressed attention"},
      {"deepseek_v32", "sparse index attention"},
      {"deepseek_v4", "sparse and compressed attention"},
      {"glm_moe_dsa", "sparse index attention"},
      {"kimi_k3", "linear attention"},
      {"llava", "layers of vision"},
      {"minimax_m3", "sparse attention"},
      {"minimax_m3_vl", "sparse attention"},
      {"nemotron-nas", "a layer shape of its own in each block"},
      {"nemotron_h", "state-space layers"},
      {"phi3_v", "layers of vision"},
      {"qwen3_5", "linear attention"},
      {"qwen3_5_moe", "linear attention"},
      {"rwkv5", "recurrent layers"},
      {"step3p7", "sizes of their own"},
      {"t5", "cross attention"},
      {"whisper", "cross attention"},
  }));
  CAPTURE(type);
  const std::string error = error_of("{\"model_type\": \"" + type + "\"}");
  CHECK_THAT(error, Contains("config.json:1:16: models of type '" + type + "' have ") && Contains(layer) &&
                        Contains("export it as ONNX") && !Contains("did you mean"));
}

TEST_CASE("A name is suggested for another spelling only, never for another architecture", "[import]") {
  for (const std::string name : {"lama", "dbrx", "optt", "swinv2", "bertt"}) {
    CAPTURE(name);
    CHECK_THAT(error_of("{\"model_type\": \"" + name + "\"}"),
               Contains("which is not known; known are:") && Contains("export it as ONNX"));
  }
  CHECK_THAT(error_of(R"({"model_type": "Qwen-2"})"), Contains("did you mean 'qwen2'?"));
}

}  // namespace pimsweep::workload
