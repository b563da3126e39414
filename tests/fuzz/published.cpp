#include "results/published.h"

#include <cmath>
#include <string>

#include "expect.h"
#include "readers.h"
#include "results/answer.h"
#include "results/data_frame.h"
#include "results/judge.h"

namespace pimsweep::fuzz {

namespace {

/// A study with columns of numbers and texts.
const results::DataFrame& study() {
  static const results::DataFrame frame{4,
                                        {{"n", {{1, 2, 3, 4}, {}, "1", "axis", false}},
                                         {"policy", {{}, {"a", "a", "b", "b"}, "1", "axis", false}},
                                         {"time", {{1, 0, 3, std::nan("")}, {}, "s", "metric", false}},
                                         {"scheme", {{}, {"x", "x", "y", ""}, "1", "metric", false}}}};
  return frame;
}

}  // namespace

/// A table of published values, then a line "---" and the checks.
void read_published(std::string_view input) {
  const auto [values, checks] = split(input);
  expect_input_error([&, checks_text = std::string(checks), values_text = std::string(values)] {
    ProblemList problems;
    results::PublishedSet set{"paper", results::parse_values(values_text, "paper.csv", problems), {}};
    results::parse_checks(checks_text, "paper.toml", set, problems);
    problems.throw_if_any();
    for (const results::PublishedValue& value : set.values) {
      const auto query = set.queries.find(value.id);
      if (query == set.queries.end() || query->second.study.empty()) continue;
      results::Finding finding;
      finding.published = value;
      expect_input_error([&] { results::answer(study(), query->second, finding); });
    }
  });
}

}  // namespace pimsweep::fuzz
