// Hugging Face configurations of language models that generate tokens.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "graph_differences.h"
#include "workload/decoder/parameters.h"
#include "workload/import/formats.h"
#include "workload/model_library.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;

/// All keys of meta-llama/Llama-3.1-8B.
const std::string llama_3_1_8b = R"({"architectures": ["LlamaForCausalLM"], "attention_bias": false,
"attention_dropout": 0.0, "bos_token_id": 128000, "eos_token_id": 128001, "hidden_act": "silu", "hidden_size": 4096,
"initializer_range": 0.02, "intermediate_size": 14336, "max_position_embeddings": 131072, "mlp_bias": false,
"model_type": "llama", "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
"pretraining_tp": 1, "rms_norm_eps": 1e-05, "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0,
"high_freq_factor": 4.0, "original_max_position_embeddings": 8192, "rope_type": "llama3"}, "rope_theta": 500000.0,
"tie_word_embeddings": false, "torch_dtype": "bfloat16", "transformers_version": "4.43.0.dev0", "use_cache": true,
"vocab_size": 128256})";

/// All keys of deepseek-ai/DeepSeek-V3.
const std::string deepseek_v3 = R"({"architectures": ["DeepseekV3ForCausalLM"], "attention_bias": false,
"attention_dropout": 0.0, "auto_map": {"AutoConfig": "configuration_deepseek.DeepseekV3Config"}, "bos_token_id": 0,
"eos_token_id": 1, "ep_size": 1, "first_k_dense_replace": 3, "hidden_act": "silu", "hidden_size": 7168,
"initializer_range": 0.02, "intermediate_size": 18432, "kv_lora_rank": 512, "max_position_embeddings": 163840,
"model_type": "deepseek_v3", "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_group": 8,
"n_routed_experts": 256, "n_shared_experts": 1, "norm_topk_prob": true, "num_attention_heads": 128,
"num_experts_per_tok": 8, "num_hidden_layers": 61, "num_key_value_heads": 128, "num_nextn_predict_layers": 1,
"q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
"rms_norm_eps": 1e-06, "rope_scaling": {"factor": 40, "type": "yarn"}, "rope_theta": 10000,
"routed_scaling_factor": 2.5, "scoring_func": "sigmoid", "tie_word_embeddings": false, "topk_group": 4,
"topk_method": "noaux_tc", "torch_dtype": "bfloat16", "transformers_version": "4.33.1", "use_cache": true,
"v_head_dim": 128, "vocab_size": 129280})";

/// All keys of Qwen/Qwen3-30B-A3B.
const std::string qwen3_30b = R"({"architectures": ["Qwen3MoeForCausalLM"], "attention_bias": false,
"attention_dropout": 0.0, "bos_token_id": 151643, "decoder_sparse_step": 1, "eos_token_id": 151645, "head_dim": 128,
"hidden_act": "silu", "hidden_size": 2048, "initializer_range": 0.02, "intermediate_size": 6144,
"max_position_embeddings": 40960, "max_window_layers": 48, "mlp_only_layers": [], "model_type": "qwen3_moe",
"moe_intermediate_size": 768, "norm_topk_prob": true, "num_attention_heads": 32, "num_experts": 128,
"num_experts_per_tok": 8, "num_hidden_layers": 48, "num_key_value_heads": 4, "output_router_logits": false,
"rms_norm_eps": 1e-06, "rope_scaling": null, "rope_theta": 1000000.0, "router_aux_loss_coef": 0.001,
"sliding_window": null, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "transformers_version": "4.51.0",
"use_cache": true, "use_sliding_window": false, "vocab_size": 151936})";

/// All keys of openai-community/gpt2-xl.
const std::string gpt2_xl = R"({"activation_function": "gelu_new", "architectures": ["GPT2LMHeadModel"],
"attn_pdrop": 0.1, "bos_token_id": 50256, "embd_pdrop": 0.1, "eos_token_id": 50256, "initializer_range": 0.02,
"layer_norm_epsilon": 1e-05, "model_type": "gpt2", "n_ctx": 1024, "n_embd": 1600, "n_head": 25, "n_layer": 48,
"n_positions": 1024, "output_past": true, "resid_pdrop": 0.1, "summary_activation": null,
"summary_first_dropout": 0.1, "summary_proj_to_labels": true, "summary_type": "cls_index",
"summary_use_proj": true, "task_specific_params": {"text-generation": {"do_sample": true, "max_length": 50}},
"vocab_size": 50257})";

Model read(const std::string& text) { return import::read_json_network(text, {"config.json", "", {}}); }

Model read_keys(const std::string& type, const std::string& keys) {
  return read("{\"model_type\": \"" + type + "\"" + (keys.empty() ? "" : ", ") + keys + "}");
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

}  // namespace

TEST_CASE("A configuration of a language model gives the built-in model", "[import][decoder]") {
  static const ModelLibrary library("configs/models");
  const auto [name, text] = GENERATE(table<std::string, std::string>(
      {{"gpt2-xl", gpt2_xl},
       {"gpt2", R"({"model_type": "gpt2"})"},
       {"opt-66b", R"({"model_type": "opt", "hidden_size": 9216, "word_embed_proj_dim": 9216, "ffn_dim": 36864,
                       "num_attention_heads": 72, "num_hidden_layers": 64, "do_layer_norm_before": true})"},
       {"llama-2-70b", R"({"model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
                           "max_position_embeddings": 4096, "num_attention_heads": 64, "num_hidden_layers": 80,
                           "num_key_value_heads": 8})"},
       {"llama-2-7b", R"({"model_type": "llama", "max_position_embeddings": 4096})"},
       {"llama-3.1-8b", llama_3_1_8b},
       {"qwen3-8b", R"({"model_type": "qwen3", "num_hidden_layers": 36, "num_key_value_heads": 8,
                        "intermediate_size": 12288, "max_position_embeddings": 40960})"},
       {"qwen3-30b-a3b", qwen3_30b},
       {"mixtral-8x7b", R"({"model_type": "mixtral", "max_position_embeddings": 32768})"},
       {"deepseek-v3", deepseek_v3},
       {"gemma-7b", R"({"model_type": "gemma", "hidden_act": "gelu"})"}}));
  CAPTURE(name);
  const Model model = read(text);
  CHECK(model.family == "decoder");
  CHECK(model.tokens);
  CHECK(model.default_size ==
        std::min<std::int64_t>(families::max_image_px, library.decoder(name).positions - (name == "opt-66b" ? 2 : 0)));
  CHECK(decoder_of(model) == library.decoder(name));
  CHECK(lines_of(model.architecture->graph(9)) == lines_of(library.graph(name, 9)));
}

TEST_CASE("Configurations without a built-in model have the parameters of their checkpoints", "[import][decoder]") {
  const Model mistral = read_keys("mistral", R"("max_position_embeddings": 32768)");
  CHECK(decoder::parameters(decoder_of(mistral)) == 7'241'732'096);
  CHECK(decoder_of(mistral).window == 4096);
  CHECK(decoder_of(read_keys("mistral", R"("sliding_window": null)")).window == 0);
  const Model qwen2 = read_keys("qwen2", R"("hidden_size": 3584, "intermediate_size": 18944, "vocab_size": 152064,
      "num_attention_heads": 28, "num_hidden_layers": 28, "num_key_value_heads": 4)");
  CHECK(decoder::parameters(decoder_of(qwen2)) == 7'615'616'512);
  CHECK(decoder_of(qwen2).qkv_bias);
}

TEST_CASE("Null stands for what follows from other keys", "[import][decoder]") {
  CHECK(decoder_of(read_keys("gpt2", R"("n_embd": 96, "n_inner": null)")).ffn == 384);
  CHECK(decoder_of(read_keys("gpt2", R"("n_embd": 96, "n_inner": 100)")).ffn == 100);
  CHECK(decoder_of(read_keys("llama", R"("num_key_value_heads": null, "head_dim": null)")).kv_heads == 32);
  CHECK(decoder_of(read_keys("llama", R"("head_dim": 64)")).head_size == 64);
  CHECK(decoder_of(read_keys("deepseek_v3", R"("q_lora_rank": null)")).latent.query_rank == 0);
  CHECK(decoder_of(read_keys("opt", R"("word_embed_proj_dim": null)")).hidden == 768);
  CHECK(decoder_of(read_keys("qwen3_moe", R"("mlp_only_layers": null)")).experts.count == 128);
}

TEST_CASE("Features that the family lacks are reported by the keys of the configuration", "[import][decoder]") {
  CHECK_THAT(error_of("{\"model_type\": \"llama\",\n \"attention_bias\": 1,\n \"hidden_act\": \"tanh\",\n"
                      " \"num_key_value_heads\": 2.5,\n \"hidden_size\": [4096],\n"
                      " \"architectures\": [\"LlamaForSequenceClassification\"]}"),
             Contains("config.json:2:20: attention_bias: 'qkv_bias' is 1, but true or false") &&
                 Contains("config.json:3:16: hidden_act: 'activation' is \"tanh\", but one of: gelu, relu, silu") &&
                 Contains("config.json:4:25: num_key_value_heads: 'kv_heads' is 2.5, but an integer") &&
                 Contains("config.json:5:17: hidden_size: 'hidden' is [4096], but an integer") &&
                 Contains("config.json:6:20: 'architectures' has the text LlamaForSequenceClassification"));
  CHECK_THAT(error_of(R"({"model_type": "llama", "num_key_value_heads": 5})"),
             Contains("num_key_value_heads: 'kv_heads': 5 key-value heads do not divide 32 heads"));
  CHECK_THAT(error_of(R"({"model_type": "deepseek_v3", "v_head_dim": 64})"),
             Contains("'v_head_dim' is the integer 64, but 'qk_nope_head_dim' is the integer 128: the family 'decoder' "
                      "has one size for both"));
  CHECK_THAT(error_of(R"({"model_type": "qwen3_moe", "mlp_only_layers": [0]})"),
             Contains("'mlp_only_layers' is a list"));
  CHECK_THAT(error_of(R"({"model_type": "gpt2", "n_layr": 3})"),
             Contains("unknown key 'n_layr' (did you mean 'n_layer'?)"));
  CHECK_THAT(error_of(R"({"model_type": "gpt2", "n_embd": 9000000000000000000})"), Contains("n_embd: 'hidden' is"));
}

}  // namespace pimsweep::workload
