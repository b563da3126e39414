#include "driver/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "driver/journal_set.h"
#include "driver/longest_first.h"
#include "driver/plan_view.h"
#include "driver/result_stream.h"
#include "driver/reuse.h"
#include "driver/time_limit.h"
#include "results/journal_writer.h"
#include "results/results_reader.h"

namespace pimsweep {

namespace {

Existing existing_of(const RunOptions& options) {
  if (options.resume && options.force)
    throw InputError("--resume keeps what is there, --force discards it: give one of the two");
  if (options.resume) return Existing::keep;
  return options.force ? Existing::discard : Existing::refuse;
}

/// Without a word from the user, a sweep is plainly broken when a twentieth of its points fail.
std::uint64_t failure_limit(const std::string& text, std::uint64_t points) {
  constexpr std::uint64_t at_least = 20;
  if (text.empty()) return std::max(at_least, points / 20) + 1;
  if (text == "none") return ~std::uint64_t{0};
  std::uint64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size() || limit == 0)
    throw InputError(fmt::format("--max-failures needs a number from 1 or none, read '{}'", text));
  return limit;
}

/// What is left of the time to write the results file in.
double seconds_to_write(const Plan& plan) {
  constexpr double for_any_file = 1;
  constexpr double for_a_point = 2e-6;
  return for_any_file + for_a_point * static_cast<double>(plan.size());
}

}  // namespace

JournalHeader journal_header(const Plan& plan, const std::string& host, int rank) {
  return {plan.name,
          std::filesystem::absolute(plan.path).string(),
          plan.options.studies,
          plan.options.overrides,
          plan.hash(),
          host,
          rank,
          ::getpid(),
          std::time(nullptr)};
}

Run::Run(const std::string& experiment, const PlanOptions& plan_options, const RunOptions& options)
    : started_(std::time(nullptr)),
      plan_(load_plan(experiment, plan_options)),
      name_(fmt::format("{}-{}-{}", started_, Communicator::host(), ::getpid())),
      evaluator_(std::make_unique<Evaluator>(plan_)),
      done_(plan_.size()),
      reused_(plan_.studies.size(), 0) {
  const Existing existing = existing_of(options);
  check_names(plan_);
  read_limits(options);
  if (!options.cache.empty()) cache_.emplace(options.cache);
  output_ = std::make_unique<OutputFiles>(
      options.output.empty() ? fmt::format("results/{}.h5", plan_.name) : options.output, existing);
  try {
    find_done(options, cache_);
  } catch (...) {
    output_->abandon();
    throw;
  }
}

void Run::read_limits(const RunOptions& options) {
  using Seconds = std::chrono::duration<double>;
  limits_.failures = failure_limit(options.max_failures, plan_.size());
  limits_.grace = Seconds(parse_duration(options.grace, "--grace"));
  limits_.silence = Seconds(parse_duration(options.silence, "--silence"));
  if (!options.point_limit.empty()) limits_.point_seconds = parse_duration(options.point_limit, "--point-limit");
  std::optional<double> left = slurm_time_left();
  if (!options.time_limit.empty()) {
    const double limit = parse_duration(options.time_limit, "--time-limit");
    left = std::min(limit, left.value_or(limit));
  }
  if (!left) return;
  limits_.deadline =
      clock_start_ + std::chrono::duration_cast<RunLimits::Clock::duration>(Seconds(*left - seconds_to_write(plan_)));
}

void Run::find_done(const RunOptions& options, const std::optional<Cache>& cache) {
  JournalSet journals(plan_.hash());
  for (const std::string& path : journal_files(output_->journals())) journals.add(path);
  for (const std::string& warning : journals.warnings()) fmt::print(stderr, "pimsweep: warning: {}\n", warning);

  const auto settled = [&](Status status) {
    return is_result(status) || (status == Status::crashed && !options.retry_crashed);
  };
  ResultStream stream(journals);
  if (journals.extents().count() > 0) {
    JournalEntry entry;
    for (std::uint64_t point = 0; point < plan_.size(); ++point) {
      // A result whose shape is not the schema's any more is no result.
      if (stream.read(point, evaluator_->identity(point), entry) && settled(entry.record.status) &&
          shape_problem(evaluator_->schema_at(point), entry.record).empty()) {
        done_.insert(point);
      }
    }
  }

  // What stands elsewhere, under other numbers, is copied into a journal of this plan: there is one place to look then.
  std::vector<ResultSource> sources;
  for (const std::string& path : journals.foreign()) sources.push_back(results_of_journal(path));
  if (std::filesystem::exists(output_->results())) {
    sources.push_back([this](const std::function<void(const JournalEntry&)>& use) {
      for_each_result(
          output_->results(), [this](std::string_view system) { return evaluator_->schema_of(system); }, use);
    });
  }
  if (cache) {
    for (ResultSource& source : cache->sources(plan_)) sources.push_back(std::move(source));
  }
  std::unique_ptr<JournalWriter> writer;
  find_reusable(sources, *evaluator_, done_, settled, [&](const JournalEntry& entry) {
    if (!writer) {
      writer = std::make_unique<JournalWriter>(OutputFiles::reused_path(output_->journals(), name_),
                                               journal_header(plan_, Communicator::host(), 0));
    }
    writer->append(entry, JournalWriter::Clock::now());
  });
  if (writer) writer->close();

  std::uint64_t begin = 0;
  for (std::size_t study = 0; study < plan_.studies.size(); ++study) {
    const std::uint64_t end = begin + plan_.studies[study].size();
    std::uint64_t missing = 0;
    for (std::uint64_t point = done_.next_absent(begin); done_.count() > 0 && point < end;
         point = done_.next_absent(point + 1)) {
      ++missing;
    }
    reused_[study] = done_.count() == 0 ? 0 : end - begin - missing;
    begin = end;
  }
  for (const auto& [point, causes] : journals.deaths()) {
    if (point >= plan_.size() || done_.contains(point)) continue;
    suspects_.push_back({point, point + 1});
    fmt::print(stderr, "pimsweep: warning: point {} killed its rank before ({}): it is evaluated in a process of its own\n",
               point, causes.back());
  }
}

WorkPool Run::take_pending(int evaluators) {
  const std::vector<std::uint64_t> longest = longest_first(done_, *evaluator_, evaluators);
  WorkPool pool(std::move(done_));
  pool.add_suspects(suspects_);
  pool.add_long(longest);
  return pool;
}

std::uint64_t Run::reused_points() const { return std::accumulate(reused_.begin(), reused_.end(), std::uint64_t{0}); }

void Run::fill_cache() const {
  if (!cache_) return;
  std::vector<std::string> journals;
  for (const std::string& path : journal_files(output_->journals())) {
    const std::string file = std::filesystem::path(path).filename().string();
    if (file.starts_with(name_) && path != OutputFiles::reused_path(output_->journals(), name_))
      journals.push_back(path);
  }
  cache_->add(plan_, journals, name_);
}

}  // namespace pimsweep
