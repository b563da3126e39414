
#include "results/open_results.h"

#include <array>
#include <catch2/catch.hpp>
#include <functional>

#include "base/error.h"
#include "fake_study.h"
#include "results/hdf5_read.h"
#include "results/ranking.h"
#include "results/results_file.h"
#include "results/results_reader.h"
#include "results/seal.h"
#include "scratch_folder.h"

using namespace pimsweep::results;
using namespace pimsweep;

namespace {

/// Three points of a study "s"; `inputs` are further columns, each with the value 1.
std::string write(const ScratchFolder& scratch, const std::vector<ColumnInfo>& more = {}) {
  std::vector<ColumnInfo> inputs = test::fake_inputs();
  inputs.insert(inputs.end(), more.begin(), more.end());
  auto study = std::make_unique<test::FakeStudy>("s", test::fake_schema(), inputs);
  for (std::int64_t i = 0; i < 3; ++i) {
    std::vector<Value> values{1e9, std::string("a"), true, i, std::string("l"), 1.0};
    for (const ColumnInfo& input : more) {
      values.push_back(input.type == ValueType::text ? Value(std::string("1")) : Value(std::int64_t{1}));
    }
    study->add(std::move(values), test::fake_record(static_cast<double>(i), "w", 2));
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch.file("a.h5"), {"x", "", {}}, studies, {});
  return scratch.file("a.h5");
}

/// Why a file is refused that was edited and sealed again.
std::string refusal(const std::function<void(hid_t)>& edit) {
  const ScratchFolder scratch;
  const std::string path = write(scratch);
  {
    const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    edit(file.get());
  }
  seal_file(path);
  try {
    stored_status_counts(path, "s");
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

void replace(hid_t file, const char* name, hid_t type, hsize_t rows) {
  H5Ldelete(file, name, H5P_DEFAULT);
  const Hdf5Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
  const Hdf5Handle made(H5Dcreate2(file, name, type, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
}

}  // namespace

TEST_CASE("a file that is as it was written is accepted") {
  CHECK(refusal([](hid_t) {}) == "(no error)");
}

TEST_CASE("a metric in a column of integers is refused, whoever asks for it") {
  const ScratchFolder scratch;
  const std::string path = write(scratch, {{"whole", "1", "", "", ColumnRole::metric, ValueType::integer}});
  const RankingOptions question{{{"whole", false}}, {}, {}};
  const auto reason = Catch::Contains("column 's/whole' is a metric, but neither a real nor a text");
  CHECK_THROWS_WITH(find_best(path, question, 3), reason);
  CHECK_THROWS_WITH(find_fronts(path, question), reason);
}

TEST_CASE("references and labels are what their names say") {
  const ScratchFolder scratch;
  CHECK_THROWS_WITH(study_ids(write(scratch, {{"reference_x", "1", "", "", ColumnRole::reference, ValueType::text}})),
                    Catch::Contains("'s/reference_x' is not a column of references"));
  CHECK_THROWS_WITH(study_ids(write(scratch, {{"tag", "1", "", "", ColumnRole::label, ValueType::text}})),
                    Catch::Contains("'s/tag' is not a column of labels"));
}

TEST_CASE("a column must not claim more rows than the file can hold") {
  constexpr hsize_t many = hsize_t{1} << 40;
  CHECK_THAT(refusal([](hid_t file) { replace(file, "s/point", H5T_STD_I64LE, many); }),
             Catch::Contains("column 's/point' has 1099511627776 rows in 0 bytes"));
  CHECK_THAT(refusal([](hid_t file) { replace(file, "s/latency", H5T_IEEE_F64LE, many); }),
             Catch::Contains("column 's/latency' has 1099511627776 rows instead of 3"));
  CHECK_THAT(refusal([](hid_t file) { replace(file, "s/stages/row", H5T_STD_I64LE, many); }),
             Catch::Contains("column 's/stages/row' has 1099511627776 rows in 0 bytes"));
}

TEST_CASE("columns of another layout or type are refused") {
  CHECK_THAT(refusal([](hid_t file) {
               const hsize_t rows = 3;
               const Hdf5Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
               const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
               H5Pset_external(properties.get(), "other.bin", 0, rows * sizeof(double));
               H5Ldelete(file, "s/latency", H5P_DEFAULT);
               const Hdf5Handle made(H5Dcreate2(file, "s/latency", H5T_IEEE_F64LE, space.get(), H5P_DEFAULT,
                                                properties.get(), H5P_DEFAULT),
                                     H5Dclose);
             }),
             Catch::Contains("column 's/latency' has a layout that results files do not have"));
  CHECK_THAT(refusal([](hid_t file) {
               H5Ldelete(file, "s/status", H5P_DEFAULT);
               H5Lcreate_hard(file, "s/message", file, "s/status", H5P_DEFAULT, H5P_DEFAULT);
             }),
             Catch::Contains("column 's/status' is text instead of integer"));
  CHECK_THAT(refusal([](hid_t file) { H5Ldelete(file, "s/message", H5P_DEFAULT); }),
             Catch::Contains("column 's/message' is missing or damaged"));
  CHECK_THAT(refusal([](hid_t file) { replace(file, "s/status", H5T_STD_I8LE, 3); }),
             Catch::Contains("column 's/status' does not have the values ok infeasible failed crashed not_run"));
}

TEST_CASE("links to other places and files are refused") {
  CHECK_THAT(refusal([](hid_t file) { H5Lcreate_soft("/s", file, "u", H5P_DEFAULT, H5P_DEFAULT); }),
             Catch::Contains("links to elsewhere"));
  CHECK_THAT(refusal([](hid_t file) {
               H5Ldelete(file, "s/status", H5P_DEFAULT);
               H5Lcreate_external("b.h5", "/s/status", file, "s/status", H5P_DEFAULT, H5P_DEFAULT);
             }),
             Catch::Contains("links to elsewhere"));
}
