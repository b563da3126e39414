#include "workload/training/numbers_by_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/error.h"
#include "workload/training/operation_table.h"

namespace pimsweep::workload::training {

std::vector<double> numbers_by_type(const std::string& text, std::string_view axis, double otherwise) {
  std::vector<double> numbers(operation_types, 0);
  std::istringstream stream{text};
  for (std::string entry; stream >> entry;) {
    const std::size_t sign = entry.find('=');
    const std::string name = entry.substr(0, sign);
    double number = 0;
    const char* const end = entry.data() + entry.size();
    const char* const digits = sign == std::string::npos ? end : entry.data() + sign + 1;
    if (std::from_chars(digits, end, number).ptr != end || digits == end || !(number > 0)) {
      throw PointError(fmt::format("{}: expected TYPE=NUMBER with a positive number, got '{}'", axis, entry));
    }
    std::size_t type = 0;
    while (type < operation_types && name_of(static_cast<OperationType>(type)) != name) ++type;
    if (name != "*" && type == operation_types) {
      throw PointError(fmt::format("{}: there is no type of operation '{}'", axis, name));
    }
    (name == "*" ? otherwise : numbers[type]) = number;
  }
  std::ranges::replace(numbers, 0.0, otherwise);
  return numbers;
}

}  // namespace pimsweep::workload::training
