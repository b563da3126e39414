#include "sample_plan.h"

#include <array>
#include <chrono>
#include <memory>

#include "../results/fake_study.h"
#include "../results/scratch_folder.h"
#include "base/posix_file.h"
#include "driver/evaluator.h"
#include "journal/writer.h"
#include "journal_frames.h"
#include "machine.h"

namespace pimsweep {

namespace fuzz {

namespace {

systems::Axis axis(const std::string& name, ValueType type) {
  systems::Axis made;
  made.name = name;
  made.type = type;
  return made;
}

systems::Schema schema_of_points() {
  systems::Schema schema = test::fake_schema();
  schema.axes = {axis("n", ValueType::integer), axis("policy", ValueType::text)};
  return schema;
}

class FakeSystem final : public systems::System {
 public:
  const systems::Schema& schema() const override { return schema_; }
  void evaluate(const systems::Point& point, systems::Record& record) override {
    const std::int64_t n = point.integer(0);
    if (n == 3) throw PointError("three is not a size");
    record = test::fake_record(static_cast<double>(n), point.text(1), static_cast<int>(n % 3));
    if (n == 2) record.status = systems::Status::infeasible;
  }

 private:
  systems::Schema schema_ = schema_of_points();
};

std::unique_ptr<systems::System> make_fake_system(const ConfigFolders& /*configs*/) {
  return std::make_unique<FakeSystem>();
}

constexpr const char* experiment = R"(name = "sample"
[[study]]
id = "s"
system = "fake"
[study.axes]
n = [0, 1, 2, 3]
policy = ["a", "b"]
[[study]]
id = "t"
system = "fake"
[study.axes]
n = [4, 5]
policy = ["a"]
)";

/// A journal of these points, a frame for every two of them.
std::string journal_of(const std::vector<std::uint64_t>& points, const std::string& cause_of_death) {
  const ScratchFolder folder;
  driver::Evaluator evaluator(sample_plan());
  journal::Header header;
  header.experiment = "sample";
  header.plan = sample_plan().hash();
  {
    journal::Writer writer(folder.file("x.journal"), header);
    auto now = journal::Writer::Clock::now();
    journal::Entry entry;
    for (const std::uint64_t point : points) {
      evaluator.evaluate(point, entry);
      entry.seconds = 0.25;
      writer.append(entry, now);
      now += std::chrono::milliseconds(6);
    }
    if (!cause_of_death.empty()) writer.last_words(points.back(), cause_of_death);
    writer.close();
  }
  return read_file(folder.file("x.journal"));
}

}  // namespace

const sweep::Plan& sample_plan() {
  static const sweep::Plan plan =
      sweep::parse_plan(experiment, config_folder() + "/sample.toml", {},
                        [](const std::string&, const ConfigFolders&) { return schema_of_points(); });
  return plan;
}

const std::vector<std::string>& sample_journals() {
  static const std::vector<std::string> journals{journal_of({0, 1, 2, 3, 4}, ""), journal_of({3, 4, 5, 8, 6}, ""),
                                                 journal_of({9, 7}, "abort")};
  return journals;
}

}  // namespace fuzz

namespace systems {

std::span<const SystemEntry> systems() {
  static const std::array entries{SystemEntry{"fake", fuzz::make_fake_system}};
  return entries;
}

std::unique_ptr<System> make_system(std::string_view /*name*/, const ConfigFolders& configs) {
  return fuzz::make_fake_system(configs);
}

}  // namespace systems

}  // namespace pimsweep
