#include "results/trace.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>

#include "base/json_text.h"
#include "results/timeline.h"

namespace pimsweep::results {

namespace {

double microseconds(double seconds) { return 1e6 * seconds; }

/// The time to `end` from `start`, rounded so that their sum does not exceed `end`.
double duration(double start, double end) {
  const double length = end - start;
  return start + length > end ? std::nextafter(length, 0.0) : length;
}

std::string json_value(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return json_text(*text);
  const auto* real = std::get_if<double>(&value);
  return real != nullptr && !std::isfinite(*real) ? "null" : to_text(value);
}

std::string with_unit(const std::string& name, std::string_view unit) {
  return unit.empty() || unit == "1" ? name : fmt::format("{} [{}]", name, unit);
}

class TraceWriter {
 public:
  explicit TraceWriter(std::ostream& stream) : stream_(stream) {}

  void begin(const TraceNotes& notes) {
    put("{{\"displayTimeUnit\": \"ns\",\n\"otherData\": {{");
    for (std::size_t i = 0; i < notes.size(); ++i) {
      put("{}{}: {}", i == 0 ? "" : ", ", json_text(notes[i].first), json_text(notes[i].second));
    }
    put("}},\n\"traceEvents\": [");
  }

  void write(const Timeline& timeline) {
    threads_.assign(timeline.rows(), {});
    for (const Timeline::Group& group : timeline.groups()) {
      ++process_;
      name("process", group.name, 0, process_);
      for (const Timeline::Lane& lane : group.lanes) {
        ++thread_;
        name("thread", lane.name, thread_, thread_);
        for (const Timeline::Interval& interval : lane.intervals) write(timeline, interval);
      }
      for (const std::size_t column : timeline.columns().held) write_counter(timeline, group, column, false);
      for (const std::size_t column : timeline.columns().moved) write_counter(timeline, group, column, true);
    }
    for (const Dependency& dependency : dependencies(timeline)) write(timeline, dependency);
  }

  void end() {
    put("\n]}}\n");
    flush();
  }

 private:
  struct Thread {
    int process = 0;
    int thread = 0;
  };

  template <typename... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Args>(args)...);
  }
  /// Begins an event: ends the one before, and flushes from time to time.
  void event() {
    constexpr std::size_t block = 1U << 16U;
    if (buffer_.size() > block) flush();
    put("{}", is_first_ ? "\n" : ",\n");
    is_first_ = false;
  }
  void flush() {
    stream_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  /// Name and place of a process, or of a thread of the present process.
  void name(std::string_view what, const std::string& text, int thread, int place) {
    event();
    put(R"({{"ph": "M", "pid": {}, "tid": {}, "name": "{}_name", "args": {{"name": {}}}}})", process_, thread, what,
        json_text(text));
    event();
    put(R"({{"ph": "M", "pid": {}, "tid": {}, "name": "{}_sort_index", "args": {{"sort_index": {}}}}})", process_,
        thread, what, place);
  }

  void write(const Timeline& timeline, const Timeline::Interval& interval) {
    threads_[interval.row] = {process_, thread_};
    const double start = microseconds(interval.start);
    event();
    put(R"({{"ph": "X", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "cat": {}, "name": {}, "args": {{)", process_,
        thread_, start, duration(start, microseconds(interval.end)), json_text(timeline.table().name),
        json_text(timeline.name(interval.row)));
    put(R"("start [s]": {}, "end [s]": {})", interval.start, interval.end);
    const systems::TimelineColumns& columns = timeline.columns();
    if (columns.names.size() > 1) arguments(timeline, interval.row, columns.names);
    if (columns.task) arguments(timeline, interval.row, {*columns.task});
    for (const auto* list : {&columns.held, &columns.moved, &columns.others}) arguments(timeline, interval.row, *list);
    put("}}}}");
  }

  void arguments(const Timeline& timeline, std::size_t row, const std::vector<std::size_t>& columns) {
    for (const std::size_t column : columns) {
      const systems::Metric& metric = timeline.table().columns[column];
      put(", {}: {}", json_text(with_unit(metric.name, metric.unit)), json_value(timeline.cell(row, column)));
    }
  }

  void write_counter(const Timeline& timeline, const Timeline::Group& group, std::size_t column, bool rate) {
    const systems::Metric& metric = timeline.table().columns[column];
    const std::string unit = rate ? fmt::format("{}/s", metric.unit) : metric.unit;
    const std::string title = json_text(with_unit(metric.name, unit));
    for (const CounterStep& step : counter(timeline, group, column, rate)) {
      event();
      put(R"({{"ph": "C", "pid": {}, "tid": 0, "ts": {}, "name": {}, "args": {{{}: {}}}}})", process_,
          microseconds(step.time), title, json_text(metric.name), step.value);
    }
  }

  void write(const Timeline& timeline, const Dependency& dependency) {
    const auto time = [&](std::size_t row, std::size_t column) {
      return microseconds(to_real(timeline.cell(row, column)));
    };
    // An arrow leaves from within its interval: at the end, another one may have begun.
    const double from =
        (time(dependency.from, timeline.columns().start) + time(dependency.from, timeline.columns().end)) / 2;
    ++flow_;
    half_flow("s", "", dependency.from, from);
    half_flow("f", R"(, "bp": "e")", dependency.to, time(dependency.to, timeline.columns().start));
  }
  void half_flow(std::string_view phase, std::string_view binding, std::size_t row, double time) {
    event();
    put(R"({{"ph": "{}"{}, "pid": {}, "tid": {}, "ts": {}, "id": {}, "cat": "dependency", "name": "waits for"}})",
        phase, binding, threads_[row].process, threads_[row].thread, time, flow_);
  }

  std::ostream& stream_;
  fmt::memory_buffer buffer_;
  bool is_first_ = true;
  int process_ = 0;
  int thread_ = 0;
  int flow_ = 0;
  /// Where each row of the present timeline is.
  std::vector<Thread> threads_;
};

}  // namespace

void write_trace(const systems::Schema& schema, const systems::Record& record, const TraceNotes& notes,
                 std::ostream& stream) {
  TraceWriter writer(stream);
  writer.begin(notes);
  for (std::size_t i = 0; i < schema.tables.size(); ++i) {
    if (record.tables[i].empty() || !systems::timeline_columns(schema.tables[i])) continue;
    writer.write(Timeline(schema.tables[i], record.tables[i]));
  }
  writer.end();
}

}  // namespace pimsweep::results
