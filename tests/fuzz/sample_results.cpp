#include "sample_results.h"

#include <memory>
#include <vector>

#include "../results/fake_study.h"
#include "../results/scratch_folder.h"
#include "base/posix_file.h"
#include "results/results_file.h"

namespace pimsweep::fuzz {

namespace {

/// Two models at two fidelities, with a text that is too long for its column.
std::unique_ptr<results::StudyView> first_study() {
  std::vector<results::ColumnInfo> inputs = test::fake_inputs();
  inputs.push_back({"fidelity", "1", "fidelity", "experiment", results::ColumnRole::axis, ValueType::text});
  inputs.push_back({"model", "1", "model", "default", results::ColumnRole::axis, ValueType::text});
  auto made = std::make_unique<test::FakeStudy>("s", sample_schema(), std::move(inputs));
  for (int i = 0; i < 8; ++i) {
    systems::Record record = test::fake_record(1 + i % 3, i == 5 ? std::string(5000, 'w') : "4x2", i % 3);
    if (i == 6) record.status = systems::Status::failed;
    made->add({1e9 + i, std::string(i % 2 == 0 ? "a" : "b"), i % 2 == 0, std::int64_t{i / 4}, std::string("l"), 2.0,
               std::string(i < 4 ? "cycle" : "analytic"), std::string(i % 4 < 2 ? "x" : "y")},
              std::move(record));
  }
  return made;
}

/// A small study beside it.
std::unique_ptr<results::StudyView> second_study() {
  const std::vector<results::ColumnInfo> inputs{
      {"model", "1", "model", "experiment", results::ColumnRole::axis, ValueType::text}};
  auto made = std::make_unique<test::FakeStudy>("t", sample_schema(), inputs);
  for (const char* model : {"x", "y", "z"}) made->add({std::string(model)}, test::fake_record(1, model, 1));
  return made;
}

std::string written() {
  const ScratchFolder folder;
  std::vector<std::unique_ptr<results::StudyView>> studies;
  studies.push_back(first_study());
  studies.push_back(second_study());
  const std::string path = folder.file("sample.h5");
  results::write_results(path, {"sample", "name = \"sample\"\n", {}}, studies, {{"ranks", "1"}});
  constexpr std::size_t seal_bytes = 32;
  const std::string bytes = read_file(path);
  return bytes.substr(0, bytes.size() - seal_bytes);
}

}  // namespace

const std::string& sample_results() {
  static const std::string bytes = written();
  return bytes;
}

systems::Schema sample_schema() { return test::fake_schema(); }

}  // namespace pimsweep::fuzz
