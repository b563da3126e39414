#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep {

/// A cell of a CSV file and where it starts (line and column from 1).
struct CsvCell {
  std::string text;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// A CSV file with a header line; every row has as many cells as the header, unless it was read as CsvRows::any.
struct CsvTable {
  std::vector<CsvCell> header;
  std::vector<std::vector<CsvCell>> rows;

  /// Index of a header cell, or -1.
  int column(std::string_view name) const;
};

/// Treatment of rows whose length differs from the header: error or accepted.
enum class CsvRows : std::uint8_t { like_header, any };

/// Reads RFC 4180 text (quotes, doubled quotes, line breaks in quotes, CRLF; a byte-order mark and empty lines are
/// skipped). `file` is used in messages. Throws InputError with every ragged row and unclosed quote.
CsvTable parse_csv(std::string_view text, const std::string& file, CsvRows rows = CsvRows::like_header);

/// One line of RFC 4180 text, ended by \n; cells are quoted where they must be.
std::string csv_line(const std::vector<std::string>& cells);

}  // namespace pimsweep
