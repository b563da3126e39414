#include "sweep/scale_sim_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "sweep/axis_value.h"
#include "sweep/hardware_axis.h"

namespace pimsweep::sweep {

namespace {

constexpr const char* buffer_key = "sram.buffer";

/// `key = value` or `key: value` in a section of an INI file.
struct Entry {
  /// In lower case, as keys do not distinguish cases.
  std::string id;
  std::string key;
  std::string value;
  SourcePosition where;
};

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return lower;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(blanks);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<Entry> read_entries(std::string_view text, const std::string& path, ProblemList& problems) {
  std::vector<Entry> entries;
  std::uint32_t line_number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view whole = text.substr(0, end + 1);
    text.remove_prefix(end + 1);
    ++line_number;
    const std::string_view line = without_blanks(whole.substr(0, whole.find('\n')));
    if (line.empty() || line.front() == '#' || line.front() == ';' || line.front() == '[') continue;
    const auto column = [&](std::string_view part) {
      return static_cast<std::uint32_t>(part.data() - whole.data() + 1);
    };
    const std::size_t mark = line.find_first_of("=:");
    if (mark == std::string_view::npos || mark == 0) {
      problems.add({path, line_number, column(line)},
                   "expected [section], 'key = value' or 'key: value' in a SCALE-Sim configuration");
      continue;
    }
    const std::string_view key = without_blanks(line.substr(0, mark));
    const std::string_view value = without_blanks(line.substr(mark + 1));
    Entry entry{lower_case(key),
                std::string(key),
                std::string(value),
                {path, line_number, column(value.empty() ? line : value)}};
    const auto first = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.id == entry.id; });
    if (first != entries.end()) {
      problems.add(entry.where, fmt::format("duplicate '{}': first in line {}", entry.key, first->where.line));
      continue;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// A key that sets an axis.
struct AxisKey {
  std::string_view key;
  std::string_view axis;
  bool is_number = true;
};
constexpr std::array axis_keys{AxisKey{"ArrayHeight", "array_rows"}, AxisKey{"ArrayWidth", "array_cols"},
                               AxisKey{"Dataflow", "dataflow", false}};
/// Sizes of the SRAMs, and the constants that they become.
struct SramKey {
  std::string_view key;
  std::string_view constant;
};
constexpr std::array sram_keys{SramKey{"IfmapSramSzkB", "sram.ifmap"}, SramKey{"FilterSramSzkB", "sram.filter"},
                               SramKey{"OfmapSramSzkB", "sram.ofmap"}};

class ScaleSimReader {
 public:
  ScaleSimReader(const std::string& path, const systems::Schema& schema) : path_(path), schema_(schema) {}

  ScaleSimFile read(const std::string& text) {
    entries_ = read_entries(text, path_, problems_);
    if (const Entry* name = take("run_name"); name != nullptr) file_.name = name->value;
    for (const AxisKey& key : axis_keys) read_axis(key);
    read_srams();
    read_bandwidth();
    problems_.throw_if_any();
    note_rest();
    return std::move(file_);
  }

 private:
  /// The entry of a key, which is marked as used; nullptr if it is missing.
  const Entry* take(std::string_view key) {
    const auto found =
        std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.id == lower_case(key); });
    if (found == entries_.end()) return nullptr;
    taken_.push_back(found->id);
    return &*found;
  }

  const Entry* take_needed(std::string_view key) {
    const Entry* entry = take(key);
    if (entry == nullptr) problems_.add({path_}, fmt::format("the configuration does not have '{}'", key));
    return entry;
  }

  std::optional<std::int64_t> integer_of(const Entry& entry, std::int64_t max) {
    std::int64_t number = 0;
    const char* end = entry.value.data() + entry.value.size();
    const auto [stop, error] = std::from_chars(entry.value.data(), end, number);
    if (error == std::errc() && stop == end && number >= 0 && number <= max) return number;
    problems_.add(entry.where,
                  fmt::format("'{}': expected an integer from 0 to {}, got '{}'", entry.key, max, entry.value));
    return std::nullopt;
  }

  void set(std::map<std::string, HardwareConstant>& values, const std::string& name, const std::string& axis,
           const Value& value, const Entry& entry) {
    HardwareConstant constant;
    constant.source = fmt::format("{} of {}", entry.key, std::filesystem::path(path_).filename().string());
    constant.where = entry.where;
    try {
      constant.value = convert_value(schema_.axes[static_cast<std::size_t>(schema_.axis_index(axis))], value);
      values.insert_or_assign(name, std::move(constant));
    } catch (const InputError& error) {
      problems_.add(entry.where, fmt::format("{}: {}", entry.key, error.what()));
    }
  }

  void read_axis(const AxisKey& key) {
    const Entry* entry = take_needed(key.key);
    if (entry == nullptr) return;
    const std::string axis(key.axis);
    if (!key.is_number) return read_dataflow(axis, *entry);
    constexpr std::int64_t max_side = std::int64_t{1} << 40;
    if (const auto number = integer_of(*entry, max_side)) set(file_.settings, axis, axis, *number, *entry);
  }

  void read_dataflow(const std::string& axis, const Entry& entry) {
    const std::vector<std::string> known{"os", "ws", "is"};
    if (std::find(known.begin(), known.end(), entry.value) != known.end()) {
      set(file_.settings, axis, axis, entry.value, entry);
    } else {
      problems_.add(entry.where,
                    fmt::format("'{}': got '{}'; allowed: {}", entry.key, entry.value, fmt::join(known, ", ")));
    }
  }

  /// Each operand has an SRAM; in the dataflow `mapped`, tiles of all operands share a buffer.
  void read_srams() {
    constexpr std::int64_t max_kib = std::int64_t{1} << 30;
    std::int64_t total = 0;
    std::vector<std::string_view> keys;
    const Entry* last = nullptr;
    for (const SramKey& sram : sram_keys) {
      const Entry* entry = take_needed(sram.key);
      const auto kib = entry == nullptr ? std::nullopt : integer_of(*entry, max_kib);
      if (!kib) return;
      set_size(std::string(sram.constant), *kib, *entry);
      total += *kib;
      keys.push_back(sram.key);
      last = entry;
    }
    Entry all = *last;
    all.key = fmt::format("{}", fmt::join(keys, " + "));
    set_size(buffer_key, total, all);
  }

  void set_size(const std::string& key, std::int64_t kib, const Entry& entry) {
    set(file_.constants, key, fmt::format("{}{}", hardware_prefix, key), fmt::format("{} KiB", kib), entry);
  }

  void read_bandwidth() {
    const Entry* mode = take("InterfaceBandwidth");
    if (mode != nullptr && mode->value != "CALC" && mode->value != "USER") {
      problems_.add(mode->where, fmt::format("'{}': expected CALC or USER, got '{}'", mode->key, mode->value));
    }
    limits_bandwidth_ = mode != nullptr && mode->value == "USER";
    // With CALC, the array gets all the bandwidth that it needs, as without a limit.
    if (!limits_bandwidth_) take("Bandwidth");
  }

  void note_rest() {
    const std::string name = std::filesystem::path(path_).filename().string();
    std::vector<std::string> rest;
    for (const Entry& entry : entries_) {
      if (std::find(taken_.begin(), taken_.end(), entry.id) == taken_.end()) rest.push_back(entry.key);
    }
    if (limits_bandwidth_) {
      file_.notes.push_back(
          fmt::format("{}: Bandwidth is ignored: SCALE-Sim gives it to each operand, but axis 'dram_words_per_cycle' "
                      "is shared by all operands: set it in the study",
                      name));
      std::erase(rest, "Bandwidth");
    }
    if (!rest.empty()) {
      file_.notes.push_back(fmt::format("{}: ignored, because system '{}' does not have such axes: {}", name,
                                        schema_.name, fmt::join(rest, ", ")));
    }
    file_.notes.push_back(
        fmt::format("{}: energies and the sizes of values, lines and accumulators are those of {}, because SCALE-Sim "
                    "does not define them",
                    name, scale_sim_base));
  }

  const std::string& path_;
  const systems::Schema& schema_;
  ScaleSimFile file_;
  ProblemList problems_;
  std::vector<Entry> entries_;
  /// Keys in lower case.
  std::vector<std::string> taken_;
  bool limits_bandwidth_ = false;
};

}  // namespace

ScaleSimFile parse_scale_sim(const std::string& text, const std::string& path, const systems::Schema& schema) {
  constexpr std::string_view system = "gemm";
  if (schema.name != system) {
    throw InputError({path}, fmt::format("a SCALE-Sim configuration is hardware of the system '{}', not of '{}'",
                                         system, schema.name));
  }
  return ScaleSimReader(path, schema).read(text);
}

}  // namespace pimsweep::sweep
