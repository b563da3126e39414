#pragma once

#include <array>
#include <string_view>

#include "workload/import/hugging_face_types.h"

namespace pimsweep::workload::import {

// Configurations of language models that generate tokens. Defaults: transformers 4.x,
// src/transformers/models/*/configuration_*.py; what has no key there: modeling_*.py.

inline constexpr std::array absolute_constants{
    Constant{"gated", "false"},
    Constant{"norm", R"("layer")"},
    Constant{"position", R"("learned")"},
    Constant{"bias", "true"},
};

inline constexpr std::array rotary_constants{
    Constant{"gated", "true"},
    Constant{"norm", R"("rms")"},
    Constant{"position", R"("rotary")"},
    Constant{"bias", "false"},
};

inline constexpr std::array qwen2_constants{
    Constant{"gated", "true"}, Constant{"norm", R"("rms")"}, Constant{"position", R"("rotary")"},
    Constant{"bias", "false"}, Constant{"qkv_bias", "true"},
};

inline constexpr std::array qwen3_constants{
    Constant{"gated", "true"}, Constant{"norm", R"("rms")"},       Constant{"position", R"("rotary")"},
    Constant{"bias", "false"}, Constant{"query_key_norm", "true"},
};

inline constexpr std::array gpt2_keys{
    KeyRule{"vocab_size", "vocabulary", "50257"},
    KeyRule{"n_positions", "positions", "1024"},
    KeyRule{"n_positions", "tokens", "1024", Form::tokens},
    KeyRule{"n_embd", "hidden", "768"},
    KeyRule{"n_layer", "blocks", "12"},
    KeyRule{"n_head", "heads", "12"},
    KeyRule{"n_inner", "ffn", "null", Form::four_widths},
    KeyRule{"activation_function", "activation", R"("gelu_new")", Form::activation},
    KeyRule{"tie_word_embeddings", "tied", "true"},
    KeyRule{"add_cross_attention", "", "false", Form::fixed},
};

// The table of positions begins two rows before the first token.
inline constexpr std::array opt_keys{
    KeyRule{"vocab_size", "vocabulary", "50272"},
    KeyRule{"max_position_embeddings", "positions", "2048", Form::two_more},
    KeyRule{"max_position_embeddings", "tokens", "2048", Form::tokens},
    KeyRule{"hidden_size", "hidden", "768"},
    KeyRule{"num_hidden_layers", "blocks", "12"},
    KeyRule{"num_attention_heads", "heads", "12"},
    KeyRule{"ffn_dim", "ffn", "3072"},
    KeyRule{"activation_function", "activation", R"("relu")", Form::activation},
    KeyRule{"tie_word_embeddings", "tied", "true"},
    KeyRule{"word_embed_proj_dim", "hidden_size", "null", Form::equal},
    KeyRule{"do_layer_norm_before", "", "true", Form::fixed},
    KeyRule{"_remove_final_layer_norm", "", "false", Form::fixed},
    KeyRule{"enable_bias", "", "true", Form::fixed},
    KeyRule{"layer_norm_elementwise_affine", "", "true", Form::fixed},
};

inline constexpr std::array llama_keys{
    KeyRule{"vocab_size", "vocabulary", "32000"},
    KeyRule{"max_position_embeddings", "positions", "2048"},
    KeyRule{"max_position_embeddings", "tokens", "2048", Form::tokens},
    KeyRule{"hidden_size", "hidden", "4096"},
    KeyRule{"num_hidden_layers", "blocks", "32"},
    KeyRule{"num_attention_heads", "heads", "32"},
    KeyRule{"num_key_value_heads", "kv_heads", "null", Form::if_any},
    KeyRule{"head_dim", "head_size", "null", Form::if_any},
    KeyRule{"intermediate_size", "ffn", "11008"},
    KeyRule{"hidden_act", "activation", R"("silu")", Form::activation},
    KeyRule{"tie_word_embeddings", "tied", "false"},
    KeyRule{"attention_bias", "", "false", Form::fixed},
    KeyRule{"mlp_bias", "", "false", Form::fixed},
};

inline constexpr std::array mistral_keys{
    KeyRule{"vocab_size", "vocabulary", "32000"},
    KeyRule{"max_position_embeddings", "positions", "131072"},
    KeyRule{"max_position_embeddings", "tokens", "131072", Form::tokens},
    KeyRule{"hidden_size", "hidden", "4096"},
    KeyRule{"num_hidden_layers", "blocks", "32"},
    KeyRule{"num_attention_heads", "heads", "32"},
    KeyRule{"num_key_value_heads", "kv_heads", "8", Form::if_any},
    KeyRule{"head_dim", "head_size", "null", Form::if_any},
    KeyRule{"intermediate_size", "ffn", "14336"},
    KeyRule{"hidden_act", "activation", R"("silu")", Form::activation},
    KeyRule{"sliding_window", "window", "4096", Form::if_any},
    KeyRule{"tie_word_embeddings", "tied", "false"},
};

inline constexpr std::array qwen2_keys{
    KeyRule{"vocab_size", "vocabulary", "151936"},
    KeyRule{"max_position_embeddings", "positions", "32768"},
    KeyRule{"max_position_embeddings", "tokens", "32768", Form::tokens},
    KeyRule{"hidden_size", "hidden", "4096"},
    KeyRule{"num_hidden_layers", "blocks", "32"},
    KeyRule{"num_attention_heads", "heads", "32"},
    KeyRule{"num_key_value_heads", "kv_heads", "32", Form::if_any},
    KeyRule{"head_dim", "head_size", "null", Form::if_any},
    KeyRule{"intermediate_size", "ffn", "22016"},
    KeyRule{"hidden_act", "activation", R"("silu")", Form::activation},
    KeyRule{"tie_word_embeddings", "tied", "false"},
    KeyRule{"use_sliding_window", "", "false", Form::fixed},
};

inline constexpr std::array qwen3_keys{
    KeyRule{"vocab_size", "vocabulary", "151936"},
    KeyRule{"max_position_embeddings", "positions", "32768"},
    KeyRule{"max_position_embeddings", "tokens", "32768", Form::tokens},
    KeyRule{"hidden_size", "hidden", "4096"},
    KeyRule{"num_hidden_layers", "blocks", "32"},
    KeyRule{"num_attention_heads", "heads", "32"},
    KeyRule{"num_key_value_heads", "kv_heads", "32", Form::if_any},
    KeyRule{"head_dim", "head_size", "128"},
    KeyRule{"intermediate_size", "ffn", "22016"},
    KeyRule{"hidden_act", "activation", R"("silu")", Form::activation},
    KeyRule{"tie_word_embeddings", "tied", "false"},
    KeyRule{"attention_bias", "", "false", Form::fixed},
    KeyRule{"use_sliding_window", "", "false", Form::fixed},
};

// The width of blocks without experts is passed over: there are none.
inline constexpr std::array qwen3_moe_keys{
    KeyRule{"vocab_size", "vocabulary", "151936"},
    KeyRule{"max_position_embeddings", "positions", "32768"},
    KeyRule{"max_position_embeddings", "tokens", "32768", Form::tokens},
    KeyRule{"hidden_size", "hidden", "2048"},
    KeyRule{"num_hidden_layers", "blocks", "24"},
    KeyRule{"num_attention_heads", "heads", "32"},
    KeyRule{"num_key_value_heads", "kv_heads", "4", Form::if_any},
    KeyRule{"head_dim", "head_size", "null", Form::if_any},
    KeyRule{"num_experts", "experts", "128"},
    KeyRule{"moe_intermediate_size", "expert_hidden", "768"},
    KeyRule{"num_experts_per_tok", "experts_per_token", "8"},
    KeyRule{"hidden_act", "activation", R"("silu")", Form::activation},
    KeyRule{"tie_word_embeddings", "tied", "false"},
    KeyRule{"attention_bias", "", "false", Form::fixed},
    KeyRule{"use_sliding_window", "", "false", Form::fixed},
    KeyRule{"decoder_sparse_step", "", "1", Form::fixed},
    KeyRule{"mlp_only_layers", "", "[]", Form::fixed},
};

inline constexpr std::array mixtral_keys{
    KeyRule{"vocab_size", "vocabulary", "32000"},
    KeyRule{"max_position_embeddings", "positions", "131072"},
    KeyRule{"max_position_embeddings", "tokens", "131072", Form::tokens},
    KeyRule{"hidden_size", "hidden", "4096"},
    KeyRule{"num_hidden_layers", "blocks", "32"},
    KeyRule{"num_attention_heads", "heads", "32"},
    KeyRule{"num_key_value_heads", "kv_heads", "8", Form::if_any},
    KeyRule{"head_dim", "head_size", "null", Form::if_any},
    KeyRule{"num_local_experts", "experts", "8"},
    KeyRule{"intermediate_size", "expert_hidden", "14336"},
    KeyRule{"num_experts_per_tok", "experts_per_token", "2"},
    KeyRule{"hidden_act", "activation", R"("silu")", Form::activation},
    KeyRule{"sliding_window", "window", "null", Form::if_any},
    KeyRule{"tie_word_embeddings", "tied", "false"},
};

inline constexpr std::array gemma_keys{
    KeyRule{"vocab_size", "vocabulary", "256000"},
    KeyRule{"max_position_embeddings", "positions", "8192"},
    KeyRule{"max_position_embeddings", "tokens", "8192", Form::tokens},
    KeyRule{"hidden_size", "hidden", "3072"},
    KeyRule{"num_hidden_layers", "blocks", "28"},
    KeyRule{"num_attention_heads", "heads", "16"},
    KeyRule{"num_key_value_heads", "kv_heads", "16"},
    KeyRule{"head_dim", "head_size", "256"},
    KeyRule{"intermediate_size", "ffn", "24576"},
    KeyRule{"hidden_act", "activation", R"("gelu_pytorch_tanh")", Form::activation},
    KeyRule{"tie_word_embeddings", "tied", "true"},
    KeyRule{"attention_bias", "", "false", Form::fixed},
};

inline constexpr std::array deepseek_v3_keys{
    KeyRule{"vocab_size", "vocabulary", "129280"},
    KeyRule{"max_position_embeddings", "positions", "4096"},
    KeyRule{"max_position_embeddings", "tokens", "4096", Form::tokens},
    KeyRule{"hidden_size", "hidden", "7168"},
    KeyRule{"num_hidden_layers", "blocks", "61"},
    KeyRule{"num_attention_heads", "heads", "128"},
    KeyRule{"qk_nope_head_dim", "head_size", "128"},
    KeyRule{"v_head_dim", "qk_nope_head_dim", "128", Form::equal},
    KeyRule{"q_lora_rank", "query_rank", "1536", Form::if_any},
    KeyRule{"kv_lora_rank", "cache_rank", "512"},
    KeyRule{"qk_rope_head_dim", "rotary_size", "64"},
    KeyRule{"intermediate_size", "ffn", "18432"},
    KeyRule{"first_k_dense_replace", "dense_blocks", "3"},
    KeyRule{"n_routed_experts", "experts", "256"},
    KeyRule{"moe_intermediate_size", "expert_hidden", "2048"},
    KeyRule{"num_experts_per_tok", "experts_per_token", "8"},
    KeyRule{"n_shared_experts", "shared_experts", "1", Form::if_any},
    KeyRule{"hidden_act", "activation", R"("silu")", Form::activation},
    KeyRule{"tie_word_embeddings", "tied", "false"},
    KeyRule{"attention_bias", "", "false", Form::fixed},
    KeyRule{"moe_layer_freq", "", "1", Form::fixed},
};

inline constexpr std::array<std::string_view, 1> gpt2_architectures{"GPT2LMHeadModel"};
inline constexpr std::array<std::string_view, 1> opt_architectures{"OPTForCausalLM"};
inline constexpr std::array<std::string_view, 1> llama_architectures{"LlamaForCausalLM"};
inline constexpr std::array<std::string_view, 1> mistral_architectures{"MistralForCausalLM"};
inline constexpr std::array<std::string_view, 1> qwen2_architectures{"Qwen2ForCausalLM"};
inline constexpr std::array<std::string_view, 1> qwen3_architectures{"Qwen3ForCausalLM"};
inline constexpr std::array<std::string_view, 1> qwen3_moe_architectures{"Qwen3MoeForCausalLM"};
inline constexpr std::array<std::string_view, 1> mixtral_architectures{"MixtralForCausalLM"};
inline constexpr std::array<std::string_view, 1> gemma_architectures{"GemmaForCausalLM"};
inline constexpr std::array<std::string_view, 1> deepseek_v3_architectures{"DeepseekV3ForCausalLM"};

}  // namespace pimsweep::workload::import
