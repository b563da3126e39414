#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/csv.h"

namespace pimsweep::test {

/// A file of results/reference by column name (tests run in the source tree's root).
class Reference {
 public:
  explicit Reference(const std::string& path) : table_(parse_csv(read(path), path)) {}
  std::size_t size() const { return table_.rows.size(); }
  const std::string& text(std::size_t row, const std::string& column) const {
    const int index = table_.column(column);
    if (index < 0) throw std::runtime_error("no column " + column);
    return table_.rows[row][static_cast<std::size_t>(index)].text;
  }
  std::int64_t integer(std::size_t row, const std::string& column) const { return std::stoll(text(row, column)); }
  double real(std::size_t row, const std::string& column) const { return std::stod(text(row, column)); }

 private:
  static std::string read(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
  }
  CsvTable table_;
};

}  // namespace pimsweep::test
