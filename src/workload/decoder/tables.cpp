#include "workload/decoder/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/csv.h"
#include "base/error.h"
#include "base/json.h"
#include "base/posix_file.h"

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

/// Column of a table by one of its names; throws InputError if the column is missing or the table is empty.
std::size_t column_of(const CsvTable& table, std::span<const std::string_view> known, const std::string& file) {
  for (const std::string_view name : known) {
    const int column = table.column(name);
    if (column < 0) continue;
    if (table.rows.empty()) throw InputError({file, 2, 1}, fmt::format("no row has a '{}'", name));
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

}  // namespace

namespace {

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

/// Requests of a file with a JSON object in each line.
std::vector<Request> read_request_lines(std::string_view text, const std::string& file) {
  constexpr std::size_t max_problems = 100;
  ProblemList problems;
  std::vector<Request> requests;
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
