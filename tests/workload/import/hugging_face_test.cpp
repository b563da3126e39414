// Networks of Hugging Face configurations.
#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "base/posix_file.h"
#include "graph_differences.h"
#include "workload/import/formats.h"
#include "workload/model_library.h"

namespace pimsweep::workload {

namespace {

using Catch::Matchers::Contains;

const std::string configurations = "tests/workload/import/networks/";

Model read(const std::string& text) { return import::read_json_network(text, {"config.json", "", {}}); }

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("A configuration gives the graph of the built-in model", "[import]") {
  static const ModelLibrary library("configs/models");
  const auto [folder, model, default_size, sizes] =
      GENERATE(table<std::string, std::string, std::int64_t, std::vector<std::int64_t>>(
          {{"bert-base-uncased", "bert-base", 512, {1, 64, 512}},
           {"vit-base-patch16-224", "vit-b", 224, {224, 250}},
           {"swin-tiny-patch4-window7-224", "swin-t", 224, {224, 256}}}));
  CAPTURE(model);
  const Model read_model = read(read_file(configurations + folder + "/config.json"));
  CHECK(read_model.family == library.family(model));
  CHECK(read_model.default_size == default_size);
  CHECK(read_model.architecture->max_input_size() == (read_model.tokens ? 512 : families::max_image_px));
  for (const std::int64_t size : sizes) {
    CHECK(lines_of(read_model.architecture->graph(size)) == lines_of(library.graph(model, size)));
  }
  // BERT's own file has another default: 64 tokens.
  CHECK((read_model.content == library.content(model)) == !read_model.tokens);
}

TEST_CASE("Keys that are missing have the defaults of the transformers library", "[import]") {
  const auto [type, folder, labels] = GENERATE(table<std::string, std::string, std::string>(
      {{"bert", "bert-base-uncased", ""},
       {"vit", "vit-base-patch16-224", ", \"num_labels\": 1000"},
       {"swin", "swin-tiny-patch4-window7-224", ", \"num_labels\": 1000"}}));
  const Model whole = read(read_file(configurations + folder + "/config.json"));
  CHECK(read("{\"model_type\": \"" + type + "\"" + labels + "}").content == whole.content);
}

TEST_CASE("Keys that do not affect shapes are ignored", "[import]") {
  const std::string type = GENERATE("bert", "vit", "swin");
  std::string text = "{\"model_type\": \"" + type + "\"";
  for (const std::string key : {"_name_or_path",
                                "attention_probs_dropout_prob",
                                "classifier_dropout",
                                "directionality",
                                "drop_path_rate",
                                "encoder_stride",
                                "finetuning_task",
                                "gradient_checkpointing",
                                "hidden_dropout_prob",
                                "initializer_range",
                                "is_encoder_decoder",
                                "layer_norm_eps",
                                "num_layers",
                                "out_features",
                                "out_indices",
                                "output_past",
                                "pad_token_id",
                                "path_norm",
                                "pooler_act",
                                "pooler_fc_size",
                                "pooler_num_attention_heads",
                                "pooler_num_fc_layers",
                                "pooler_output_size",
                                "pooler_size_per_head",
                                "pooler_type",
                                "problem_type",
                                "pruned_heads",
                                "stage_names",
                                "tie_word_embeddings",
                                "torch_dtype",
                                "transformers_version",
                                "use_cache"}) {
    text += ", \"" + key + "\": 1";
  }
  CHECK(read(text + "}").content == read("{\"model_type\": \"" + type + "\"}").content);
}

TEST_CASE("The number of labels is that of id2label, else num_labels, else 2", "[import]") {
  const auto [keys, labels] =
      GENERATE(table<std::string, std::int64_t>({{"", 2},
                                                 {", \"id2label\": null", 2},
                                                 {", \"num_labels\": 7", 7},
                                                 {", \"id2label\": {\"0\": \"a\", \"1\": \"b\", \"2\": \"c\"}", 3}}));
  const OperatorGraph graph = read("{\"model_type\": \"vit\"" + keys + "}").architecture->graph(224);
  CHECK(graph.at(graph.size() - 1).output.shape.back() == labels);
}

TEST_CASE("A width of the feed-forward network that is not a multiple of the channels is kept", "[import]") {
  for (int hidden = 1000; hidden < 1400; ++hidden) {
    const OperatorGraph graph =
        read("{\"model_type\": \"vit\", \"num_hidden_layers\": 1, \"intermediate_size\": " + std::to_string(hidden) +
             "}")
            .architecture->graph(224);
    bool found = false;
    for (OperatorId id = 0; id < graph.size(); ++id) found = found || graph.at(id).output.shape.back() == hidden;
    CHECK(found);
  }
}

TEST_CASE("All errors in a configuration are reported at once, by its keys", "[import]") {
  const std::string wrong =
      "{\"model_type\": \"bert\",\n \"architectures\": [\"BertLMHeadModel\"],\n \"hidden_size\": 0,\n"
      " \"num_hidden_layers\": \"12\",\n \"hidden_act\": \"relu\",\n \"intermediate_size\": [3072],\n"
      " \"vocab_size\": 1e30,\n \"max_position_embeding\": 128,\n \"is_decoder\": true}";
  CHECK_THAT(
      error_of(wrong),
      Contains("config.json:2:20: 'architectures' has the text BertLMHeadModel, but a list of these is needed: "
               "BertModel, ") &&
          Contains("config.json:3:17: hidden_size: 'channels' is 0, but an integer from 1 to 65536 is needed") &&
          Contains("config.json:4:23: num_hidden_layers: 'blocks' is \"12\", but") &&
          Contains("config.json:5:16: 'hidden_act' is the text relu, but the family 'bert' supports only gelu") &&
          Contains("config.json:6:23: intermediate_size: 'hidden' is [3072], but an integer") &&
          Contains("config.json:7:16: vocab_size: 'vocabulary' is 1e+30, but an integer") &&
          Contains("config.json:8:2: unknown key 'max_position_embeding' (did you mean "
                   "'max_position_embeddings'?)") &&
          Contains("config.json:9:16: 'is_decoder' is the boolean true, but the family 'bert' supports only false"));
}

TEST_CASE("Configurations of other networks are errors that say what is known", "[import]") {
  CHECK_THAT(error_of("{\"model_type\": \"swinv2\"}"),
             Contains("config.json:1:16: 'model_type' is the text swinv2, which is not known; known are: bert, "
                      "roberta, "));
  CHECK_THAT(error_of("{\"hidden_size\": 1}"), Contains("config.json:1:1: the configuration lacks 'model_type'"));
  CHECK_THAT(error_of("[1]"), Contains("config.json:1:1: expected a configuration, an object {...}, got a list"));
  CHECK_THAT(error_of("name = \"x\""), Contains("config.json:1:1: no JSON: "));
  CHECK_THAT(error_of("{\"model_type\": \"vit\", \"image_size\": [224, 224]}"),
             Contains("config.json:1:37: image_size: 'image_px' is [224, 224], but an integer"));
  CHECK_THAT(error_of("{\"model_type\": \"vit\", \"image_size\": null}"),
             Contains("config.json:1:37: 'image_size' is null, but a number"));
  CHECK_THAT(error_of("{\"model_type\": \"vit\", \"num_labels\": 3, \"id2label\": {\"0\": \"a\"}}"),
             Contains("config.json:1:37: 'num_labels' is the integer 3, but 'id2label' names 1 labels"));
  CHECK_THAT(error_of("{\"model_type\": \"swin\", \"depths\": [2, 2], \"embed_dim\": 100, \"num_heads\": [3, 6, 12]}"),
             Contains("num_heads: 'heads' is [3, 6, 12], but a list of 2 integers"));
  CHECK_THROWS_WITH(import::read_json_network("{}", {"config.json", "large", {}}), Contains("remove ':large'"));
}

}  // namespace pimsweep::workload
