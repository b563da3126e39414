// Search path of an experiment's models, hardware and training steps.
#include <catch2/catch.hpp>

#include "base/error.h"
#include "base/posix_file.h"
#include "fixture.h"
#include "sweep/plan.h"

using namespace pimsweep;
using namespace pimsweep::sweep;
using namespace pimsweep::test;
using Catch::Matchers::Contains;

namespace {

std::string net(const std::string& name, const std::string& layer = "fc 10") {
  return "family = \"layers\"\n[[model]]\nname = \"" + name + "\"\nimage_px = 8\nimage_channels = 1\nlayers = [\"" +
         layer + "\", \"softmax\"]\n";
}

/// A study of the system over models; `head` stands above it.
std::string study_of(const std::string& system, const std::string& hardware, const std::string& models,
                     const std::string& head = "") {
  const std::string policy = system == "heteropim" ? "policy = \"cpu\"\n" : "";
  return "name = \"x\"\n" + head + "[[study]]\nid = \"s\"\nsystem = \"" + system + "\"\nhardware = \"" + hardware +
         "\"\n" + policy + "[study.axes]\nmodel = " + models + "\n";
}

Plan load_with(const Workplace& place, const std::string& text, const std::vector<ConfigFolder>& earlier = {}) {
  place.write("x.toml", text);
  PlanOptions options;
  for (const ConfigFolder& root : earlier) options.configs.append(ConfigFolders(root));
  options.configs.append("configs");
  return load_plan(place.path("x.toml"), options);
}

std::string error_with(const Workplace& place, const std::string& text, const std::vector<ConfigFolder>& earlier = {}) {
  try {
    load_with(place, text, earlier);
  } catch (const InputError& error) {
    return place.shorten(error.what());
  }
  return "no error";
}

Hash128 identity_of(const Plan& plan, std::uint64_t index) {
  const Study& study = plan.studies.at(0);
  const auto system = systems::make_system(study.system(), plan.configs);
  systems::Point point(study.schema().axes.size());
  study.point(index, point);
  return systems::identity(*system, point);
}

}  // namespace

TEST_CASE("An experiment's folders come first, then those of the environment, then the installed one") {
  const Workplace place;
  place.write("nets/a.toml", net("net", "fc 3"));
  place.write("env/models/a.toml", net("net", "fc 4"));
  place.write("env/models/b.toml", net("lenet-c", "fc 4"));
  const ConfigFolder environment{place.path("env")};
  const std::string head = "model_folders = \"nets\"\n";
  const Plan own =
      load_with(place, study_of("gpu", "gpu-v100", R"(["net", "lenet-c", "resnet-18"])", head), {environment});
  const Plan theirs = load_with(place, study_of("gpu", "gpu-v100", R"(["net", "lenet-c"])"), {environment});
  const Plan installed = load_with(place, study_of("gpu", "gpu-v100", R"(["lenet-c"])"));
  CHECK(identity_of(own, 0) != identity_of(theirs, 0));
  CHECK(identity_of(own, 1) == identity_of(theirs, 1));
  CHECK(identity_of(own, 1) != identity_of(installed, 0));
  // Kept with the results is what is not installed, as the folder that was found first has it.
  using Texts = std::map<std::string, std::string>;
  CHECK(own.studies[0].definitions().models == Texts{{"net", net("net", "fc 3")}, {"lenet-c", net("lenet-c", "fc 4")}});
  CHECK(own.studies[0].definitions().training.empty());
  CHECK(installed.studies[0].definitions().models.empty());
}

TEST_CASE("A model is known by its content, not by its folder") {
  const Workplace place;
  place.write("nets/a.toml", net("net"));
  place.write("other/b.toml", "# a comment\n" + net("net") + net("more").substr(net("").find("[[")));
  const Plan first = load_with(place, study_of("gpu", "gpu-v100", R"(["net"])", "model_folders = [\"nets\"]\n"));
  const Plan second = load_with(place, study_of("gpu", "gpu-v100", R"(["net"])", "model_folders = [\"other\"]\n"));
  CHECK(identity_of(first, 0) == identity_of(second, 0));
}

TEST_CASE("Custom training steps are read along with their models") {
  const Workplace place;
  const std::string shipped = read_file("configs/training/heteropim.toml");
  const std::string steps =
      shipped.substr(0, shipped.find("[[model]]")) + "[[model]]\nname = \"step\"\nmodel = \"net\"\nbatch = 8\n";
  place.write("steps/a.toml", steps);
  place.write("nets/a.toml", net("net"));
  const std::string head = "model_folders = [\"nets\"]\ntraining_folders = [\"steps\"]\n";
  const Plan plan = load_with(place, study_of("heteropim", "heteropim", R"(["step", "heteropim-alexnet"])", head));
  CHECK(plan.size() == 2);
  CHECK(plan.studies[0].definitions().training.at("step") == steps);
  CHECK(plan.studies[0].definitions().training.size() == 1);
  CHECK(plan.studies[0].definitions().models.at("net") == net("net"));
  // A broken model breaks its step.
  place.write("nets/a.toml", net("net", "fx 3"));
  CHECK_THAT(error_with(place, study_of("heteropim", "heteropim", R"(["step"])", head)),
             Contains("x.toml:10:10: training step 'step' cannot be used because of errors in its file") &&
                 Contains("nets/a.toml:6:12: "));
  CHECK(error_with(place, study_of("heteropim", "heteropim", R"(["heteropim-alexnet"])", head)) == "no error");
}

TEST_CASE("Hardware is searched in folders, too") {
  const Workplace place;
  const std::string card = "base = \"gpu-v100\"\n[clock]\nvalue = \"1 GHz\"\nsource = \"made up\"\n";
  place.write("gpus/mine.toml", card);
  place.write("env/hardware/mine.toml", "broken");
  place.write("env/hardware/gpu-t4.toml", card);
  const std::vector<ConfigFolder> environment{{place.path("env")}};
  const std::string head = "hardware_folders = [\"gpus\"]\n";
  const Plan plan = load_with(place, study_of("gpu", "mine", R"(["lenet-c"])", head), environment);
  CHECK(column(plan.studies[0], "hardware.clock") == std::vector<std::string>{"1000000000"});
  const Plan theirs = load_with(place, study_of("gpu", "gpu-t4", R"(["lenet-c"])"), environment);
  CHECK(column(theirs.studies[0], "hardware.clock") == std::vector<std::string>{"1000000000"});
  CHECK_THAT(error_with(place, study_of("gpu", "mine", R"(["lenet-c"])"), environment),
             Contains("env/hardware/mine.toml:1"));
  CHECK_THAT(error_with(place, study_of("gpu", "mime", R"(["lenet-c"])", head), environment),
             Contains("x.toml:6:12: unknown hardware 'mime' (did you mean 'mine'?)") &&
                 Contains("searched in gpus, env/hardware, configs/hardware"));
}

TEST_CASE("The base of a hardware file is relative to that file") {
  const Workplace place;
  place.write("gpus/base.toml", "base = \"gpu-v100\"\n[clock]\nvalue = \"1 GHz\"\nsource = \"made up\"\n");
  place.write("gpus/sub/mine.toml", "base = \"../base.toml\"\n");
  const Plan plan = load_with(place, study_of("gpu", "gpus/sub/mine.toml", R"(["lenet-c"])"));
  CHECK(column(plan.studies[0], "hardware.clock") == std::vector<std::string>{"1000000000"});
}

TEST_CASE("Unknown models are reported with the folders that were read, broken ones with their errors") {
  const Workplace place;
  place.write("nets/a.toml", net("good") + net("bad", "fx 3").substr(net("").find("[[")));
  place.write("nets/b.toml", "family = \n");
  const std::string head = "model_folders = [\"nets\"]\n";
  CHECK(error_with(place, study_of("gpu", "gpu-v100", R"(["good"])", head)) == "no error");
  CHECK_THAT(error_with(place, study_of("gpu", "gpu-v100", R"(["bad"])", head)),
             Contains("x.toml:8:10: model 'bad' cannot be used because of errors in its file:\nnets/a.toml:11:12: "));
  CHECK_THAT(error_with(place, study_of("gpu", "gpu-v100", R"(["god"])", head)),
             Contains("x.toml:8:10: 'god' is not a value of axis 'model' (did you mean 'good'?)") &&
                 Contains("; looked for in nets, configs/models; not read because of errors: nets/a.toml:11:12, "
                          "nets/b.toml:"));
  // Where nothing needs a model, broken ones do not matter.
  place.write("x.toml", "name = \"x\"\n" + head + "[[study]]\nid = \"s\"\nsystem = \"synthetic\"\n");
  CHECK(load_plan(place.path("x.toml"), {"configs", {}, {}}).size() == 1);
}

TEST_CASE("Folders of an experiment must be there") {
  const Workplace place;
  place.write("nets.toml", "");
  const std::string head =
      "model_folders = [\"nets\", \"\", 3]\nhardware_folders = \"nets.toml\"\ntraining_folders = {}\n";
  const std::string error = error_with(place, study_of("gpu", "gpu-v100", R"(["lenet-c"])", head));
  CHECK_THAT(error, Contains("x.toml:2:18: 'nets' is not a directory") && Contains("x.toml:2:26:") &&
                        Contains("x.toml:2:30:") && Contains("x.toml:3:20: 'nets.toml' is not a directory") &&
                        Contains("x.toml:4:20:"));
}
