#include "driver/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "driver/fit_report.h"
#include "driver/longest_first.h"
#include "driver/plan_view.h"
#include "driver/reuse.h"
#include "driver/time_limit.h"
#include "journal/index.h"
#include "journal/stream.h"

namespace pimsweep::driver {

namespace {

Existing existing_of(const RunOptions& options) {
  if (options.resume && options.force)
    throw InputError("--resume keeps existing results, --force discards them: give one of the two");
  if (options.resume) return Existing::keep;
  return options.force ? Existing::discard : Existing::refuse;
}

/// By default, a sweep is considered broken when 5 % of its points fail.
std::uint64_t failure_limit(const std::string& text, std::uint64_t points) {
  constexpr std::uint64_t min_limit = 20;
  if (text.empty()) return std::max(min_limit, points / 20) + 1;
  if (text == "none") return ~std::uint64_t{0};
  std::uint64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error != std::errc{} || end != text.data() + text.size() || limit == 0)
    throw InputError(fmt::format("--max-failures needs a number of at least 1, or none; read '{}'", text));
  return limit;
}

constexpr int ranks_with_own_manager = 4;

std::string text_of(const sweep::Shard& shard, std::string_view of) {
  return fmt::format("{}{}{}", shard.number, of, shard.count);
}

std::string default_output(const sweep::Plan& plan) {
  if (!plan.options.shard) return fmt::format("results/{}.h5", plan.name);
  return fmt::format("results/{}.shards/{}.h5", plan.name, text_of(*plan.options.shard, "-of-"));
}

}  // namespace

int evaluator_count(int ranks) { return ranks < ranks_with_own_manager ? ranks : ranks - 1; }

int ranks_for(int evaluators) { return evaluators < ranks_with_own_manager ? evaluators : evaluators + 1; }

journal::Header journal_header(const sweep::Plan& plan, const std::string& host, int rank) {
  journal::Header header{.experiment = plan.name,
                         .experiment_file = std::filesystem::absolute(plan.path).string(),
                         .studies = plan.options.studies,
                         .overrides = plan.options.overrides,
                         .plan_studies = {},
                         .plan = plan.hash(),
                         .host = host,
                         .rank = rank,
                         .pid = ::getpid(),
                         .started = std::time(nullptr),
                         .where = plan.options.where,
                         .shard = plan.options.shard ? text_of(*plan.options.shard, "/") : "",
                         .draws = plan.options.draws,
                         .draw_method = std::string(word_of(sweep::draw_method_words, plan.options.draw_method)),
                         .draw_constants = plan.options.draw_constants};
  for (const sweep::Study& study : plan.studies) header.plan_studies.push_back({study.id(), study.size()});
  return header;
}

Run::Run(ReadPlan read, const RunOptions& options)
    : clock_start_(read.clock_start),
      started_(read.started),
      plan_(std::move(read.plan)),
      name_(fmt::format("{}-{}-{}", started_, Communicator::host(), ::getpid())),
      evaluator_(std::make_unique<Evaluator>(plan_)) {
  const Existing existing = existing_of(options);
  report_misfits(read.fits ? *read.fits : fits_at_start(plan_));
  check_names(plan_);
  read_limits(options);
  if (!options.cache.empty()) cache_.emplace(options.cache);
  output_ = std::make_unique<OutputFiles>(options.output.empty() ? default_output(plan_) : options.output, existing);
  try {
    find_done(options);
  } catch (...) {
    output_->abandon();
    throw;
  }
}

void Run::read_limits(const RunOptions& options) {
  using Seconds = std::chrono::duration<double>;
  const auto to_clock = [](Seconds time) { return std::chrono::duration_cast<RunLimits::Clock::duration>(time); };
  limits_.failures = failure_limit(options.max_failures, plan_.size());
  limits_.grace = Seconds(parse_duration(options.grace, "--grace"));
  limits_.silence = Seconds(parse_duration(options.silence, "--silence"));
  if (!options.point_limit.empty()) limits_.point_seconds = parse_duration(options.point_limit, "--point-limit");
  // A limit counts from the start of the run, what is left of an allocation from now on.
  std::optional<RunLimits::Clock::time_point> end;
  if (!options.time_limit.empty())
    end = clock_start_ + to_clock(Seconds(parse_duration(options.time_limit, "--time-limit")));
  if (const std::optional<double> left = slurm_time_left()) {
    const auto end_of_allocation = RunLimits::Clock::now() + to_clock(Seconds(*left));
    end = std::min(end_of_allocation, end.value_or(end_of_allocation));
  }
  limits_.deadline = end;
  constexpr double share_of_writing = 0.25;
  constexpr Seconds always_allowed{2};
  if (end) limits_.max_writing = std::max<Seconds>(always_allowed, share_of_writing * Seconds(*end - clock_start_));
}

void Run::find_done(const RunOptions& options) {
  if (plan_.has_search()) search_evaluator_ = std::make_unique<Evaluator>(plan_);
  searches_ = std::make_unique<Searches>(plan_, plan_.has_search() ? *search_evaluator_ : *evaluator_);
  // Before anything is adopted: the journal of adopted results is not whole yet when it is read.
  if (!searches_->empty()) find_known_to_searches(options);
  known_ = find_known(plan_, *evaluator_, locations(), !options.retry_crashed,
                      [&](const journal::Entry& entry) { adopt(entry); });
  if (adopted_) adopted_->close();
  limits_.points = plan_.size();
  for (const std::string& path : journal::files_in(output_->journals()))
    limits_.journal_bytes += std::filesystem::file_size(path);
  for (const std::string& warning : known_->warnings) print_warning("{}", warning);
  for (std::size_t study = 0; study < plan_.studies.size(); ++study) reused_.push_back(known_->done_of(plan_, study));
}

void Run::find_known_to_searches(const RunOptions& options) {
  for (const ResultSource& source : all_results(plan_, *search_evaluator_, locations())) {
    source([&](const journal::Entry& entry) {
      const systems::Status status = entry.record.status;
      if (journal::is_result(status) || (status == systems::Status::crashed && !options.retry_crashed))
        searches_->know(entry);
    });
  }
}

void Run::adopt(const journal::Entry& entry) {
  // The merge reads journals of this plan only.
  if (!adopted_)
    adopted_ = std::make_unique<journal::Writer>(OutputFiles::reused_path(output_->journals(), name_),
                                                 journal_header(plan_, Communicator::host(), 0));
  adopted_->append(entry, journal::Writer::Clock::now());
}

void Run::keep_reused_of_searches() {
  if (searches_->empty()) return;
  PointSet found = PointSet::full(plan_.size());
  journal::Index journals(plan_.hash());
  for (const std::string& path : journal::files_in(output_->journals())) journals.add(path);
  journal::Stream stream(journals);
  journal::Entry entry;
  for (std::size_t study = 0; study < plan_.studies.size(); ++study) {
    const SearchLog* log = searches_->log(study);
    if (log == nullptr || log->reused == 0) continue;
    for (std::uint64_t row = 0; row < log->rows.size(); ++row) {
      const std::uint64_t point = plan_.offset(study) + row;
      const bool has_result = log->rows[row].observation.status != systems::Status::not_run;
      if (has_result &&
          !stream.read(point, search_evaluator_->identity(point), search_evaluator_->schema_at(point), entry))
        found.erase(point);
    }
  }
  if (found.count() < found.size()) {
    find_reusable(
        all_results(plan_, *search_evaluator_, locations()), *search_evaluator_, found,
        [](systems::Status status) { return journal::is_result(status) || status == systems::Status::crashed; },
        [&](const journal::Entry& known) { adopt(known); });
  }
  if (adopted_) adopted_->close();
}

WorkPool Run::pool_of(const std::vector<Range>& points, int evaluators) {
  PointSet done = PointSet::full(plan_.size());
  std::vector<Range> suspects;
  for (const Range& range : points) {
    for (std::uint64_t point = range.begin; point < range.end; ++point) {
      done.erase(point);
      if (search_suspects_.contains(point)) suspects.push_back({point, point + 1});
    }
  }
  const Expectation expectation = longest_first(done, *search_evaluator_, evaluators);
  WorkPool pool(std::move(done));
  pool.add_suspects(suspects);
  pool.add_long(expectation.longest);
  return pool;
}

WorkPool Run::take_pending(int evaluators, double& expected_seconds) {
  const Expectation expectation = longest_first(known_->done, *evaluator_, evaluators);
  expected_seconds = expectation.total_seconds;
  WorkPool pool(std::move(known_->done));
  std::vector<Range> suspects;
  for (const Range& range : known_->suspects) {
    // Those of searches wait until they are chosen again.
    if (plan_.studies[plan_.locate(range.begin).study].search() == nullptr) {
      suspects.push_back(range);
    } else {
      search_suspects_.insert(range.begin);
    }
  }
  pool.add_suspects(suspects);
  pool.add_long(expectation.longest);
  return pool;
}

std::uint64_t Run::reused(std::size_t study) const {
  const SearchLog* log = searches_->log(study);
  return log == nullptr ? reused_[study] : log->reused;
}

std::vector<std::uint64_t> Run::reused() const {
  std::vector<std::uint64_t> counts;
  for (std::size_t study = 0; study < plan_.studies.size(); ++study) counts.push_back(reused(study));
  return counts;
}

std::uint64_t Run::reused_points() const {
  std::uint64_t points = 0;
  for (std::size_t study = 0; study < plan_.studies.size(); ++study) points += reused(study);
  return points;
}

void Run::fill_cache() const {
  if (!cache_) return;
  std::vector<std::string> journals;
  for (const std::string& path : journal::files_in(output_->journals())) {
    const std::string file = std::filesystem::path(path).filename().string();
    if (file.starts_with(name_) && path != OutputFiles::reused_path(output_->journals(), name_))
      journals.push_back(path);
  }
  cache_->add(plan_, journals, name_);
}

}  // namespace pimsweep::driver
