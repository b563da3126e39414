// Writes a made-up study of the synthetic system's shape, reads it back, and prints speed, size and memory of both.
// benchmark_results_file ROWS FOLDER

#include "results/results_file.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <random>

#include "results/results_reader.h"

namespace {

using namespace pimsweep::results;
using namespace pimsweep::systems;
using namespace pimsweep;

/// Results of a sweep over n and seed: random checksums, distinct tags, one failed point in a thousand.
class SyntheticStudy final : public StudyView {
 public:
  explicit SyntheticStudy(std::uint64_t size)
      : size_(size), system_(make_system("synthetic", "")), schema_(system_->schema()) {
    for (const Axis& axis : schema_.axes) {
      ColumnInfo& input =
          inputs_.emplace_back(ColumnInfo{axis.name, axis.unit, axis.doc, "experiment", ColumnRole::axis, axis.type});
      values_.push_back(axis.default_value.value());
      if (axis.name != "n" && axis.name != "seed") input.constant = values_.back();
    }
  }

  const std::string& id() const override { return id_; }
  const std::string& doc() const override { return id_; }
  const Schema& schema() const override { return schema_; }
  std::uint64_t size() const override { return size_; }
  const std::vector<ColumnInfo>& inputs() const override { return inputs_; }

  void row(std::uint64_t index, Row& row) override {
    values_[n_] = static_cast<std::int64_t>(index / 16);
    values_[seed_] = static_cast<std::int64_t>(index % 16);
    row.inputs.clear();
    for (const Value& value : values_) row.inputs.push_back(&value);
    row.identity = {random_(), random_()};
    row.seconds = 1e-6 * static_cast<double>(random_() >> 12) * 0x1p-52;
    row.record.reset(schema_);
    if (index % 1000 == 999) {
      row.record.status = Status::failed;
      fmt::format_to(std::back_inserter(row.record.message), "sampled to fail (n = {})", index);
      return;
    }
    const std::uint64_t checksum = random_() >> 12;
    row.record.status = Status::ok;
    row.record.metrics[0] = 0.0;
    row.record.metrics[1] = static_cast<double>(checksum);
    auto& tag = std::get<std::string>(row.record.metrics[2]);
    fmt::format_to(std::back_inserter(tag), "-{:x}", checksum);
  }

 private:
  std::string id_ = "synthetic";
  std::uint64_t size_;
  std::unique_ptr<System> system_;
  Schema schema_;
  std::vector<ColumnInfo> inputs_;
  std::vector<Value> values_;
  std::size_t n_ = static_cast<std::size_t>(schema_.axis_index("n"));
  std::size_t seed_ = static_cast<std::size_t>(schema_.axis_index("seed"));
  std::mt19937_64 random_{1};
};

/// Processor time, which other programs do not touch.
double seconds_of(const std::function<void()>& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// The largest amount of memory that the process has had, in MiB.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void print(const char* what, std::uint64_t rows, double seconds) {
  fmt::print("{:<10} {:>8.2f} s {:>10.0f} rows/s   peak memory {:.0f} MiB\n", what, seconds,
             static_cast<double>(rows) / seconds, peak_memory());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print("usage: {} ROWS FOLDER\n", argv[0]);
    return 2;
  }
  const std::uint64_t rows = std::strtoull(argv[1], nullptr, 10);
  const std::string path = (std::filesystem::path(argv[2]) / "benchmark_results_file.h5").string();
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::make_unique<SyntheticStudy>(rows));
  const Schema schema = studies[0]->schema();
  fmt::print("{} rows, {:.0f} MiB before\n", rows, peak_memory());

  StudyView::Row row;
  print("rows alone", rows, seconds_of([&] {
          for (std::uint64_t i = 0; i < rows; ++i) studies[0]->row(i, row);
        }));
  print("write", rows, seconds_of([&] { write_results(path, {"benchmark", "", {}}, studies, {}); }));
  fmt::print("{:.1f} bytes/row\n", static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(rows));
  std::uint64_t read = 0;
  print("read", rows, seconds_of([&] {
          for_each_result(
              path, [&](std::string_view) { return &schema; }, [&](const journal::Entry&) { ++read; });
        }));
  std::filesystem::remove(path);
  return read == rows ? 0 : 1;
}
