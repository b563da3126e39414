#include <catch2/catch.hpp>

#include "fixture.h"

using namespace pimsweep::test;

namespace {

const std::string other =
    "name = \"other\"\n"
    "[[study]]\nid = \"a\"\nsystem = \"machine\"\nmodel = \"swin-b\"\nhardware = \"small\"\n[study.axes]\nbatch = [1, "
    "2]\n"
    "[[study]]\nid = \"b\"\nsystem = \"machine\"\nmodel = \"vit-b\"\nhardware = \"small\"\n";

std::string include(const std::string& more = {}) {
  return "name = \"x\"\n[[include]]\nexperiment = \"other.toml\"\n" + more;
}

std::vector<std::string> ids(const Plan& plan) {
  std::vector<std::string> ids;
  for (const Study& study : plan.studies) ids.push_back(study.id() + " of " + study.origin());
  return ids;
}

}  // namespace

TEST_CASE("Studies of another experiment keep their points and have its name before theirs", "[include]") {
  const Workplace place;
  place.write("other.toml", other);
  const Plan plan = place.load(include());
  CHECK(ids(plan) == std::vector<std::string>{"other-a of a", "other-b of b"});
  CHECK(plan.studies[0].size() == 2);
  // All that the points rest on is in the text that results files keep.
  CHECK(plan.text.find("id = \"b\"") != std::string::npos);
  CHECK(ids(place.load(include("studies = [\"b\"]\n"))) == std::vector<std::string>{"other-b of b"});
  const std::string own = "[[study]]\nid = \"a\"\nsystem = \"machine\"\nmodel = \"swin-b\"\nhardware = \"small\"\n";
  CHECK(ids(place.load(include() + own)) == std::vector<std::string>{"a of a", "other-a of a", "other-b of b"});
}

TEST_CASE("An include may draw machines, which adds to the choices of its studies", "[include]") {
  const Workplace place;
  place.write("other.toml", other + "[study.uncertainty.choices]\nfidelity = [\"cycle\"]\n");
  const Plan plan = place.load(include("[include.uncertainty]\nsamples = 8\n"));
  CHECK(plan.studies[0].size() == 2);
  CHECK(plan.studies[1].size() == 9);
  CHECK(plan.studies[1].is_drawn(static_cast<std::size_t>(plan.studies[1].schema().axis_index("fidelity"))));
}

TEST_CASE("A bad include is an error with its place", "[include]") {
  const Workplace place;
  place.write("other.toml", other);
  place.write("nested.toml", include());
  place.write("broken.toml", "name = \"broken\"\n[[study]]\nid = \"a\"\nsystem = \"machin\"\n");
  CHECK(place.errors(include("studies = [\"c\"]\n")) ==
        "x.toml:4:12: unknown study of 'other.toml' (did you mean 'a'?); studies: a, b");
  CHECK(place.errors("name = \"x\"\n[[include]]\nexperiment = \"oter.toml\"\n").find("x.toml:3:14: cannot read") == 0);
  CHECK(place.errors("name = \"x\"\n[[include]]\nexperiment = \"../other.toml\"\n").find("is not allowed") !=
        std::string::npos);
  CHECK(place.errors("name = \"x\"\n[[include]]\nexperiment = \"x.toml\"\n") ==
        "x.toml:3:14: an experiment cannot include itself");
  CHECK(place.errors("name = \"x\"\n[[include]]\nexperiment = \"nested.toml\"\n") ==
        "x.toml:3:14: 'nested.toml' includes other experiments: include them here directly");
  CHECK(place.errors("name = \"x\"\n[[include]]\n").find("[[include]] does not name a file of the same folder") !=
        std::string::npos);
  CHECK(place.errors("name = \"x\"\n[[include]]\nexperiment = \"broken.toml\"\n").find("broken.toml:4:10:") == 0);
  CHECK(
      place.errors(include() + "[[include]]\nexperiment = \"other.toml\"\n").find("study id 'other-a' is used twice") !=
      std::string::npos);
}
