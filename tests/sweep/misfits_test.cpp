// Models that a system or policy cannot run, as `pimsweep check` finds them: the networks of tests/workload/import on
// all systems, and each kind of misfit.
#include "sweep/misfits.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>

#include "base/error.h"
#include "sweep/hardware_systems.h"
#include "sweep/plan.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using Catch::Matchers::Contains;

namespace {

const std::string networks_folder = "tests/workload/import/networks/";
/// Networks with images of any size, of 224 px only, and of tokens.
const std::vector<std::string> image_networks{"googlenet",    "inception-v3",  "densenet-121",
                                              "resnet-50",    "shufflenet-v2", "squeezenet",
                                              "mobilenet-v2", "mobilenet-v3",  "u-net"};
const std::vector<std::string> fixed_networks{"alexnet", "vgg-19", "swin-t", "vit-b-16"};
const std::vector<std::string> token_networks{"decoder", "lstm"};

/// Loads an experiment with one study. What it names lies in the source tree, in which tests run.
Plan load(const std::string& study) {
  return parse_plan("name = \"x\"\n[[study]]\nid = \"s\"\n" + study, "x.toml", {"configs", {}, {}},
                    [](const std::string& system, const ConfigFolders& configs) {
                      return systems::make_system(system, configs)->schema();
                    });
}

StudyFit fit_of(const std::string& study) { return find_misfits(load(study)).at(0); }

/// Message that the evaluation of a point throws; empty if it succeeds.
std::string failure(systems::System& system, const systems::Point& point) {
  systems::Record record;
  record.reset(system.schema());
  try {
    system.evaluate(point, record);
  } catch (const std::exception& error) {
    return error.what();
  }
  CHECK(record.status == systems::Status::ok);
  return {};
}

/// A system with the keys of its study, and the networks that it cannot run, with the reasons.
struct Machine {
  std::string keys;
  std::map<std::string, std::string> misfits;
  /// A network that is not evaluated, since that takes minutes.
  std::string too_long = {};
};

const std::string groups = "convolution in ";
const std::map<std::string, std::string> without_training{{"shufflenet-v2", groups},
                                                          {"mobilenet-v2", groups},
                                                          {"mobilenet-v3", groups},
                                                          {"u-net", "and not with a vector of classes"},
                                                          {"decoder", "with the weights of another operator"}};

std::map<std::string, std::string> all_networks(const std::string& reason) {
  std::map<std::string, std::string> misfits;
  for (const auto* networks : {&image_networks, &fixed_networks, &token_networks}) {
    for (const std::string& network : *networks) misfits[network] = reason;
  }
  return misfits;
}

std::string study_of(const Machine& machine, const std::vector<std::string>& networks, const std::string& size) {
  std::string list;
  for (const std::string& network : networks) list += fmt::format("\"{}{}.onnx\", ", networks_folder, network);
  return fmt::format("{}{}\n[study.axes]\nmodel = [{}]\n", machine.keys, size, list);
}

/// Checks that exactly the expected networks do not fit, for the expected reason, and evaluates all points: those that
/// fit succeed, and all others fail with the text of the misfit.
void check_study(const Machine& machine, const std::string& text) {
  const Plan plan = load(text);
  const Study& study = plan.studies[0];
  const auto system = systems::make_system(study.system(), "configs");
  systems::Point point(study.schema().axes.size());
  for (std::uint64_t i = 0; i < study.size(); ++i) {
    study.point(i, point);
    const std::string file = point.text(static_cast<std::size_t>(study.schema().axis_index("model")));
    const std::string network = file.substr(0, file.find(".onnx"));
    CAPTURE(machine.keys, network);
    const std::string reason = system->misfit(point).value_or("");
    const auto expected = machine.misfits.find(network);
    if (expected == machine.misfits.end()) CHECK_THAT(reason, Catch::Matchers::Equals(""));
    if (expected != machine.misfits.end()) CHECK_THAT(reason, Contains(expected->second));
    if (network != machine.too_long) CHECK(failure(*system, point) == reason);
  }
}

}  // namespace

TEST_CASE("What does not fit is known before the networks of ONNX files run, on every system", "[networks]") {
  const std::string on_allspark = "system = \"allspark\"\nhardware = \"allspark-vs-v100\"\nexecution = ";
  const std::vector<Machine> machines{
      {on_allspark + "\"schedule\"", all_networks("has no stages and branches")},
      {on_allspark + "\"ideal\"", all_networks("has no stages and branches")},
      {on_allspark + "\"operators\"", {{"u-net", "cannot map /up.0/ConvTranspose (transposed_convolution)"}}},
      {on_allspark + "\"gpu\"", {}},
      {"system = \"gpu\"\nhardware = \"gpu-v100\"", {}},
      {"system = \"pimflow\"\nhardware = \"pimflow-rtx-2060\"\npolicy = \"pimflow\"", {}},
      {"system = \"hypar\"\nhardware = \"hypar-hmc-array\"\npolicy = \"trick\"", {}},
      {"system = \"hypar\"\nhardware = \"hypar-hmc-array\"\npolicy = \"hypar\"", {}, "densenet-121"},
      {"system = \"heteropim\"\nhardware = \"heteropim\"\npolicy = \"hetero-pim\"\nbatch = 2", without_training},
      {"system = \"rtconc\"\nhardware = \"rtconc-xeon-phi-7250\"\npolicy = \"recommended\"\nbatch = 2",
       without_training},
  };
  for (const Machine& machine : machines) {
    check_study(machine, study_of(machine, image_networks, "\nimage_px = 96"));
    check_study(machine, study_of(machine, fixed_networks, ""));
    check_study(machine, study_of(machine, token_networks, "\ntokens = 8"));
  }
}

namespace {

const std::string allspark = "system = \"allspark\"\nhardware = \"allspark-vs-v100\"\n";
const std::string gpu = "system = \"gpu\"\nhardware = \"gpu-v100\"\n";
const std::string heteropim = "system = \"heteropim\"\nhardware = \"heteropim\"\n";
const std::string hypar = "system = \"hypar\"\nhardware = \"hypar-hmc-array\"\n";
const std::string llm = "system = \"llm\"\nhardware = \"llm-8-a100\"\npolicy = \"gpu\"\n";
const std::string serving =
    "system = \"serving\"\nhardware = \"gpu-h100\"\npolicy = \"gpu\"\nmodel = \"llama-3.1-8b\"\n";
const std::string pimflow = "system = \"pimflow\"\nhardware = \"pimflow-rtx-2060\"\npolicy = \"pimflow\"\n";
const std::string rtconc = "system = \"rtconc\"\nhardware = \"rtconc-xeon-phi-7250\"\npolicy = \"recommended\"\n";

/// A study of one point that does not fit: a part of its reason, and the begin of what could run it.
struct Kind {
  std::string study;
  std::string reason;
  std::string alternatives;
};

/// Evaluates the only point of a study.
std::string failure_of(const std::string& text) {
  const Plan plan = load(text);
  REQUIRE(plan.size() == 1);
  const auto system = systems::make_system(plan.studies[0].system(), "configs");
  systems::Point point(plan.studies[0].schema().axes.size());
  plan.studies[0].point(0, point);
  return failure(*system, point);
}

}  // namespace

TEST_CASE("Each kind of misfit has the text with which its points fail") {
  const auto kind = GENERATE(values<Kind>({
      {gpu + "model = \"inception-v3\"\nimage_px = 30\n", "takes images of 75 to", ""},
      {gpu + "model = \"bert-base\"\nimage_px = 64\n", "set axis 'tokens' instead of 'image_px'", ""},
      {rtconc + "model = \"resnet-50\"\ntokens = 5\n", "set axis 'image_px' instead of 'tokens'", ""},
      {heteropim + "policy = \"cpu\"\nmodel = \"inception-v3\"\nimage_px = 30\n", "takes images of 75 to", ""},
      {allspark + "model = \"vgg-d\"\n", "conv1_1 (convolution) is not part of an encoder",
       "execution operators, gpu; system gemm, gpu, heteropim, hypar, pimflow, rtconc"},
      {allspark + "model = \"swin-t\"\nweight_reuse = false\n",
       "weight_reuse = false is meaningless for policy allspark",
       "execution operators, ideal, gpu; policy branch, patch, head"},
      {allspark + "model = \"swin-t\"\npolicy = \"manual\"\n", "policy manual needs the axis schedule",
       "execution operators, ideal, gpu; policy branch, patch, head, allspark, allspark-ilp, allspark-milp"},
      {allspark + "model = \"swin-t\"\npolicy = \"manual\"\nschedule = \"1x1 | 1x1\"\n", "has 2 stages, swin-t has 4",
       "execution operators, ideal, gpu; policy branch, patch, head, allspark, allspark-ilp, allspark-milp"},
      {allspark + "model = \"alexnet\"\nexecution = \"operators\"\n", "cannot map response_norm1 (response_norm)",
       "execution gpu"},
      {allspark + "model = \"dcgan-generator\"\nexecution = \"operators\"\n", "(transposed_convolution)",
       "execution gpu; system gemm, gpu, heteropim with task inference"},
      {allspark + "model = \"resnet-50\"\nexecution = \"operators\"\nfidelity = \"cycle\"\n", "has costs by formula",
       "execution gpu"},
      {heteropim + "policy = \"cpu\"\nmodel = \"mobilenet-v2\"\n", "no training operations for",
       "system allspark with execution operators, gemm, gpu, hypar, pimflow"},
      {heteropim + "policy = \"cpu\"\nmodel = \"dcgan-generator\"\n", "as a generator it needs an adversary",
       "task inference"},
      {heteropim + "policy = \"cpu\"\nmodel = \"vgg-a\"\npartner = \"vgg-b\"\n", "cannot run a partner",
       "policy hetero-pim, lookahead"},
      {hypar + "policy = \"hypar\"\nmodel = \"vgg-a\"\noverrides = \"fc9=0000\"\n", "unknown layer or level 'fc9'", ""},
      {hypar + "policy = \"exhaustive\"\nmodel = \"vgg-a\"\nfree = \"H1 H2 H3\"\n", "are too many to try",
       "policy data, model, trick, hypar, hypar-optimal"},
      {hypar +
           "policy = \"hypar-optimal\"\nmodel = \"tests/workload/import/networks/densenet-121.onnx\"\nimage_px = 64\n",
       "branches are too densely connected for the optimum over 16 states", "policy data, model, trick"},
      {gpu + "model = \"tests/workload/import/networks/mobilenet-v3.onnx\"\n",
       "leaves the size of its input open: set axis 'image_px'", ""},
      {rtconc + "model = \"tests/workload/import/networks/lstm.onnx\"\n",
       "leaves the size of its input open: set axis 'tokens'", ""},
      {gpu + "model = \"tests/workload/import/networks/swin-t.onnx\"\nimage_px = 96\n", "takes images of 224 px only",
       ""},
      {llm + "model = \"gpt3-175b\"\nlengths = \"table\"\nlength_table = \"nowhere\"\n", "no table 'nowhere.csv'", ""},
      {llm + "model = \"mixtral-8x7b\"\nrouting = \"table\"\nrouting_table = \"nowhere\"\n", "no table 'nowhere.csv'",
       ""},
      {llm + "model = \"gpt3-175b\"\nlengths = \"log-normal\"\nphase = \"query\"\n", "sequences of equal lengths only",
       ""},
      {llm + "model = \"gpt3-175b\"\ntensor_parallel = 64\n", "needs 64 GPUs", ""},
      {serving + "arrivals = \"trace\"\ntrace = \"nowhere\"\n", "no table 'nowhere.csv'", ""},
      {serving + "request_rate = \"0 1/s\"\n", "poisson arrivals need a rate above 0", ""},
      {"system = \"noc\"\ntopology = \"torus\"\nnum_vcs = 3\n", "so it must be even", ""},
      {hypar + "policy = \"hypar\"\nmodel = \"sfc\"\nfidelity = \"cycle\"\ntopology = \"torus\"\n"
               "\"hardware.network.virtual_channels\" = 3\n",
       "so it must be even", ""},
  }));
  CAPTURE(kind.study);
  const StudyFit fit = fit_of(kind.study);
  CHECK(!fit.can_run());
  REQUIRE(fit.misfits.size() == 1);
  CHECK_THAT(fit.misfits[0].reason, Contains(kind.reason));
  CHECK_THAT(fit.misfits[0].alternatives, Catch::Matchers::StartsWith(kind.alternatives));
  CHECK(fit.misfits[0].alternatives.empty() == kind.alternatives.empty());
  CHECK(failure_of(kind.study) == fit.misfits[0].reason);
}

TEST_CASE("Values that a system interprets in its own way are not misfits") {
  // No convolution for PIM; products of two activations; a transposed convolution; a training step of files.
  for (const std::string& study :
       {pimflow + "model = \"bert-base\"\n", hypar + "policy = \"trick\"\nmodel = \"bert-base\"\n",
        hypar + "policy = \"trick\"\nmodel = \"dcgan-generator\"\n",
        heteropim + "policy = \"cpu\"\nmodel = \"heteropim-dcgan\"\n",
        rtconc + "model = \"dcgan-generator\"\ntask = \"inference\"\n"}) {
    CAPTURE(study);
    CHECK(fit_of(study).misfits.empty());
    CHECK(failure_of(study).empty());
  }
}

TEST_CASE("A misfit has the place of its model, and the values for which it holds") {
  const StudyFit fit = fit_of(allspark +
                              "[study.axes]\nmodel = [\"swin-t\", \"resnet-50\"]\nimage_px = [224, 448]\n"
                              "execution = [\"schedule\", \"operators\", \"gpu\"]\npolicy = [\"patch\", \"head\"]\n");
  CHECK(fit.axes == "model, image_px, execution, policy");
  CHECK(fit.combinations == 24);
  CHECK(fit.unfit == 4);
  CHECK(fit.complete);
  CHECK(fit.can_run());
  REQUIRE(fit.misfits.size() == 1);
  CHECK(fit.misfits[0].where.text() == "x.toml:7:20");
  CHECK(fit.misfits[0].values == "execution schedule");
  const FitProblems problems = problems_of({fit});
  CHECK(problems.errors.empty());
  REQUIRE(problems.warnings.size() == 1);
  CHECK_THAT(problems.warnings[0].message,
             Catch::Matchers::StartsWith("study 's': resnet-50 (family layers) has no stages") &&
                 Contains("(execution schedule); alternatives: execution operators, gpu"));
}

TEST_CASE("A study that cannot run is an error, also where conditions leave nothing else") {
  const std::string axes = "[study.axes]\nmodel = [\"swin-t\", \"resnet-50\"]\npolicy = [\"patch\", \"head\"]\n";
  CHECK(problems_of({fit_of(allspark + axes)}).errors.empty());
  const FitProblems problems = problems_of({fit_of(allspark + "where = \"model != 'swin-t'\"\n" + axes)});
  CHECK(problems.warnings.empty());
  REQUIRE(problems.errors.size() == 1);
  CHECK_THAT(problems.errors[0].message, Catch::Matchers::StartsWith("study 's' cannot run any point: resnet-50"));
  CHECK(problems.errors[0].where.text() == "x.toml:8:20");
}

TEST_CASE("Of many combinations some are tried, and nothing is concluded from them") {
  const Plan plan = load(allspark +
                         "policy = \"patch\"\n[study.axes]\nmodel = [\"resnet-50\", \"vgg-a\"]\n"
                         "image_px = [64, 96, 128, 160, 192, 224]\n");
  const StudyFit fit = find_misfits(plan, 5).at(0);
  CHECK(fit.combinations == 5);
  CHECK(fit.unfit == 5);
  CHECK(!fit.complete);
  CHECK(fit.can_run());
  CHECK(!find_misfits(plan).at(0).can_run());
}

TEST_CASE("Some of many reasons are reported") {
  std::string sizes = "image_px = [1";
  for (int px = 2; px <= 74; ++px) sizes += fmt::format(", {}", px);
  const StudyFit fit = fit_of(gpu + "model = \"inception-v3\"\n[study.axes]\n" + sizes + ", 75]\n");
  CHECK(fit.unfit == 74);
  CHECK(fit.misfits.size() + fit.further_reasons == 74);
  const FitProblems problems = problems_of({fit});
  REQUIRE(problems.warnings.size() == max_misfits + 1);
  CHECK_THAT(problems.warnings.back().message, Contains("54 more reasons like these"));
}

TEST_CASE("Every system with models takes the size of their input, and says what misfits depend on") {
  int with_models = 0;
  for (const systems::SystemEntry& entry : systems::systems()) {
    const auto system = entry.make("configs");
    const systems::Schema& schema = system->schema();
    CAPTURE(entry.name);
    if (schema.axis_index("model") < 0) continue;
    CHECK(!system->fit_axes().empty());
    ++with_models;
    // A step of a language model has a batch of sequences, and requests have lengths, not an input of one size.
    const bool has_size = schema.axis_index("context") < 0 && schema.axis_index("input_tokens") < 0;
    for (const std::string axis : {"image_px", "tokens"}) {
      if (!has_size) continue;
      REQUIRE(schema.axis_index(axis) >= 0);
      CHECK(to_text(*schema.axes[static_cast<std::size_t>(schema.axis_index(axis))].default_value) == "0");
    }
    for (const std::string& axis : system->fit_axes()) CHECK(schema.axis_index(axis) >= 0);
  }
  CHECK(with_models == 12);
}

TEST_CASE("Systems without models have no misfits") { CHECK(find_misfits(load("system = \"synthetic\"\n")).empty()); }

TEST_CASE("Combinations of sizes and settings that no point can have are found before the run") {
  const std::map<std::string, std::string> studies{
      {"system = \"kernel\"\nhardware = \"gpu-v100\"\nkind = \"gemm\"\npass = \"backward_inputs\"\n",
       "has no pass 'backward_inputs', only 'forward'"},
      {"system = \"gpu-streams\"\nhardware = \"rtconc-p100\"\nkind = \"conv\"\nthreads = 64\n",
       "is launched by the library"},
      {"system = \"cpu-kernel\"\nhardware = \"xeon-phi-7250\"\nkind = \"gemm\"\nthreads = 1000\n",
       "threads is 1000, but"},
      {"system = \"newton\"\nhardware = \"newton-HBM_1Gbps\"\nH = 1\nW = 1\nKH = 3\nKW = 3\npad = 0\nCin = 4\nCout = "
       "4\n",
       "does not fit an image"},
      {"system = \"dram\"\nhardware = \"dram-DDR4_2400R\"\nrequests = 1000000000\nfidelity = \"cycle\"\n",
       "more than 200000000 require fidelity"},
      {"system = \"upmem\"\nhardware = \"upmem-480\"\nbenchmark = \"VA\"\nproblem = \"m=8\"\n",
       "unknown size 'm' (did you mean 'n'?)"}};
  for (const auto& [study, reason] : studies) {
    CAPTURE(study);
    const StudyFit fit = fit_of(study);
    CHECK(!fit.can_run());
    REQUIRE(fit.misfits.size() == 1);
    CHECK_THAT(fit.misfits[0].reason, Contains(reason));
  }
}

TEST_CASE("The file of a GPU is hardware of the systems that have a GPU, and of no other") {
  const ConfigFolders configs("configs");
  CHECK(HardwareSystems(configs).systems_of("gpu-h100") == std::vector<std::string>{"gpu", "kernel", "llm", "serving"});
  // Every constant of an AiM channel has a default.
  CHECK_THROWS_WITH(load_hardware("gpu-h100", systems::make_system("aim", configs)->schema(), configs),
                    Contains("does not have a hardware constant"));
}
