// Parameters of the networks of Hugging Face configurations against the counts of public checkpoints, and what the
// configurations of other networks are refused for.
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

struct Checkpoint {
  std::string name;
  std::string type;
  std::string keys;
  /// Elements of all tensors by the safetensors header or index of the checkpoint, without buffers, without the offsets
  /// that balance experts, which no gradient trains, and without what the notes of the network say is left out.
  std::int64_t parameters;
};

const Checkpoint checkpoints[] = {
    {"baichuan-inc/Baichuan2-7B-Base", "baichuan", R"("vocab_size": 125696, "max_position_embeddings": 4096)",
     7'505'973'248},
    {"baichuan-inc/Baichuan2-13B-Base", "baichuan",
     R"("vocab_size": 125696, "model_max_length": 4096, "hidden_size": 5120, "num_hidden_layers": 40,
        "num_attention_heads": 40, "intermediate_size": 13696)",
     13'896'668'160},
    {"bigscience/bloom-560m", "bloom", R"("n_embed": 1024, "n_layer": 24, "num_attention_heads": 16)", 559'214'592},
    {"bigscience/bloom", "bloom", R"("n_embed": 14336, "n_layer": 70, "num_attention_heads": 112)", 176'247'271'424},
    {"THUDM/chatglm3-6b", "chatglm",
     R"("add_bias_linear": false, "add_qkv_bias": true, "multi_query_attention": true, "multi_query_group_num": 2,
        "seq_length": 8192, "tie_word_embeddings": false)",
     6'243'584'000},
    {"CohereForAI/c4ai-command-r-v01", "cohere", R"("max_position_embeddings": 131072)", 34'980'831'232},
    {"CohereForAI/c4ai-command-r-plus", "cohere",
     R"("hidden_size": 12288, "num_attention_heads": 96, "num_key_value_heads": 8, "num_hidden_layers": 64,
        "intermediate_size": 33792, "use_qk_norm": true)",
     103'810'674'688},
    {"deepseek-ai/deepseek-moe-16b-base", "deepseek",
     R"("hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "num_hidden_layers": 28, "num_attention_heads": 16,
        "num_key_value_heads": 16, "first_k_dense_replace": 1)",
     16'375'728'128},
    {"deepseek-ai/DeepSeek-V2", "deepseek_v2",
     R"("hidden_size": 5120, "intermediate_size": 12288, "moe_intermediate_size": 1536, "n_routed_experts": 160,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "num_hidden_layers": 60, "num_attention_heads": 128,
        "num_key_value_heads": 128, "first_k_dense_replace": 1)",
     235'741'434'880},
    {"deepseek-ai/DeepSeek-V2-Lite", "deepseek_v2",
     R"("hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts": 64,
        "n_shared_experts": 2, "num_experts_per_tok": 6, "num_hidden_layers": 27, "num_attention_heads": 16,
        "num_key_value_heads": 16, "first_k_dense_replace": 1, "q_lora_rank": null)",
     15'706'484'224},
    {"tiiuae/falcon-7b", "falcon", R"("hidden_size": 4544)", 6'921'720'704},
    {"tiiuae/falcon-40b", "falcon",
     R"("hidden_size": 8192, "num_attention_heads": 128, "num_hidden_layers": 60, "num_kv_heads": 8,
        "new_decoder_architecture": true)",
     41'303'293'952},
    {"google/gemma-2-2b", "gemma2", R"("hidden_activation": "gelu_pytorch_tanh")", 2'614'341'888},
    {"google/gemma-2-9b", "gemma2",
     R"("hidden_size": 3584, "intermediate_size": 14336, "num_attention_heads": 16, "num_hidden_layers": 42,
        "num_key_value_heads": 8)",
     9'241'705'984},
    {"google/gemma-3-1b-pt", "gemma3_text",
     R"("vocab_size": 262144, "hidden_size": 1152, "intermediate_size": 6912, "num_attention_heads": 4,
        "num_hidden_layers": 26, "num_key_value_heads": 1, "sliding_window": 512, "sliding_window_pattern": 6)",
     999'885'952},
    {"bigcode/starcoder", "gpt_bigcode",
     R"("vocab_size": 49152, "n_embd": 6144, "n_head": 48, "n_inner": 24576, "n_layer": 40, "n_positions": 8192)",
     15'517'456'384},
    {"EleutherAI/gpt-neox-20b", "gpt_neox", R"("rotary_pct": 0.25)", 20'554'567'680},
    {"EleutherAI/pythia-12b", "gpt_neox",
     R"("vocab_size": 50688, "hidden_size": 5120, "intermediate_size": 20480, "num_attention_heads": 40,
        "num_hidden_layers": 36)",
     11'846'072'320},
    {"openai/gpt-oss-20b", "gpt_oss", R"("num_hidden_layers": 24, "num_local_experts": 32)", 20'914'757'184},
    {"openai/gpt-oss-120b", "gpt_oss", R"("experts_per_token": 4)", 116'829'156'672},
    {"EleutherAI/gpt-j-6b", "gptj", R"("rotary_dim": 64)", 6'050'882'784},
    {"ibm-granite/granite-3.0-8b-base", "granite",
     R"("vocab_size": 49152, "hidden_size": 4096, "intermediate_size": 12800, "num_hidden_layers": 40,
        "num_attention_heads": 32, "num_key_value_heads": 8, "tie_word_embeddings": true)",
     8'170'835'968},
    {"internlm/internlm2-7b", "internlm2",
     R"("vocab_size": 92544, "intermediate_size": 14336, "num_key_value_heads": 8, "bias": false)", 7'737'708'544},
    {"internlm/internlm-7b", "internlm", R"("bias": true)", 7'321'948'160},
    {"openbmb/MiniCPM-2B-sft-bf16", "minicpm",
     R"("vocab_size": 122753, "hidden_size": 2304, "intermediate_size": 5760, "num_attention_heads": 36,
        "num_hidden_layers": 40, "num_key_value_heads": 36)",
     2'724'880'896},
    {"mosaicml/mpt-7b", "mpt",
     R"("vocab_size": 50432, "d_model": 4096, "n_heads": 32, "n_layers": 32,
        "attn_config": {"alibi": true, "attn_type": "multihead_attention"})",
     6'649'286'656},
    {"allenai/OLMo-7B-hf", "olmo", R"("clip_qkv": null)", 6'888'095'744},
    {"allenai/OLMo-2-1124-7B", "olmo2", R"("vocab_size": 100352, "max_position_embeddings": 4096)", 7'298'617'344},
    {"microsoft/phi-2", "phi",
     R"("hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 32, "num_key_value_heads": 32)",
     2'779'683'840},
    {"microsoft/phi-2, first form", "phi-msft",
     R"("vocab_size": 51200, "n_embd": 2560, "n_head": 32, "n_layer": 32, "n_inner": null, "rotary_dim": 32)",
     2'779'683'840},
    {"microsoft/Phi-3-mini-4k-instruct", "phi3", R"("sliding_window": 2047)", 3'821'079'552},
    {"microsoft/phi-4", "phi3",
     R"("vocab_size": 100352, "hidden_size": 5120, "intermediate_size": 17920, "num_attention_heads": 40,
        "num_hidden_layers": 40, "num_key_value_heads": 10)",
     14'659'507'200},
    {"microsoft/Phi-3.5-MoE-instruct", "phimoe", R"("attention_bias": true, "lm_head_bias": true)", 41'873'153'344},
    {"Qwen/Qwen-7B", "qwen", R"("seq_length": 8192)", 7'721'324'544},
    {"Qwen/Qwen1.5-MoE-A2.7B", "qwen2_moe", R"("max_position_embeddings": 8192)", 14'315'784'192},
    {"stabilityai/stablelm-3b-4e1t", "stablelm", R"("use_qkv_bias": false)", 2'795'443'200},
    {"stabilityai/stablelm-2-1_6b", "stablelm",
     R"("vocab_size": 100352, "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 24,
        "use_qkv_bias": true)",
     1'644'515'328},
    {"bigcode/starcoder2-3b", "starcoder2", R"("sliding_window": 4096)", 3'030'371'328},
    {"bigcode/starcoder2-15b", "starcoder2",
     R"("hidden_size": 6144, "intermediate_size": 24576, "num_attention_heads": 48, "num_hidden_layers": 40,
        "num_key_value_heads": 4, "tie_word_embeddings": false)",
     15'957'889'024},
};

}  // namespace

TEST_CASE("Configurations have as many parameters as their checkpoints", "[import][decoder]") {
  for (const Checkpoint& checkpoint : checkpoints) {
    CAPTURE(checkpoint.name);
    const Model model = read_type(checkpoint.type, checkpoint.keys);
    CHECK(decoder::parameters(decoder_of(model)) == checkpoint.parameters);
    CHECK(model.architecture->graph(5).parameters() == checkpoint.parameters);
  }
}

TEST_CASE("Encoders have as many parameters as their checkpoints", "[import]") {
  const auto parameters = [](const std::string& text, std::int64_t size) {
    return read(text).architecture->graph(size).parameters();
  };
  // distilbert-base-uncased, roberta-base with its pooler, facebook/deit-base-distilled-patch16-224.
  CHECK(parameters(R"({"model_type": "distilbert", "sinusoidal_pos_embds": false})", 16) == 66'362'880);
  CHECK(parameters(R"({"model_type": "roberta", "max_position_embeddings": 514, "type_vocab_size": 1})", 16) ==
        124'645'632);
  CHECK(parameters(R"({"model_type": "deit", "num_labels": 1000})", 224) == 87'338'192);
}

TEST_CASE("A model of several parts opens with its language part, and says what it leaves out", "[import][decoder]") {
  const Model mistral = read(R"({"architectures": ["Mistral3ForConditionalGeneration"], "model_type": "mistral3",
      "text_config": {"head_dim": 128, "hidden_size": 5120, "intermediate_size": 32768, "model_type": "mistral",
      "num_attention_heads": 32, "num_hidden_layers": 40, "num_key_value_heads": 8, "sliding_window": null,
      "vocab_size": 131072}, "vision_config": {"model_type": "pixtral", "hidden_size": 1024}})");
  CHECK(decoder::parameters(decoder_of(mistral)) == 23'572'403'200);
  REQUIRE(mistral.notes.size() == 1);
  CHECK(mistral.notes[0] == "language part only: vision_config left out");
  const Model gemma = read(R"({"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3",
      "text_config": {"hidden_size": 5376, "intermediate_size": 21504, "model_type": "gemma3_text",
      "num_attention_heads": 32, "num_hidden_layers": 62, "num_key_value_heads": 16, "head_dim": 128,
      "sliding_window": 1024}, "vision_config": {}})");
  CHECK(decoder::parameters(decoder_of(gemma)) == 27'009'346'304);
  // Whether the head has the table of the embedding stands beside the language part.
  const std::string qwen = R"("model_type": "qwen3_vl", "text_config": {"model_type": "qwen3_vl_text",
      "hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36, "num_key_value_heads": 8}})";
  CHECK(decoder::parameters(decoder_of(read("{" + qwen))) == 8'190'735'360);
  CHECK(decoder_of(read("{\"tie_word_embeddings\": true, " + qwen)).tied);
  const Model kimi = read(R"({"architectures": ["KimiK25ForConditionalGeneration"], "model_type": "kimi_k25",
      "text_config": {"architectures": ["DeepseekV3ForCausalLM"], "model_type": "kimi_k2", "first_k_dense_replace": 1,
      "n_routed_experts": 384, "num_attention_heads": 64, "vocab_size": 163840}, "vision_config": {}})");
  CHECK(decoder::parameters(decoder_of(kimi)) == 1'026'408'209'408);
  CHECK_THAT(error_of(R"({"model_type": "gemma3", "text_config": {"hidden_size": 0, "model_type": "gemma3_text"}})"),
             Contains("hidden_size: 'hidden' is 0"));
}

TEST_CASE("The architecture decides where the type has another name", "[import][decoder]") {
  const Model kimi = read(R"({"architectures": ["DeepseekV3ForCausalLM"], "model_type": "kimi_k2",
      "first_k_dense_replace": 1, "n_routed_experts": 384, "num_attention_heads": 64, "vocab_size": 163840,
      "num_nextn_predict_layers": 1})");
  CHECK(decoder::parameters(decoder_of(kimi)) == 1'026'408'209'408);
  REQUIRE(kimi.notes.size() == 1);
  CHECK_THAT(kimi.notes[0], Contains("1 module for further tokens left out"));
}

TEST_CASE("Windows hold for the blocks that the configuration says", "[import][decoder]") {
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

TEST_CASE("Experts stand in the blocks that the configuration says", "[import][decoder]") {
  const decoder::Decoder scout = decoder_of(read_type("llama4_text", R"("vocab_size": 202048)"));
  CHECK(scout.expert_blocks() == 48);
  CHECK(decoder::parameters(scout) == 107'769'861'120);
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
  const decoder::Decoder qwen = decoder_of(read_type("qwen3", fp8));
  // Two bytes for embedding and head, one for the rest.
  const double matrices = static_cast<double>(decoder::parameters(qwen)) - 2.0 * 151936 * 4096;
  CHECK(decoder::stored_bytes(qwen) == Approx(4.0 * 151936 * 4096 + matrices).epsilon(0.001));
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
