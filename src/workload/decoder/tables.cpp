#include "workload/decoder/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "base/posix_file.h"
#include "base/words.h"

namespace pimsweep::workload::decoder {

namespace {

/// The largest context of the system.
constexpr std::int64_t max_length = 1 << 24;

/// Names of the columns of prompts and of generated tokens: of this project, Azure's LLM inference traces, Vidur, vLLM,
/// LLMServingSim, Mooncake and BurstGPT.
constexpr std::array<std::string_view, 8> input_names{"input",        "ContextTokens", "num_prefill_tokens",
                                                      "prompt_len",   "input_toks",    "input_length",
                                                      "input_tokens", "Request tokens"};
constexpr std::array<std::string_view, 8> output_names{"output",        "GeneratedTokens", "num_decode_tokens",
                                                       "output_len",    "output_toks",     "output_length",
                                                       "output_tokens", "Response tokens"};
constexpr std::array<std::string_view, 1> share_names{"share"};

/// Notation of a time of arrival.
enum class TimeFormat : std::uint8_t { seconds, milliseconds, nanoseconds, date };

/// Names of the columns of arrivals: of this project, Vidur, LLMServingSim, Azure's traces, Mooncake and BurstGPT.
constexpr Words<TimeFormat, 6> arrival_names{{{"arrival_s", TimeFormat::seconds},
                                              {"arrived_at", TimeFormat::seconds},
                                              {"arrival_time_ns", TimeFormat::nanoseconds},
                                              {"TIMESTAMP", TimeFormat::date},
                                              {"timestamp", TimeFormat::milliseconds},
                                              {"Timestamp", TimeFormat::seconds}}};

/// Column of a table by one of its names; throws InputError if the column is missing or the table is empty.
std::size_t column_of(const CsvTable& table, std::span<const std::string_view> known, const std::string& file) {
  for (const std::string_view name : known) {
    const int column = table.column(name);
    if (column < 0) continue;
    if (table.rows.empty()) throw InputError({file, 2, 1}, fmt::format("the table has no rows below '{}'", name));
    return static_cast<std::size_t>(column);
  }
  std::vector<std::string> names;
  for (const CsvCell& cell : table.header) names.push_back(cell.text);
  throw InputError({file, 1, 1}, fmt::format("no column is called {}; there are: {}", fmt::join(known, ", "),
                                             fmt::join(names, ", ")));
}

/// Number in a cell; adds a problem if it is not a number from min to max.
template <typename Number>
Number number_in(const CsvCell& cell, Number min, Number max, const std::string& file, ProblemList& problems) {
  Number value{};
  const char* const end = cell.text.data() + cell.text.size();
  const auto [after, error] = std::from_chars(cell.text.data(), end, value);
  if (error == std::errc{} && after == end && value >= min && value <= max) return value;
  problems.add({file, cell.line, cell.column},
               fmt::format("'{}': expected a number from {} to {}", cell.text, min, max));
  return min;
}

double seconds_of(double number, TimeFormat format) {
  constexpr double milli = 1e-3;
  constexpr double nano = 1e-9;
  return number * (format == TimeFormat::milliseconds ? milli : format == TimeFormat::nanoseconds ? nano : 1);
}

/// Seconds of "2023-11-16 18:17:03.9799600" since 1970; adds a problem for any other text.
double date_in(const CsvCell& cell, const std::string& file, ProblemList& problems) {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  double second = 0;
  const int read = std::sscanf(cell.text.c_str(), "%d-%u-%u %d:%d:%lf", &year, &month, &day, &hour, &minute, &second);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  constexpr int parts = 6;
  if (read != parts || !date.ok()) {
    problems.add({file, cell.line, cell.column},
                 fmt::format("'{}': expected a date and a time like 2023-11-16 18:17:03.97", cell.text));
    return 0;
  }
  constexpr double minutes = 60;
  const std::chrono::seconds days = std::chrono::sys_days(date).time_since_epoch();
  return static_cast<double>(days.count()) + (hour * minutes + minute) * minutes + second;
}

/// Counts times from the first request, and adds a problem for each that goes back.
class Arrivals {
 public:
  Arrivals(const std::string& file, ProblemList& problems) : file_(file), problems_(problems) {}
  double add(double seconds, std::uint32_t line, std::uint32_t column) {
    if (last_ == none) first_ = seconds;
    if (seconds < last_) {
      problems_.add({file_, line, column}, fmt::format("the request arrives {:.6g} s before the one above it: "
                                                       "expected times that do not go back",
                                                       last_ - seconds));
    }
    last_ = std::max(last_, seconds);
    return seconds - first_;
  }

 private:
  const std::string& file_;
  ProblemList& problems_;
  static constexpr double none = -std::numeric_limits<double>::infinity();
  double first_ = 0;
  double last_ = none;
};

/// Times of arrival, where the table has them.
void read_arrivals(const CsvTable& table, const std::string& file, std::vector<Request>& requests,
                   ProblemList& problems) {
  for (const Word<TimeFormat>& name : arrival_names) {
    const int column = table.column(name.name);
    if (column < 0) continue;
    Arrivals arrivals(file, problems);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const CsvCell& cell = table.rows[i][static_cast<std::size_t>(column)];
      constexpr double max_time = 1e18;
      const double seconds = name.value == TimeFormat::date
                                 ? date_in(cell, file, problems)
                                 : seconds_of(number_in(cell, 0.0, max_time, file, problems), name.value);
      requests[i].arrival = arrivals.add(seconds, cell.line, cell.column);
    }
    return;
  }
}

/// Prefixes that requests share with earlier ones, where the table has them; an empty cell is 0.
void read_prefixes(const CsvTable& table, const std::string& file, std::vector<Request>& requests,
                   ProblemList& problems) {
  const int tokens = table.column("shared_prefix_tokens");
  const int with = table.column("shared_with");
  if (tokens < 0 || with < 0) return;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const CsvCell& shared = table.rows[i][static_cast<std::size_t>(tokens)];
    const CsvCell& other = table.rows[i][static_cast<std::size_t>(with)];
    if (shared.text.empty() || shared.text == "0") continue;
    Request& request = requests[i];
    const auto earlier = static_cast<std::int64_t>(i) - 1;
    request.shared_with = number_in<std::int64_t>(other, 0, std::max<std::int64_t>(earlier, 0), file, problems);
    const std::int64_t longest = std::min(request.input, requests[static_cast<std::size_t>(request.shared_with)].input);
    request.shared_prefix = number_in<std::int64_t>(shared, 0, i == 0 ? 0 : longest, file, problems);
  }
}

/// Value of the first of these keys in a line of JSON; adds a problem if it is not a number of tokens.
std::int64_t length_in(const JsonNode& line, std::span<const std::string_view> keys, const SourcePosition& where,
                       ProblemList& problems) {
  for (const std::string_view key : keys) {
    const JsonNode* found = line.find(key);
    if (found == nullptr) continue;
    const auto* number = std::get_if<std::int64_t>(&found->scalar);
    if (number != nullptr && *number >= 1 && *number <= max_length) return *number;
    problems.add(where, fmt::format("'{}' is {}: expected a number from 1 to {}", key, describe(*found), max_length));
    return 1;
  }
  problems.add(where, fmt::format("expected one of the keys {}", fmt::join(keys, ", ")));
  return 1;
}

/// Time of arrival in a line of JSON, if it has one.
std::optional<double> arrival_in(const JsonNode& line, const SourcePosition& where, ProblemList& problems) {
  for (const Word<TimeFormat>& name : arrival_names) {
    const JsonNode* found = line.find(name.name);
    if (found == nullptr || name.value == TimeFormat::date) continue;
    if (const auto* whole = std::get_if<std::int64_t>(&found->scalar)) {
      return seconds_of(static_cast<double>(*whole), name.value);
    }
    if (const auto* number = std::get_if<double>(&found->scalar)) return seconds_of(*number, name.value);
    problems.add(where, fmt::format("'{}' is {}: expected a number", name.name, describe(*found)));
  }
  return {};
}

/// Requests of a file with a JSON object in each line.
std::vector<Request> read_request_lines(std::string_view text, const std::string& file) {
  constexpr std::size_t max_problems = 100;
  ProblemList problems;
  std::vector<Request> requests;
  Arrivals arrivals(file, problems);
  std::uint32_t number = 0;
  while (!text.empty() && problems.problems().size() < max_problems) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const SourcePosition where{file, ++number, 1};
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    try {
      const JsonNode node = parse_json(line, file);
      requests.push_back({.input = length_in(node, input_names, where, problems),
                          .output = length_in(node, output_names, where, problems)});
      const std::optional<double> arrival = arrival_in(node, where, problems);
      if (arrival) requests.back().arrival = arrivals.add(*arrival, where.line, where.column);
    } catch (const InputError& error) {
      // The text of one line begins at line 1.
      for (const Problem& problem : error.problems())
        problems.add({file, where.line, std::max(problem.where.column, 1U)}, problem.message);
    }
  }
  if (requests.empty() && problems.empty()) problems.add({file, 1, 1}, "the file does not contain a request");
  problems.throw_if_any();
  return requests;
}

}  // namespace

std::vector<Request> read_requests(std::string_view text, const std::string& file) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && text[first] == '{') return read_request_lines(text, file);
  const CsvTable table = parse_csv(text, file);
  const std::size_t input = column_of(table, input_names, file);
  const std::size_t output = column_of(table, output_names, file);
  ProblemList problems;
  std::vector<Request> requests;
  for (const std::vector<CsvCell>& row : table.rows) {
    requests.push_back({.input = number_in<std::int64_t>(row[input], 1, max_length, file, problems),
                        .output = number_in<std::int64_t>(row[output], 1, max_length, file, problems)});
  }
  read_arrivals(table, file, requests, problems);
  read_prefixes(table, file, requests, problems);
  problems.throw_if_any();
  return requests;
}

std::vector<double> read_shares(std::string_view text, const std::string& file) {
  const CsvTable table = parse_csv(text, file);
  const std::size_t share = column_of(table, share_names, file);
  ProblemList problems;
  std::vector<double> shares;
  for (const std::vector<CsvCell>& row : table.rows) {
    shares.push_back(number_in<double>(row[share], 0, 1e18, file, problems));
  }
  problems.throw_if_any();
  return shares;
}

Tables::File& Tables::file(std::string_view name) {
  if (const auto found = files_.find(name); found != files_.end()) return found->second;
  std::vector<std::string> names;
  for (const ConfigFolder& folder : folders_) {
    if (!std::filesystem::is_directory(folder.path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path)) {
      if (entry.path().extension() != ".csv" && entry.path().extension() != ".jsonl") continue;
      names.push_back(entry.path().stem().string());
      if (names.back() != name) continue;
      const std::string path = entry.path().string();
      return files_.emplace(std::string(name), File{.path = path, .text = read_file(path)}).first->second;
    }
  }
  std::ranges::sort(names);
  throw PointError(fmt::format("no table '{}.csv' or '{}.jsonl' in {}{}; tables: {}", name, name,
                               joined_paths(folders_), suggestion(name, names),
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

std::span<const Request> Tables::requests(std::string_view name) {
  File& read = file(name);
  try {
    if (read.requests.empty()) read.requests = read_requests(read.text, read.path);
  } catch (const InputError& error) {
    throw PointError(error.what());
  }
  return read.requests;
}

std::span<const double> Tables::shares(std::string_view name) {
  File& read = file(name);
  try {
    if (read.shares.empty()) read.shares = read_shares(read.text, read.path);
  } catch (const InputError& error) {
    throw PointError(error.what());
  }
  return read.shares;
}

Hash128 Tables::content(std::string_view name) { return hash128(file(name).text); }

}  // namespace pimsweep::workload::decoder
