#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "../results/scratch_folder.h"
#include "base/posix_file.h"
#include "driver/grant.h"
#include "driver/merge.h"
#include "driver/read_plan.h"
#include "driver/run.h"

using namespace pimsweep::driver;
using namespace pimsweep::results;
using namespace pimsweep::sweep;
using namespace pimsweep;

namespace {

/// Under the sanitizers, which take longer, some of the cuts have to do.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t bytes_between_cuts = 7;
#else
constexpr std::size_t bytes_between_cuts = 1;
#endif

constexpr const char* experiment = R"(name = "cut"
[[study]]
id = "one"
system = "synthetic"
[study.axes]
n = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
rows = [0, 2]
)";

void put(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

struct Finished {
  std::string digest;
  std::uint64_t reused;
  std::uint64_t computed;
};

/// A resumed run on this rank alone, without MPI, with a frame for each point.
Finished resume(const std::string& file, const std::string& output) {
  RunOptions options;
  options.output = output;
  options.resume = true;
  Run run(read_plan(file, {"configs", {}, {}}), options);
  const std::string journal = OutputFiles::journal_path(run.output().journals(), "resumed", 0);
  std::uint64_t computed = 0;
  {
    journal::Writer writer(journal, journal_header(run.plan(), "here", 0));
    CurrentPoint current;
    GrantRunner runner(run.evaluator(), writer, current, Fault{});
    double expected = 0;
    WorkPool pool = run.take_pending(1, expected);
    while (!pool.empty()) computed += runner.run({pool.take(1, 1), 0}).done;
  }
  journal::Index journals(run.plan().hash());
  for (const std::string& path : journal::files_in(run.output().journals())) journals.add(path);
  return {merge(run.plan(), run.evaluator(), journals, output, {}).digest, run.reused_points(), computed};
}

}  // namespace

TEST_CASE("after a cut at any byte of a journal's last KiB, a rerun repeats at most the point that was cut") {
  const ScratchFolder scratch;
  const std::string file = scratch.file("cut.toml");
  put(file, experiment);
  const Finished whole = resume(file, scratch.file("whole.h5"));
  REQUIRE(whole.computed == 20);
  const std::string bytes = read_file(scratch.file("whole.h5.journal/resumed-000000.journal"));
  REQUIRE(bytes.size() > 1200);
  const std::string folder = scratch.file("out.h5.journal");
  std::uint64_t before = 20;
  for (std::size_t cut = 0; cut <= 1024; cut += bytes_between_cuts) {
    std::filesystem::remove_all(folder);
    std::filesystem::remove(scratch.file("out.h5"));
    std::filesystem::create_directory(folder);
    put(folder + "/first-000000.journal", std::string_view(bytes).substr(0, bytes.size() - cut));
    const Finished now = resume(file, scratch.file("out.h5"));
    REQUIRE(now.digest == whole.digest);
    REQUIRE(now.reused + now.computed == 20);
    REQUIRE(now.reused <= before);
    REQUIRE(before - now.reused <= 1);
    before = now.reused;
  }
  CHECK(before < 15);
}
