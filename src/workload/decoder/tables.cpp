#include "workload/decoder/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "base/csv.h"
#include "base/error.h"
#include "base/posix_file.h"

namespace pimsweep::workload::decoder {

namespace {

/// The largest context of the system.
constexpr std::int64_t max_length = 1 << 24;

/// The column of a table; throws InputError if there is none, or no row.
std::size_t column_of(const CsvTable& table, std::string_view name, const std::string& file) {
  const int column = table.column(name);
  if (column < 0) {
    std::vector<std::string> names;
    for (const CsvCell& cell : table.header) names.push_back(cell.text);
    throw InputError({file, 1, 1}, fmt::format("the column '{}' is missing among: {}", name, fmt::join(names, ", ")));
  }
  if (table.rows.empty()) throw InputError({file, 2, 1}, fmt::format("no row has a '{}'", name));
  return static_cast<std::size_t>(column);
}

/// The number of a cell; adds a problem, which says what is needed, if it is none of min to max.
template <typename Number>
Number number_in(const CsvCell& cell, Number min, Number max, const std::string& file, ProblemList& problems) {
  Number value{};
  const char* const end = cell.text.data() + cell.text.size();
  const auto [after, error] = std::from_chars(cell.text.data(), end, value);
  if (error == std::errc{} && after == end && value >= min && value <= max) return value;
  problems.add({file, cell.line, cell.column},
               fmt::format("'{}': a number from {} to {} is needed", cell.text, min, max));
  return min;
}

}  // namespace

std::vector<Request> read_requests(std::string_view text, const std::string& file) {
  const CsvTable table = parse_csv(text, file);
  const std::size_t input = column_of(table, "input", file);
  const std::size_t output = column_of(table, "output", file);
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
  const std::size_t share = column_of(table, "share", file);
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
      if (entry.path().extension() != ".csv") continue;
      names.push_back(entry.path().stem().string());
      if (names.back() != name) continue;
      const std::string path = entry.path().string();
      return files_.emplace(std::string(name), File{.path = path, .text = read_file(path)}).first->second;
    }
  }
  std::ranges::sort(names);
  throw PointError(fmt::format("there is no table '{}.csv' in {}{}; there are: {}", name, joined_paths(folders_),
                               suggestion(name, names),
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
