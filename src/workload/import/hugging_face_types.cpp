#include "workload/import/hugging_face_types.h"

#include <string>

namespace pimsweep::workload::import {

bool Completion::flag(std::string_view key) const {
  const JsonNode node = value(key);
  const auto* boolean = std::get_if<bool>(&node.scalar);
  return node.kind == JsonNode::Kind::scalar && boolean != nullptr && *boolean;
}

std::optional<std::int64_t> Completion::integer(std::string_view key) const {
  const JsonNode node = value(key);
  const auto* integer = std::get_if<std::int64_t>(&node.scalar);
  return node.kind == JsonNode::Kind::scalar && integer != nullptr ? std::optional(*integer) : std::nullopt;
}

namespace {

// Keys and defaults: transformers 4.57, src/transformers/models/*/configuration_*.py, and configuration_utils.py for
// the number of labels; values without a key: modeling_*.py. Types that the library lacks (baichuan, chatglm, deepseek,
// internlm, internlm2, kimi_k25, mimo, minicpm, orion, phi-msft, qwen): the configuration_*.py and modeling_*.py
// published with the weights.

constexpr std::array bert_rules{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"max_position_embeddings", "positions"},
    KeyRule{"type_vocab_size", "token_types"},
    KeyRule{"hidden_size", "channels"},
    KeyRule{"num_hidden_layers", "blocks"},
    KeyRule{"num_attention_heads", "heads"},
    KeyRule{"intermediate_size", "hidden"},
    KeyRule{"hidden_act", "", Form::fixed},
    KeyRule{"position_embedding_type", "", Form::fixed},
    KeyRule{"is_decoder", "", Form::fixed},
    KeyRule{"add_cross_attention", "", Form::fixed},
};
constexpr std::array bert_tokens{KeyRule{"max_position_embeddings", "tokens"}};
// The position table has two extra rows before the first token.
constexpr std::array roberta_tokens{KeyRule{"max_position_embeddings", "tokens", Form::two_less}};

constexpr std::array distilbert_rules{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"max_position_embeddings", "positions"},
    KeyRule{"dim", "channels"},
    KeyRule{"n_layers", "blocks"},
    KeyRule{"n_heads", "heads"},
    KeyRule{"hidden_dim", "hidden"},
    KeyRule{"activation", "", Form::fixed},
};

constexpr std::array vit_rules{
    KeyRule{"image_size", "image_px"},
    KeyRule{"patch_size", "patch"},
    KeyRule{"num_channels", "image_channels"},
    KeyRule{"hidden_size", "channels", Form::one_stage},
    KeyRule{"num_hidden_layers", "blocks", Form::one_stage},
    KeyRule{"num_attention_heads", "heads", Form::one_stage},
    KeyRule{"intermediate_size", "mlp_ratio", Form::per_width},
    KeyRule{"hidden_act", "", Form::fixed},
    KeyRule{"qkv_bias", "", Form::fixed},
};

constexpr std::array swin_rules{
    KeyRule{"image_size", "image_px"},
    KeyRule{"patch_size", "patch"},
    KeyRule{"num_channels", "image_channels"},
    KeyRule{"embed_dim", "channels", Form::doubling},
    KeyRule{"depths", "blocks"},
    KeyRule{"num_heads", "heads"},
    KeyRule{"window_size", "window"},
    KeyRule{"mlp_ratio", "mlp_ratio", Form::each_stage},
    KeyRule{"hidden_act", "", Form::fixed},
    KeyRule{"qkv_bias", "", Form::fixed},
    KeyRule{"use_absolute_embeddings", "", Form::fixed},
};

// Groups of keys shared by many decoders.
constexpr std::array core{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"max_position_embeddings", "positions"},
    KeyRule{"max_position_embeddings", "tokens", Form::tokens},
    KeyRule{"hidden_size", "hidden"},
    KeyRule{"num_hidden_layers", "blocks"},
    KeyRule{"num_attention_heads", "heads"},
    KeyRule{"hidden_activation|hidden_act", "activation", Form::activation},
    KeyRule{"tie_word_embeddings", "tied"},
};
constexpr std::array grouped{
    KeyRule{"num_key_value_heads", "kv_heads", Form::if_any},
    KeyRule{"head_dim", "head_size", Form::if_any},
};
constexpr std::array dense{KeyRule{"intermediate_size", "ffn"}};
constexpr std::array windowed{KeyRule{"sliding_window", "window", Form::if_any}};
constexpr std::array attention_bias{
    KeyRule{"attention_bias", "qkv_bias"},
    KeyRule{"attention_bias", "output_bias"},
};
constexpr std::array llama_biases{
    KeyRule{"attention_bias", "qkv_bias"},
    KeyRule{"attention_bias", "output_bias"},
    KeyRule{"mlp_bias", "ffn_bias"},
};
constexpr std::array internlm_biases{
    KeyRule{"bias", "qkv_bias"},
    KeyRule{"bias", "output_bias"},
};

// Keys of experts, named after the model that introduced them.
constexpr std::array mixtral_experts{
    KeyRule{"num_local_experts|num_experts", "experts"},
    KeyRule{"intermediate_size", "expert_hidden"},
    KeyRule{"num_experts_per_tok|experts_per_token", "experts_per_token"},
};
constexpr std::array qwen_experts{
    KeyRule{"num_experts|num_local_experts", "experts"}, KeyRule{"moe_intermediate_size", "expert_hidden"},
    KeyRule{"num_experts_per_tok", "experts_per_token"}, KeyRule{"decoder_sparse_step", "", Form::fixed},
    KeyRule{"mlp_only_layers", "", Form::fixed},
};
constexpr std::array deepseek_experts{
    KeyRule{"intermediate_size", "ffn"},
    KeyRule{"n_routed_experts", "experts"},
    KeyRule{"moe_intermediate_size", "expert_hidden"},
    KeyRule{"num_experts_per_tok", "experts_per_token"},
    KeyRule{"n_shared_experts", "shared_experts", Form::if_any},
    KeyRule{"first_k_dense_replace", "dense_blocks"},
    KeyRule{"moe_layer_freq", "", Form::fixed},
};

constexpr std::array latent{
    KeyRule{"qk_nope_head_dim", "head_size"},           KeyRule{"v_head_dim", "qk_nope_head_dim", Form::equal},
    KeyRule{"q_lora_rank", "query_rank", Form::if_any}, KeyRule{"kv_lora_rank", "cache_rank"},
    KeyRule{"qk_rope_head_dim", "rotary_size"},         KeyRule{"attention_bias", "", Form::fixed},
};

// Keys specific to one decoder.
constexpr std::array gpt2_rules{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"n_positions", "positions"},
    KeyRule{"n_positions", "tokens", Form::tokens},
    KeyRule{"n_embd", "hidden"},
    KeyRule{"n_layer", "blocks"},
    KeyRule{"n_head", "heads"},
    KeyRule{"n_inner", "ffn", Form::if_wider},
    KeyRule{"activation_function", "activation", Form::activation},
    KeyRule{"tie_word_embeddings", "tied"},
    KeyRule{"add_cross_attention", "", Form::fixed},
};
constexpr std::array opt_rules{
    KeyRule{"vocab_size", "vocabulary"},
    // The position table has two extra rows before the first token.
    KeyRule{"max_position_embeddings", "positions", Form::two_more},
    KeyRule{"max_position_embeddings", "tokens", Form::tokens},
    KeyRule{"hidden_size", "hidden"},
    KeyRule{"num_hidden_layers", "blocks"},
    KeyRule{"num_attention_heads", "heads"},
    KeyRule{"ffn_dim", "ffn"},
    KeyRule{"activation_function", "activation", Form::activation},
    KeyRule{"tie_word_embeddings", "tied"},
    KeyRule{"word_embed_proj_dim", "hidden_size", Form::equal},
    KeyRule{"do_layer_norm_before", "", Form::fixed},
    KeyRule{"_remove_final_layer_norm", "", Form::fixed},
    KeyRule{"enable_bias", "", Form::fixed},
    KeyRule{"layer_norm_elementwise_affine", "", Form::fixed},
};
constexpr std::array bloom_rules{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"seq_length", "positions"},
    KeyRule{"seq_length", "tokens", Form::tokens},
    KeyRule{"hidden_size|n_embed", "hidden"},
    KeyRule{"n_layer|num_hidden_layers", "blocks"},
    KeyRule{"n_head|num_attention_heads", "heads"},
    KeyRule{"n_inner", "ffn", Form::if_wider},
    KeyRule{"tie_word_embeddings", "tied"},
};
constexpr std::array mpt_rules{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"max_seq_len", "positions"},
    KeyRule{"max_seq_len", "tokens", Form::tokens},
    KeyRule{"d_model", "hidden"},
    KeyRule{"n_layers", "blocks"},
    KeyRule{"n_heads", "heads"},
    KeyRule{"expansion_ratio", "ffn", Form::widths},
    KeyRule{"tie_word_embeddings", "tied"},
    KeyRule{"attn_config.kv_n_heads", "kv_heads", Form::if_any},
    KeyRule{"attn_config.qk_ln", "", Form::fixed},
};
constexpr std::array falcon_rules{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"max_position_embeddings", "positions"},
    KeyRule{"max_position_embeddings", "tokens", Form::tokens},
    KeyRule{"hidden_size", "hidden"},
    KeyRule{"num_hidden_layers|n_layer", "blocks"},
    KeyRule{"num_attention_heads|n_head", "heads"},
    KeyRule{"ffn_hidden_size", "ffn", Form::if_wider},
    KeyRule{"activation", "activation", Form::activation},
    KeyRule{"bias", "bias"},
    KeyRule{"tie_word_embeddings", "tied"},
};
constexpr std::array chatglm_rules{
    KeyRule{"padded_vocab_size", "vocabulary"},
    KeyRule{"seq_length", "positions"},
    KeyRule{"seq_length", "tokens", Form::tokens},
    KeyRule{"hidden_size", "hidden"},
    KeyRule{"num_layers", "blocks"},
    KeyRule{"num_attention_heads", "heads"},
    KeyRule{"kv_channels", "head_size"},
    KeyRule{"ffn_hidden_size", "ffn"},
    KeyRule{"tie_word_embeddings", "tied"},
    KeyRule{"add_bias_linear", "bias"},
    KeyRule{"add_qkv_bias", "qkv_bias"},
    KeyRule{"post_layer_norm", "", Form::fixed},
    KeyRule{"apply_residual_connection_post_layernorm", "", Form::fixed},
    KeyRule{"position_encoding_2d", "", Form::fixed},
};
constexpr std::array qwen_rules{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"seq_length|max_position_embeddings", "positions"},
    KeyRule{"seq_length|max_position_embeddings", "tokens", Form::tokens},
    KeyRule{"hidden_size", "hidden"},
    KeyRule{"num_hidden_layers", "blocks"},
    KeyRule{"num_attention_heads", "heads"},
    KeyRule{"kv_channels", "head_size"},
    KeyRule{"intermediate_size", "ffn", Form::half},
    KeyRule{"tie_word_embeddings", "tied"},
    KeyRule{"no_bias", "", Form::fixed},
};
constexpr std::array baichuan_rules{
    KeyRule{"vocab_size", "vocabulary"},
    KeyRule{"max_position_embeddings|model_max_length", "positions"},
    KeyRule{"max_position_embeddings|model_max_length", "tokens", Form::tokens},
    KeyRule{"hidden_size", "hidden"},
    KeyRule{"num_hidden_layers", "blocks"},
    KeyRule{"num_attention_heads", "heads"},
    KeyRule{"intermediate_size", "ffn"},
    KeyRule{"hidden_act", "activation", Form::activation},
    KeyRule{"tie_word_embeddings", "tied"},
};
constexpr std::array neox_rules{KeyRule{"use_parallel_residual", "parallel"}};
constexpr std::array phi_rules{KeyRule{"qk_layernorm", "", Form::fixed}};
constexpr std::array phimoe_rules{
    KeyRule{"attention_bias", "qkv_bias"},
    KeyRule{"attention_bias", "output_bias"},
    KeyRule{"lm_head_bias", "head_bias"},
};
constexpr std::array stablelm_rules{
    KeyRule{"use_qkv_bias", "qkv_bias"},
    KeyRule{"use_parallel_residual", "parallel"},
    KeyRule{"qk_layernorm", "query_key_norm"},
    KeyRule{"qk_layernorm", "query_key_norm_of_all"},
};
constexpr std::array starcoder_rules{KeyRule{"use_bias", "bias"}};
constexpr std::array cohere_norms{
    KeyRule{"use_qk_norm", "query_key_norm"},
    KeyRule{"use_qk_norm", "query_key_norm_of_all"},
};
constexpr std::array minicpm_rules{KeyRule{"sparse_config", "", Form::fixed}};
constexpr std::array minimax_rules{
    KeyRule{"use_qk_norm", "query_key_norm"},
    KeyRule{"use_qk_norm", "query_key_norm_of_all"},
    KeyRule{"shared_intermediate_size", "", Form::fixed},
};
constexpr std::array qwen2_moe_rules{KeyRule{"shared_expert_intermediate_size", "shared_hidden"}};
constexpr std::array llama4_rules{
    KeyRule{"num_local_experts", "experts"},
    KeyRule{"intermediate_size", "expert_hidden"},
    KeyRule{"num_experts_per_tok", "experts_per_token"},
    KeyRule{"interleave_moe_layer_step", "expert_every"},
    KeyRule{"intermediate_size_mlp", "ffn"},
    KeyRule{"attention_chunk_size", "window", Form::if_any},
};

void complete_falcon(Completion& c) {
  const bool is_new = c.flag("new_decoder_architecture");
  if (is_new) {
    c.take("kv_heads", "num_kv_heads|n_head_kv|num_attention_heads|n_head");
  } else if (c.flag("multi_query")) {
    c.set("kv_heads", std::int64_t{1});
  }
  const bool parallel = is_new || c.flag("parallel_attn");
  const bool two_norms = is_new ? c.integer("num_ln_in_parallel_attn").value_or(2) == 2 : !parallel;
  c.set("parallel", parallel);
  c.set("norm_placement", std::string(two_norms ? "before" : "shared"));
  c.set("position", std::string(c.flag("alibi") ? "alibi" : "rotary"));
}

void complete_mpt(Completion& c) {
  const bool has_biases = !c.flag("no_bias");
  c.set("bias", has_biases);
  c.set("norm", std::string(has_biases ? "layer" : "layer-scale"));
  c.set("position", std::string(c.flag("attn_config.alibi") ? "alibi" : "learned"));
  const JsonNode type = c.value("attn_config.attn_type");
  if (type.scalar == Value(std::string("multiquery_attention"))) c.set("kv_heads", std::int64_t{1});
}

void complete_chatglm(Completion& c) {
  if (c.flag("multi_query_attention")) c.take("kv_heads", "multi_query_group_num");
  c.set("norm", std::string(c.flag("rmsnorm") ? "rms" : "layer"));
}

void complete_bigcode(Completion& c) {
  if (c.flag("multi_query")) c.set("kv_heads", std::int64_t{1});
}

void complete_stablelm(Completion& c) {
  if (c.flag("use_parallel_residual")) c.set("norm_placement", std::string("shared"));
}

// The model with 40 blocks uses ALiBi instead of rotary embedding and lacks a key for it.
void complete_baichuan(Completion& c) {
  const bool rotates = c.value("max_position_embeddings").kind != JsonNode::Kind::null;
  c.set("position", std::string(rotates ? "rotary" : "alibi"));
}

void complete_minicpm(Completion& c) {
  if (c.integer("num_experts").value_or(0) == 0) return c.take("ffn", "intermediate_size");
  c.take("experts", "num_experts");
  c.take("expert_hidden", "intermediate_size");
  c.take("experts_per_token", "num_experts_per_tok");
}

constexpr std::string_view gpt_constants = R"({"gated": false, "norm": "layer", "position": "learned", "bias": true})";
constexpr std::string_view rotary_constants = R"({"gated": true, "norm": "rms", "position": "rotary", "bias": false})";

constexpr std::string_view llama_defaults =
    R"({"vocab_size": 32000, "max_position_embeddings": 2048, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "intermediate_size": 11008, "hidden_act": "silu", "tie_word_embeddings": false,
        "attention_bias": false, "mlp_bias": false})";
constexpr std::string_view mistral_defaults =
    R"({"vocab_size": 32000, "max_position_embeddings": 131072, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "hidden_act": "silu",
        "sliding_window": 4096, "tie_word_embeddings": false})";
constexpr std::string_view mixtral_defaults =
    R"({"vocab_size": 32000, "max_position_embeddings": 131072, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 8, "intermediate_size": 14336,
        "num_experts_per_tok": 2, "hidden_act": "silu", "tie_word_embeddings": false})";
constexpr std::string_view ministral3_defaults =
    R"({"vocab_size": 131072, "max_position_embeddings": 262144, "hidden_size": 4096, "num_hidden_layers": 34,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 14336,
        "hidden_act": "silu", "tie_word_embeddings": false})";
constexpr std::string_view qwen2_defaults =
    R"({"vocab_size": 151936, "max_position_embeddings": 32768, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 22016, "hidden_act": "silu",
        "tie_word_embeddings": false, "use_sliding_window": false, "sliding_window": 4096, "max_window_layers": 28})";
constexpr std::string_view qwen3_defaults =
    R"({"vocab_size": 151936, "max_position_embeddings": 32768, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "head_dim": 128, "intermediate_size": 22016,
        "hidden_act": "silu", "tie_word_embeddings": false, "attention_bias": false, "use_sliding_window": false,
        "sliding_window": 4096, "max_window_layers": 28})";
constexpr std::string_view qwen2_moe_defaults =
    R"({"vocab_size": 151936, "max_position_embeddings": 32768, "hidden_size": 2048, "num_hidden_layers": 24,
        "num_attention_heads": 16, "num_key_value_heads": 16, "num_experts": 60, "moe_intermediate_size": 1408,
        "shared_expert_intermediate_size": 5632, "num_experts_per_tok": 4, "hidden_act": "silu",
        "tie_word_embeddings": false, "use_sliding_window": false, "sliding_window": 4096, "max_window_layers": 28,
        "decoder_sparse_step": 1, "mlp_only_layers": []})";
constexpr std::string_view qwen3_moe_defaults =
    R"({"vocab_size": 151936, "max_position_embeddings": 32768, "hidden_size": 2048, "num_hidden_layers": 24,
        "num_attention_heads": 32, "num_key_value_heads": 4, "num_experts": 128, "moe_intermediate_size": 768,
        "num_experts_per_tok": 8, "hidden_act": "silu", "tie_word_embeddings": false, "attention_bias": false,
        "use_sliding_window": false, "sliding_window": 4096, "max_window_layers": 28, "decoder_sparse_step": 1,
        "mlp_only_layers": []})";
constexpr std::string_view qwen3_vl_defaults =
    R"({"vocab_size": 151936, "max_position_embeddings": 128000, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "head_dim": 128, "intermediate_size": 22016,
        "hidden_act": "silu", "tie_word_embeddings": false, "attention_bias": false})";
constexpr std::string_view qwen3_vl_moe_defaults =
    R"({"vocab_size": 151936, "max_position_embeddings": 128000, "hidden_size": 2048, "num_hidden_layers": 24,
        "num_attention_heads": 16, "num_key_value_heads": 16, "num_experts": 60, "moe_intermediate_size": 1408,
        "num_experts_per_tok": 4, "hidden_act": "silu", "tie_word_embeddings": false, "attention_bias": false,
        "decoder_sparse_step": 1, "mlp_only_layers": []})";
constexpr std::string_view gemma_defaults =
    R"({"vocab_size": 256000, "max_position_embeddings": 8192, "hidden_size": 3072, "num_hidden_layers": 28,
        "num_attention_heads": 16, "num_key_value_heads": 16, "head_dim": 256, "intermediate_size": 24576,
        "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": true, "attention_bias": false})";
constexpr std::string_view gemma2_defaults =
    R"({"vocab_size": 256000, "max_position_embeddings": 8192, "hidden_size": 2304, "num_hidden_layers": 26,
        "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "intermediate_size": 9216,
        "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": true, "attention_bias": false,
        "sliding_window": 4096})";
constexpr std::string_view gemma3_defaults =
    R"({"vocab_size": 262208, "max_position_embeddings": 131072, "hidden_size": 2304, "num_hidden_layers": 26,
        "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256, "intermediate_size": 9216,
        "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": true, "attention_bias": false,
        "sliding_window": 4096})";
constexpr std::string_view deepseek_defaults =
    R"({"vocab_size": 102400, "max_position_embeddings": 2048, "hidden_size": 4096, "num_hidden_layers": 30,
        "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 11008,
        "moe_intermediate_size": 1407, "first_k_dense_replace": 0, "moe_layer_freq": 1, "hidden_act": "silu",
        "tie_word_embeddings": false, "attention_bias": false})";
constexpr std::string_view deepseek_v2_defaults =
    R"({"vocab_size": 102400, "max_position_embeddings": 2048, "hidden_size": 4096, "num_hidden_layers": 30,
        "num_attention_heads": 32, "intermediate_size": 11008, "moe_intermediate_size": 1407,
        "first_k_dense_replace": 0, "moe_layer_freq": 1, "q_lora_rank": 1536, "kv_lora_rank": 512,
        "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "v_head_dim": 128, "hidden_act": "silu",
        "tie_word_embeddings": false, "attention_bias": false})";
constexpr std::string_view deepseek_v3_defaults =
    R"({"vocab_size": 129280, "max_position_embeddings": 4096, "hidden_size": 7168, "num_hidden_layers": 61,
        "num_attention_heads": 128, "intermediate_size": 18432, "moe_intermediate_size": 2048,
        "first_k_dense_replace": 3, "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1,
        "moe_layer_freq": 1, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_rope_head_dim": 64,
        "qk_nope_head_dim": 128, "v_head_dim": 128, "hidden_act": "silu", "tie_word_embeddings": false,
        "attention_bias": false})";
constexpr std::string_view gpt_oss_defaults =
    R"({"vocab_size": 201088, "max_position_embeddings": 131072, "hidden_size": 2880, "num_hidden_layers": 36,
        "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "num_local_experts": 128,
        "intermediate_size": 2880, "num_experts_per_tok": 4, "hidden_act": "silu", "tie_word_embeddings": false,
        "attention_bias": true, "sliding_window": 128})";
constexpr std::string_view minimax_m2_defaults =
    R"({"vocab_size": 200064, "max_position_embeddings": 196608, "hidden_size": 3072, "num_hidden_layers": 62,
        "num_attention_heads": 48, "num_key_value_heads": 8, "head_dim": 128, "num_local_experts": 256,
        "intermediate_size": 1536, "num_experts_per_tok": 8, "hidden_act": "silu", "tie_word_embeddings": false,
        "use_qk_norm": true, "shared_intermediate_size": 0})";
constexpr std::string_view llama4_defaults =
    R"({"vocab_size": 202048, "max_position_embeddings": 131072, "hidden_size": 5120, "num_hidden_layers": 48,
        "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "num_local_experts": 16,
        "intermediate_size": 8192, "intermediate_size_mlp": 16384, "num_experts_per_tok": 1,
        "interleave_moe_layer_step": 1, "hidden_act": "silu", "tie_word_embeddings": false,
        "attention_chunk_size": 8192})";
constexpr std::string_view cohere_defaults =
    R"({"vocab_size": 256000, "max_position_embeddings": 8192, "hidden_size": 8192, "num_hidden_layers": 40,
        "num_attention_heads": 64, "intermediate_size": 22528, "hidden_act": "silu", "tie_word_embeddings": true,
        "attention_bias": false, "use_qk_norm": false, "sliding_window": 4096})";
constexpr std::string_view olmo_defaults =
    R"({"vocab_size": 50304, "max_position_embeddings": 2048, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "intermediate_size": 11008, "hidden_act": "silu", "tie_word_embeddings": false,
        "attention_bias": false, "sliding_window": 4096})";
constexpr std::string_view phi_defaults =
    R"({"vocab_size": 51200, "max_position_embeddings": 2048, "hidden_size": 2048, "num_hidden_layers": 24,
        "num_attention_heads": 32, "intermediate_size": 8192, "hidden_act": "gelu_new", "tie_word_embeddings": false,
        "qk_layernorm": false})";
constexpr std::string_view phi3_defaults =
    R"({"vocab_size": 32064, "max_position_embeddings": 4096, "hidden_size": 3072, "num_hidden_layers": 32,
        "num_attention_heads": 32, "intermediate_size": 8192, "hidden_act": "silu", "tie_word_embeddings": false})";
constexpr std::string_view phimoe_defaults =
    R"({"vocab_size": 32064, "max_position_embeddings": 131072, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "num_local_experts": 16, "intermediate_size": 6400,
        "num_experts_per_tok": 2, "hidden_act": "silu", "tie_word_embeddings": false, "attention_bias": false,
        "lm_head_bias": false})";
constexpr std::string_view gpt_neox_defaults =
    R"({"vocab_size": 50432, "max_position_embeddings": 2048, "hidden_size": 6144, "num_hidden_layers": 44,
        "num_attention_heads": 64, "intermediate_size": 24576, "hidden_act": "gelu", "tie_word_embeddings": false,
        "attention_bias": true, "use_parallel_residual": true})";
constexpr std::string_view stablelm_defaults =
    R"({"vocab_size": 50304, "max_position_embeddings": 4096, "hidden_size": 2560, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 6912, "hidden_act": "silu",
        "tie_word_embeddings": false, "use_qkv_bias": false, "use_parallel_residual": false, "qk_layernorm": false})";
constexpr std::string_view starcoder2_defaults =
    R"({"vocab_size": 49152, "max_position_embeddings": 4096, "hidden_size": 3072, "num_hidden_layers": 30,
        "num_attention_heads": 24, "num_key_value_heads": 2, "intermediate_size": 12288,
        "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": true, "use_bias": true})";
constexpr std::string_view internlm_defaults =
    R"({"vocab_size": 103168, "max_position_embeddings": 2048, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "intermediate_size": 11008, "hidden_act": "silu", "tie_word_embeddings": false,
        "bias": true})";
constexpr std::string_view orion_defaults =
    R"({"vocab_size": 84608, "max_position_embeddings": 4096, "hidden_size": 4096, "num_hidden_layers": 40,
        "num_attention_heads": 40, "num_key_value_heads": 40, "intermediate_size": 15360, "hidden_act": "silu",
        "tie_word_embeddings": false})";
constexpr std::string_view baichuan_defaults =
    R"({"vocab_size": 64000, "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32,
        "intermediate_size": 11008, "hidden_act": "silu", "tie_word_embeddings": false})";
constexpr std::string_view chatglm_defaults =
    R"({"padded_vocab_size": 65024, "seq_length": 2048, "hidden_size": 4096, "num_layers": 28,
        "num_attention_heads": 32, "kv_channels": 128, "ffn_hidden_size": 13696, "tie_word_embeddings": false,
        "add_bias_linear": false, "add_qkv_bias": false, "rmsnorm": true, "multi_query_attention": false,
        "multi_query_group_num": 1, "post_layer_norm": true, "apply_residual_connection_post_layernorm": false,
        "position_encoding_2d": false})";
constexpr std::string_view qwen_defaults =
    R"({"vocab_size": 151936, "seq_length": 8192, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "kv_channels": 128, "intermediate_size": 22016, "tie_word_embeddings": false,
        "no_bias": true})";
constexpr std::string_view bloom_defaults =
    R"({"vocab_size": 250880, "seq_length": 2048, "hidden_size": 64, "n_layer": 2, "n_head": 8,
        "tie_word_embeddings": true})";
constexpr std::string_view mpt_defaults =
    R"({"vocab_size": 50368, "max_seq_len": 2048, "d_model": 2048, "n_layers": 24, "n_heads": 16,
        "expansion_ratio": 4, "no_bias": true, "tie_word_embeddings": true,
        "attn_config": {"alibi": true, "attn_type": "multihead_attention", "qk_ln": false}})";
constexpr std::string_view falcon_defaults =
    R"({"vocab_size": 65024, "max_position_embeddings": 2048, "hidden_size": 4544, "num_hidden_layers": 32,
        "num_attention_heads": 71, "activation": "gelu", "alibi": false, "bias": false, "multi_query": true,
        "parallel_attn": true, "new_decoder_architecture": false, "tie_word_embeddings": true})";
constexpr std::string_view minicpm_defaults =
    R"({"vocab_size": 32000, "max_position_embeddings": 2048, "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "intermediate_size": 11008, "hidden_act": "silu", "tie_word_embeddings": true,
        "attention_bias": false, "num_experts": 0, "num_experts_per_tok": 2, "sparse_config": null})";

constexpr std::string_view bert_defaults =
    R"({"vocab_size": 30522, "max_position_embeddings": 512, "type_vocab_size": 2, "hidden_size": 768,
        "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072, "hidden_act": "gelu",
        "position_embedding_type": "absolute", "is_decoder": false, "add_cross_attention": false})";
constexpr std::string_view roberta_defaults =
    R"({"vocab_size": 50265, "max_position_embeddings": 512, "type_vocab_size": 2, "hidden_size": 768,
        "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072, "hidden_act": "gelu",
        "position_embedding_type": "absolute", "is_decoder": false, "add_cross_attention": false})";
constexpr std::string_view distilbert_defaults =
    R"({"vocab_size": 30522, "max_position_embeddings": 512, "dim": 768, "n_layers": 6, "n_heads": 12,
        "hidden_dim": 3072, "activation": "gelu"})";
constexpr std::string_view vit_defaults =
    R"({"image_size": 224, "patch_size": 16, "num_channels": 3, "hidden_size": 768, "num_hidden_layers": 12,
        "num_attention_heads": 12, "intermediate_size": 3072, "hidden_act": "gelu", "qkv_bias": true})";
constexpr std::string_view swin_defaults =
    R"({"image_size": 224, "patch_size": 4, "num_channels": 3, "embed_dim": 96, "depths": [2, 2, 6, 2],
        "num_heads": [3, 6, 12, 24], "window_size": 7, "mlp_ratio": 4.0, "hidden_act": "gelu", "qkv_bias": true,
        "use_absolute_embeddings": false})";
constexpr std::string_view gpt2_defaults =
    R"({"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12,
        "activation_function": "gelu_new", "tie_word_embeddings": true, "add_cross_attention": false})";
constexpr std::string_view bigcode_defaults =
    R"({"vocab_size": 50257, "n_positions": 1024, "n_embd": 768, "n_layer": 12, "n_head": 12,
        "activation_function": "gelu_pytorch_tanh", "tie_word_embeddings": true, "add_cross_attention": false,
        "multi_query": true})";
constexpr std::string_view gptj_defaults =
    R"({"vocab_size": 50400, "n_positions": 2048, "n_embd": 4096, "n_layer": 28, "n_head": 16,
        "activation_function": "gelu_new", "tie_word_embeddings": false, "add_cross_attention": false})";
constexpr std::string_view phi_msft_defaults =
    R"({"vocab_size": 50304, "n_positions": 2048, "n_embd": 1024, "n_layer": 20, "n_head": 16,
        "activation_function": "gelu_new", "tie_word_embeddings": false, "add_cross_attention": false})";
constexpr std::string_view opt_defaults =
    R"({"vocab_size": 50272, "max_position_embeddings": 2048, "hidden_size": 768, "num_hidden_layers": 12,
        "num_attention_heads": 12, "ffn_dim": 3072, "activation_function": "relu", "tie_word_embeddings": true,
        "do_layer_norm_before": true, "_remove_final_layer_norm": false, "enable_bias": true,
        "layer_norm_elementwise_affine": true})";

// The encoder of BERT is the same under every head, and the family leaves heads out; the families of ViT and Swin
// include the classifier, so only classification architectures are accepted.
constexpr std::string_view bert_architectures =
    "BertModel BertForPreTraining BertForMaskedLM BertForNextSentencePrediction BertForSequenceClassification "
    "BertForMultipleChoice BertForTokenClassification BertForQuestionAnswering";
constexpr std::string_view roberta_architectures =
    "RobertaModel RobertaForMaskedLM RobertaForSequenceClassification RobertaForMultipleChoice "
    "RobertaForTokenClassification RobertaForQuestionAnswering";
constexpr std::string_view distilbert_architectures =
    "DistilBertModel DistilBertForMaskedLM DistilBertForSequenceClassification DistilBertForMultipleChoice "
    "DistilBertForTokenClassification DistilBertForQuestionAnswering";

constexpr std::string_view layer_norms = R"({"norm": "layer"})";
constexpr std::string_view qkv_bias = R"({"qkv_bias": true})";
constexpr std::string_view head_norms = R"({"query_key_norm": true})";
constexpr std::string_view around_norms = R"({"norm_placement": "around"})";
constexpr std::string_view phi_constants =
    R"({"gated": false, "norm": "layer", "position": "rotary", "bias": true, "parallel": true,
        "norm_placement": "shared", "head_bias": true})";

/// All configuration types; a new one adds an entry here.
constexpr std::array types{
    ModelType{.name = "bert",
              .family = "bert",
              .architectures = bert_architectures,
              .rules = {bert_rules, bert_tokens},
              .defaults = bert_defaults},
    ModelType{.name = "roberta",
              .family = "bert",
              .architectures = roberta_architectures,
              .rules = {bert_rules, roberta_tokens},
              .defaults = roberta_defaults},
    ModelType{.name = "distilbert",
              .family = "bert",
              .architectures = distilbert_architectures,
              .rules = {distilbert_rules, bert_tokens},
              .defaults = distilbert_defaults,
              .constants = {R"({"token_types": 0, "pooler": false})", "{}"},
              .width = "dim"},
    ModelType{.name = "vit",
              .family = "vit",
              .architectures = "ViTForImageClassification",
              .rules = {vit_rules},
              .defaults = vit_defaults,
              .labels = "classes"},
    ModelType{.name = "deit",
              .family = "vit",
              .architectures = "DeiTForImageClassificationWithTeacher",
              .rules = {vit_rules},
              .defaults = vit_defaults,
              .constants = {R"({"distilled": true})", "{}"},
              .labels = "classes"},
    ModelType{.name = "swin",
              .family = "swin",
              .architectures = "SwinForImageClassification",
              .rules = {swin_rules},
              .defaults = swin_defaults,
              .width = "embed_dim",
              .labels = "classes",
              .stages = "depths"},

    ModelType{.name = "gpt2",
              .family = "decoder",
              .architectures = "GPT2LMHeadModel",
              .rules = {gpt2_rules},
              .defaults = gpt2_defaults,
              .constants = {gpt_constants, "{}"},
              .width = "n_embd"},
    ModelType{.name = "gpt_bigcode",
              .family = "decoder",
              .architectures = "GPTBigCodeForCausalLM",
              .rules = {gpt2_rules},
              .defaults = bigcode_defaults,
              .constants = {gpt_constants, "{}"},
              .width = "n_embd",
              .complete = complete_bigcode},
    ModelType{.name = "gptj",
              .family = "decoder",
              .architectures = "GPTJForCausalLM",
              .rules = {gpt2_rules},
              .defaults = gptj_defaults,
              .constants = {R"({"gated": false, "norm": "layer", "position": "rotary", "bias": false,
                                "parallel": true, "norm_placement": "shared", "ffn_bias": true,
                                "head_bias": true})",
                            "{}"},
              .width = "n_embd"},
    ModelType{.name = "gpt_neox",
              .family = "decoder",
              .architectures = "GPTNeoXForCausalLM",
              .rules = {core, dense, attention_bias, neox_rules},
              .defaults = gpt_neox_defaults,
              .constants = {R"({"gated": false, "norm": "layer", "position": "rotary", "bias": false,
                                "ffn_bias": true})",
                            "{}"}},
    ModelType{.name = "opt",
              .family = "decoder",
              .architectures = "OPTForCausalLM",
              .rules = {opt_rules},
              .defaults = opt_defaults,
              .constants = {gpt_constants, "{}"}},
    ModelType{.name = "bloom",
              .family = "decoder",
              .architectures = "BloomForCausalLM",
              .rules = {bloom_rules},
              .defaults = bloom_defaults,
              .constants = {R"({"gated": false, "norm": "layer", "position": "alibi", "bias": true,
                                "activation": "gelu", "embedding_norm": true})",
                            "{}"},
              .width = "hidden_size|n_embed"},
    ModelType{.name = "falcon",
              .family = "decoder",
              .architectures = "FalconForCausalLM",
              .rules = {falcon_rules},
              .defaults = falcon_defaults,
              .constants = {R"({"gated": false, "norm": "layer"})", "{}"},
              .complete = complete_falcon},
    ModelType{.name = "mpt",
              .family = "decoder",
              .architectures = "MptForCausalLM MPTForCausalLM",
              .rules = {mpt_rules},
              .defaults = mpt_defaults,
              .constants = {R"({"gated": false, "activation": "gelu"})", "{}"},
              .width = "d_model",
              .complete = complete_mpt},
    ModelType{.name = "starcoder2",
              .family = "decoder",
              .architectures = "Starcoder2ForCausalLM",
              .rules = {core, grouped, dense, windowed, starcoder_rules},
              .defaults = starcoder2_defaults,
              .constants = {R"({"gated": false, "norm": "layer", "position": "rotary"})", "{}"}},
    ModelType{.name = "phi",
              .family = "decoder",
              .architectures = "PhiForCausalLM",
              .rules = {core, grouped, dense, phi_rules},
              .defaults = phi_defaults,
              .constants = {phi_constants, "{}"}},
    ModelType{.name = "phi-msft",
              .family = "decoder",
              .architectures = "PhiForCausalLM",
              .rules = {gpt2_rules},
              .defaults = phi_msft_defaults,
              .constants = {phi_constants, "{}"},
              .width = "n_embd"},

    ModelType{.name = "llama",
              .family = "decoder",
              .architectures = "LlamaForCausalLM",
              .rules = {core, grouped, dense, llama_biases},
              .defaults = llama_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "granite",
              .family = "decoder",
              .architectures = "GraniteForCausalLM",
              .rules = {core, grouped, dense, llama_biases},
              .defaults = llama_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "mistral",
              .family = "decoder",
              .architectures = "MistralForCausalLM",
              .rules = {core, grouped, dense, windowed},
              .defaults = mistral_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "ministral3",
              .family = "decoder",
              .architectures = "Ministral3ForCausalLM Mistral3ForConditionalGeneration",
              .rules = {core, grouped, dense, windowed},
              .defaults = ministral3_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "mixtral",
              .family = "decoder",
              .architectures = "MixtralForCausalLM",
              .rules = {core, grouped, mixtral_experts, windowed},
              .defaults = mixtral_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "phi3",
              .family = "decoder",
              .architectures = "Phi3ForCausalLM",
              .rules = {core, grouped, dense, windowed},
              .defaults = phi3_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "phimoe",
              .family = "decoder",
              .architectures = "PhiMoEForCausalLM PhimoeForCausalLM",
              .rules = {core, grouped, mixtral_experts, windowed, phimoe_rules},
              .defaults = phimoe_defaults,
              .constants = {rotary_constants, layer_norms}},
    ModelType{.name = "stablelm",
              .family = "decoder",
              .architectures = "StableLmForCausalLM StableLMEpochForCausalLM",
              .rules = {core, grouped, dense, stablelm_rules},
              .defaults = stablelm_defaults,
              .constants = {rotary_constants, layer_norms},
              .complete = complete_stablelm},
    ModelType{.name = "orion",
              .family = "decoder",
              .architectures = "OrionForCausalLM",
              .rules = {core, grouped, dense},
              .defaults = orion_defaults,
              .constants = {rotary_constants, layer_norms}},
    ModelType{.name = "internlm",
              .family = "decoder",
              .architectures = "InternLMForCausalLM",
              .rules = {core, grouped, dense, internlm_biases},
              .defaults = internlm_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "internlm2",
              .family = "decoder",
              .architectures = "InternLM2ForCausalLM",
              .rules = {core, grouped, dense, internlm_biases},
              .defaults = internlm_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "baichuan",
              .family = "decoder",
              .architectures = "BaichuanForCausalLM BaiChuanForCausalLM",
              .rules = {baichuan_rules},
              .defaults = baichuan_defaults,
              .constants = {rotary_constants, "{}"},
              .complete = complete_baichuan},
    ModelType{.name = "chatglm",
              .family = "decoder",
              .architectures = "ChatGLMModel ChatGLMForConditionalGeneration",
              .rules = {chatglm_rules},
              .defaults = chatglm_defaults,
              .constants = {R"({"gated": true, "position": "rotary", "activation": "silu"})", "{}"},
              .complete = complete_chatglm},
    ModelType{.name = "minicpm",
              .family = "decoder",
              .architectures = "MiniCPMForCausalLM",
              .rules = {core, grouped, attention_bias, minicpm_rules},
              .defaults = minicpm_defaults,
              .constants = {rotary_constants, "{}"},
              .complete = complete_minicpm},
    ModelType{
        .name = "cohere",
        .family = "decoder",
        .architectures = "CohereForCausalLM",
        .rules = {core, grouped, dense, attention_bias, cohere_norms},
        .defaults = cohere_defaults,
        .constants = {rotary_constants, R"({"norm": "layer-scale", "parallel": true, "norm_placement": "shared"})"}},
    ModelType{
        .name = "cohere2",
        .family = "decoder",
        .architectures = "Cohere2ForCausalLM",
        .rules = {core, grouped, dense, attention_bias, windowed},
        .defaults = cohere_defaults,
        .constants = {rotary_constants, R"({"norm": "layer-scale", "parallel": true, "norm_placement": "shared"})"},
        .windows = Windows::pattern,
        .window_period = 4},
    ModelType{.name = "olmo",
              .family = "decoder",
              .architectures = "OlmoForCausalLM",
              .rules = {core, grouped, dense, attention_bias},
              .defaults = olmo_defaults,
              .constants = {rotary_constants, R"({"norm": "layer-plain"})"}},
    ModelType{.name = "olmo2",
              .family = "decoder",
              .architectures = "Olmo2ForCausalLM",
              .rules = {core, grouped, dense, attention_bias},
              .defaults = olmo_defaults,
              .constants = {rotary_constants, R"({"norm_placement": "after", "query_key_norm": true,
                                                  "query_key_norm_of_all": true})"}},
    ModelType{.name = "olmo3",
              .family = "decoder",
              .architectures = "Olmo3ForCausalLM",
              .rules = {core, grouped, dense, attention_bias, windowed},
              .defaults = olmo_defaults,
              .constants = {rotary_constants, R"({"norm_placement": "after", "query_key_norm": true,
                                                  "query_key_norm_of_all": true})"},
              .windows = Windows::pattern,
              .window_period = 4},

    ModelType{.name = "qwen",
              .family = "decoder",
              .architectures = "QWenLMHeadModel",
              .rules = {qwen_rules},
              .defaults = qwen_defaults,
              .constants = {rotary_constants, R"({"qkv_bias": true,
                                                                             "activation": "silu"})"}},
    ModelType{.name = "qwen2",
              .family = "decoder",
              .architectures = "Qwen2ForCausalLM",
              .rules = {core, grouped, dense, windowed},
              .defaults = qwen2_defaults,
              .constants = {rotary_constants, qkv_bias},
              .windows = Windows::if_enabled},
    ModelType{.name = "mimo",
              .family = "decoder",
              .architectures = "MiMoForCausalLM",
              .rules = {core, grouped, dense, windowed},
              .defaults = qwen2_defaults,
              .constants = {rotary_constants, qkv_bias},
              .windows = Windows::if_enabled},
    ModelType{.name = "qwen2_moe",
              .family = "decoder",
              .architectures = "Qwen2MoeForCausalLM",
              .rules = {core, grouped, qwen_experts, windowed, qwen2_moe_rules},
              .defaults = qwen2_moe_defaults,
              .constants = {rotary_constants, R"({"qkv_bias": true, "shared_experts": 1, "shared_gate": true})"},
              .windows = Windows::if_enabled},
    ModelType{.name = "qwen3",
              .family = "decoder",
              .architectures = "Qwen3ForCausalLM",
              .rules = {core, grouped, dense, attention_bias, windowed},
              .defaults = qwen3_defaults,
              .constants = {rotary_constants, head_norms},
              .windows = Windows::if_enabled},
    ModelType{.name = "qwen3_moe",
              .family = "decoder",
              .architectures = "Qwen3MoeForCausalLM",
              .rules = {core, grouped, qwen_experts, attention_bias, windowed},
              .defaults = qwen3_moe_defaults,
              .constants = {rotary_constants, head_norms},
              .windows = Windows::if_enabled},
    ModelType{.name = "qwen3_vl_text",
              .family = "decoder",
              .architectures = "Qwen3VLForConditionalGeneration",
              .rules = {core, grouped, dense, attention_bias},
              .defaults = qwen3_vl_defaults,
              .constants = {rotary_constants, head_norms}},
    ModelType{.name = "qwen3_vl_moe_text",
              .family = "decoder",
              .architectures = "Qwen3VLMoeForConditionalGeneration",
              .rules = {core, grouped, qwen_experts, attention_bias},
              .defaults = qwen3_vl_moe_defaults,
              .constants = {rotary_constants, head_norms}},

    ModelType{.name = "gemma",
              .family = "decoder",
              .architectures = "GemmaForCausalLM",
              .rules = {core, grouped, dense, attention_bias},
              .defaults = gemma_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "gemma2",
              .family = "decoder",
              .architectures = "Gemma2ForCausalLM",
              .rules = {core, grouped, dense, attention_bias, windowed},
              .defaults = gemma2_defaults,
              .constants = {rotary_constants, around_norms},
              .windows = Windows::pattern,
              .window_period = 2},
    ModelType{.name = "gemma3_text",
              .family = "decoder",
              .architectures = "Gemma3ForCausalLM Gemma3ForConditionalGeneration",
              .rules = {core, grouped, dense, attention_bias, windowed},
              .defaults = gemma3_defaults,
              .constants = {rotary_constants, R"({"norm_placement": "around", "query_key_norm": true})"},
              .windows = Windows::pattern,
              .window_period = 6},
    ModelType{.name = "gpt_oss",
              .family = "decoder",
              .architectures = "GptOssForCausalLM",
              .rules = {core, grouped, mixtral_experts, attention_bias, windowed},
              .defaults = gpt_oss_defaults,
              .constants = {rotary_constants, R"({"sinks": true, "ffn_bias": true})"},
              .windows = Windows::pattern,
              .window_period = 2},
    ModelType{.name = "minimax_m2",
              .family = "decoder",
              .architectures = "MiniMaxM2ForCausalLM",
              .rules = {core, grouped, mixtral_experts, minimax_rules},
              .defaults = minimax_m2_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "llama4_text",
              .family = "decoder",
              .architectures = "Llama4ForCausalLM Llama4ForConditionalGeneration",
              .rules = {core, grouped, llama4_rules},
              .defaults = llama4_defaults,
              .constants = {rotary_constants, R"({"shared_experts": 1})"},
              .windows = Windows::pattern,
              .window_period = 4},
    ModelType{.name = "deepseek",
              .family = "decoder",
              .architectures = "DeepseekForCausalLM",
              .rules = {core, grouped, deepseek_experts, attention_bias},
              .defaults = deepseek_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "deepseek_v2",
              .family = "decoder",
              .architectures = "DeepseekV2ForCausalLM",
              .rules = {core, latent, deepseek_experts},
              .defaults = deepseek_v2_defaults,
              .constants = {rotary_constants, "{}"}},
    ModelType{.name = "deepseek_v3",
              .family = "decoder",
              .architectures = "DeepseekV3ForCausalLM KimiK25ForConditionalGeneration",
              .rules = {core, latent, deepseek_experts},
              .defaults = deepseek_v3_defaults,
              .constants = {rotary_constants, "{}"}},
};

constexpr std::string_view index_attention = "attention to tokens that an index layer chooses (sparse index attention)";
constexpr std::string_view linear_attention = "linear attention layers, which keep a state instead of a cache";
constexpr std::string_view state_space = "state-space layers (Mamba)";
constexpr std::string_view recurrent = "recurrent layers of linear attention";
constexpr std::string_view cross_attention = "an encoder and a decoder with cross attention between them";
constexpr std::string_view vision_tower =
    "layers of vision; its language part opens if 'text_config' is a file of its own";

/// Configuration types that are refused; a new one adds an entry here.
constexpr std::array unmodeled{
    UnmodeledType{"deepseek_ref", "", "sparse and compressed attention"},
    UnmodeledType{"deepseek_v4", "DeepseekV4ForCausalLM", "sparse and compressed attention"},
    UnmodeledType{"deepseek_v32", "DeepseekV32ForCausalLM", index_attention},
    UnmodeledType{"glm_moe_dsa", "GlmMoeDsaForCausalLM", index_attention},
    UnmodeledType{"kimi_k3", "KimiK3ForConditionalGeneration", linear_attention},
    UnmodeledType{"kimi_linear", "KimiLinearForCausalLM", linear_attention},
    UnmodeledType{"qwen3_5", "Qwen3_5ForConditionalGeneration", linear_attention},
    UnmodeledType{"qwen3_5_moe", "Qwen3_5MoeForConditionalGeneration", linear_attention},
    UnmodeledType{"qwen3_next", "Qwen3NextForCausalLM", linear_attention},
    UnmodeledType{"minimax", "MiniMaxForCausalLM", linear_attention},
    UnmodeledType{"minimax_m3", "MiniMaxM3ForCausalLM", "sparse attention"},
    UnmodeledType{"minimax_m3_vl", "MiniMaxM3SparseForConditionalGeneration", "sparse attention"},
    UnmodeledType{"llava", "LlavaForConditionalGeneration", vision_tower},
    UnmodeledType{"phi3_v", "Phi3VForCausalLM", "layers of vision (a CLIP encoder)"},
    UnmodeledType{"nemotron-nas", "DeciLMForCausalLM", "a layer shape of its own in each block"},
    UnmodeledType{"nemotron_h", "NemotronHForCausalLM", state_space},
    UnmodeledType{"mamba", "MambaForCausalLM", state_space},
    UnmodeledType{"mamba2", "Mamba2ForCausalLM", state_space},
    UnmodeledType{"jamba", "JambaForCausalLM", state_space},
    UnmodeledType{"falcon_h1", "FalconH1ForCausalLM", state_space},
    UnmodeledType{"rwkv", "", recurrent},
    UnmodeledType{"rwkv5", "RwkvForCausalLM", recurrent},
    UnmodeledType{"rwkv6", "Rwkv6ForCausalLM", recurrent},
    UnmodeledType{"step3p7", "Step3p7FlashForCausalLM", "attention and expert layers with sizes of their own"},
    UnmodeledType{"t5", "T5ForConditionalGeneration", cross_attention},
    UnmodeledType{"bart", "BartForConditionalGeneration", cross_attention},
    UnmodeledType{"whisper", "WhisperForConditionalGeneration", cross_attention},
    UnmodeledType{"gemma4", "Gemma4ForConditionalGeneration",
                  "full attention layers with heads of another size, and embeddings for each block"},
    UnmodeledType{"mimo_v2_flash", "MiMoV2FlashForCausalLM",
                  "windowed attention layers with other heads, and values of another size than keys"},
};

}  // namespace

std::span<const ModelType> model_types() { return types; }

std::span<const UnmodeledType> unmodeled_types() { return unmodeled; }

}  // namespace pimsweep::workload::import
