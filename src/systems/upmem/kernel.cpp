#include "systems/upmem/kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "workload/model_file.h"
#include "workload/parameter_reader.h"

namespace pimsweep::systems::upmem {

namespace {

using workload::ModelEntry;
using workload::Parameter;
using workload::ParameterReader;

constexpr std::string_view kernel_family = "upmem-kernel";
constexpr std::string_view host_family = "upmem-host";

/// A formula of kernels, with the formula that stands for it if a kernel has none.
struct FormulaKey {
  const char* name;
  const char* fallback;
};
constexpr std::array formula_keys{FormulaKey{"elements", nullptr},
                                  FormulaKey{"grain", "block_bytes / type_bytes"},
                                  FormulaKey{"repeats", "1"},
                                  FormulaKey{"extra_cycles", "0"},
                                  FormulaKey{"launches", "1"},
                                  FormulaKey{"to_bytes", "0"},
                                  FormulaKey{"to_calls", "1"},
                                  FormulaKey{"from_bytes", "0"},
                                  FormulaKey{"from_calls", "1"},
                                  FormulaKey{"between_bytes", "0"},
                                  FormulaKey{"between_calls", "0"},
                                  FormulaKey{"mram_bytes", nullptr},
                                  FormulaKey{"wram_bytes", "tasklets * 3 * block_bytes"},
                                  FormulaKey{"valid", "1"}};

/// Reads the keys of one definition that a reader of model files lacks: texts, and keys that may be left out.
class DefinitionReader {
 public:
  DefinitionReader(const ModelEntry& entry, ProblemList& problems)
      : entry_(entry), problems_(problems), reader_(entry.parameters, entry.name, entry.where, problems) {}

  ParameterReader& parameters() { return reader_; }
  double real(const std::string& key, double min, double max, double fallback) {
    return reader_.has(key) ? reader_.real(key, min, max) : fallback;
  }
  /// Empty if there is none.
  PlacedText text(const std::string& key, const std::string& expected, bool is_required) {
    const auto found = entry_.parameters.find(key);
    const Parameter* parameter = found == entry_.parameters.end() ? nullptr : &found->second;
    if (parameter == nullptr && !is_required) return {};
    const bool is_text = parameter != nullptr && !parameter->is_list && !parameter->values.empty() &&
                         std::holds_alternative<std::string>(parameter->values.front());
    if (!is_text) {
      reader_.choice(key, {expected});
      return {};
    }
    const std::string& words = std::get<std::string>(parameter->values.front());
    reader_.choice(key, {words});
    if (!parameter->places.empty()) return parameter->places.front();
    return {words, parameter->where, {}};
  }
  template <typename T, std::size_t count>
  T choice(const std::string& key, const Words<T, count>& words, T fallback) {
    return reader_.has(key) ? reader_.choice(key, words) : fallback;
  }
  Hash128 finish() {
    reader_.finish();
    return hash128(reader_.canonical());
  }
  ProblemList& problems() { return problems_; }

 private:
  const ModelEntry& entry_;
  ProblemList& problems_;
  ParameterReader reader_;
};

struct Size {
  std::string_view name;
  double value = 0;
};

/// Splits "m=8192 n=1024"; throws PointError with the word that is not of this form.
std::vector<Size> read_sizes(std::string_view text) {
  std::vector<Size> sizes;
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return sizes;
    const std::string_view word = text.substr(0, text.find(' '));
    const std::size_t mark = std::min(word.find('='), word.size());
    const std::string_view digits = word.substr(std::min(mark + 1, word.size()));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (mark == 0 || error != std::errc() || end != digits.data() + digits.size() || number < 1 ||
        number > (std::int64_t{1} << 50)) {
      throw PointError(
          fmt::format("problem: expected sizes as in \"m=8192 n=1024\", whole numbers from 1 to 2^50, got '{}'", word));
    }
    sizes.push_back({word.substr(0, mark), static_cast<double>(number)});
    text.remove_prefix(word.size());
  }
}

void read_problem(DefinitionReader& reader, Kernel& kernel) {
  const PlacedText text = reader.text("problem", "sizes with their defaults, as in \"m=8192 n=1024\"", true);
  if (text.text.empty()) return;
  try {
    for (const Size& size : read_sizes(text.text)) {
      kernel.sizes.emplace_back(size.name, size.value);
      kernel.variables.sizes.push_back(size.value);
    }
  } catch (const PointError& error) {
    reader.problems().add(text.where, error.what());
  }
}

/// Reads "bcsstk30: rows=28924 nnz=1036208".
void read_inputs(DefinitionReader& reader, Kernel& kernel) {
  if (!reader.parameters().has("inputs")) return;
  const std::string form = "names with their sizes, as in \"bcsstk30: rows=28924 nnz=1036208\"";
  for (const PlacedText& input : reader.parameters().texts("inputs", {1, 1000}, form)) {
    const std::size_t mark = input.text.find(':');
    if (mark == std::string::npos) {
      reader.problems().add(input.where, fmt::format("'inputs': expected {}, got '{}'", form, input.text));
      continue;
    }
    const std::string name = input.text.substr(0, mark);
    kernel.inputs[name] = input.text.substr(mark + 1);
    try {
      set_problem(kernel, name);
    } catch (const PointError& error) {
      reader.problems().add(input.where, error.what());
    }
  }
}

void read_formulas(DefinitionReader& reader, Kernel& kernel) {
  KernelVariables& v = kernel.variables;
  std::vector<Formula::Variable> names{
      {"dpus", &v.dpus}, {"tasklets", &v.tasklets}, {"block_bytes", &v.block_bytes}, {"type_bytes", &v.type_bytes}};
  for (std::size_t i = 0; i < kernel.sizes.size(); ++i) names.push_back({kernel.sizes[i].first, &v.sizes[i]});
  for (const FormulaKey& key : formula_keys) {
    PlacedText text = reader.text(key.name, "a formula, such as \"up(n / dpus, 2)\"", key.fallback == nullptr);
    if (!text.is_given()) {
      if (key.fallback == nullptr) continue;
      text.text = key.fallback;
    }
    try {
      kernel.formulas.emplace(key.name, Formula(key.name, text, names));
    } catch (const InputError& error) {
      reader.problems().add(error);
    }
    // All formulas but its own may use the number of elements.
    if (&key == formula_keys.data()) names.push_back({"elements", &v.elements});
  }
}

void read_work(DefinitionReader& reader, Kernel& kernel) {
  ParameterReader& parameters = reader.parameters();
  constexpr double max = 1e12;
  kernel.type = reader.choice("type", data_type_words, DataType::int32);
  if (kernel.type == DataType::own) parameters.problem("type", "'own' is not a type of elements");
  if (parameters.has("block_bytes")) kernel.block_bytes = parameters.integer("block_bytes", {1, 1 << 20});
  if (parameters.has("cycles") == parameters.has("instructions")) {
    parameters.problem("cycles", "expected either 'cycles' (measured) or 'instructions' (counted) of an element");
  }
  if (parameters.has("cycles")) kernel.cycles = parameters.real("cycles", 0, max);
  kernel.instructions = reader.real("instructions", 0, max, 0);
  if (parameters.has("conflicts")) kernel.conflicts = parameters.real("conflicts", 0, 1);
  kernel.adds = reader.real("adds", 0, max, 0);
  kernel.multiplies = reader.real("multiplies", 0, max, 0);
  kernel.operand_bits = reader.real("operand_bits", 0, 64, 32);
  kernel.low = reader.real("low", 0.01, 1, 1);
  kernel.high = reader.real("high", 1, 100, 1);
  kernel.read_bytes = reader.real("read_bytes", 0, max, 0);
  kernel.write_bytes = reader.real("write_bytes", 0, max, 0);
  kernel.single_dmas = reader.real("single_dmas", 0, max, 0);
  kernel.serial_cycles = reader.real("serial_cycles", 0, max, 0);
  kernel.to_mode = reader.choice("to_mode", transfer_words, TransferMode::parallel);
  kernel.from_mode = reader.choice("from_mode", transfer_words, TransferMode::parallel);
}

void read_kernel(DefinitionReader& reader, Kernel& kernel) {
  reader.text("doc", "a text", false);
  reader.text("source", "the place that describes the kernel", true);
  kernel.basis = reader.parameters().choice("basis", {"counted", "calibrated", "assumed"});
  reader.text("rows", "the rows that the cycles were fitted to", kernel.basis == "calibrated");
  kernel.invalid = reader.text("invalid", "why a problem is not valid", false).text;
  read_work(reader, kernel);
  read_problem(reader, kernel);
  read_inputs(reader, kernel);
  read_formulas(reader, kernel);
  kernel.content = reader.finish();
}

void read_host(DefinitionReader& reader, Host& host) {
  reader.text("doc", "a text", false);
  reader.text("source", "the measurement of the host", true);
  ParameterReader& parameters = reader.parameters();
  for (const std::int64_t count : parameters.stages("dpus", {1, 16}, {1, 1 << 20})) {
    host.dpus.push_back(static_cast<double>(count));
  }
  constexpr double gigabyte = 1e9;
  host.to = parameters.reals("to_gb_per_s", 1e-6, 1e6);
  host.from = parameters.reals("from_gb_per_s", 1e-6, 1e6);
  for (double& rate : host.to) rate *= gigabyte;
  for (double& rate : host.from) rate *= gigabyte;
  if (!std::is_sorted(host.dpus.begin(), host.dpus.end())) {
    parameters.problem("dpus", "expected numbers of DPUs in ascending order");
  }
  host.content = reader.finish();
}

std::vector<ConfigFolder> kernel_folders(const ConfigFolders& configs) {
  std::vector<ConfigFolder> folders;
  for (const ConfigFolder& folder : configs.hardware) {
    const std::filesystem::path path = std::filesystem::path(folder.path) / "upmem-kernels";
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) folders.push_back({path.string(), folder.is_installed, {}});
  }
  return folders;
}

}  // namespace

KernelLibrary::KernelLibrary(const ConfigFolders& configs)
    : index_("UPMEM kernel", [this](const ModelEntry& entry, ProblemList& problems) { define(entry, problems); }) {
  index_.read(kernel_folders(configs), workload::DefinitionIndex::Installed::at_once);
}

const Kernel& KernelLibrary::kernel(std::string_view name) const {
  index_.require_sound(name);
  return kernels_.find(name)->second;
}

const Host& KernelLibrary::host(std::string_view name) const {
  index_.require_sound(name);
  return hosts_.find(name)->second;
}

void KernelLibrary::define(const ModelEntry& entry, ProblemList& problems) {
  ProblemList found;
  DefinitionReader reader(entry, found);
  if (entry.family == kernel_family) {
    const auto [place, is_new] = kernels_.try_emplace(entry.name);
    if (!is_new) return;
    kernel_names_.push_back(entry.name);
    read_kernel(reader, place->second);
  } else if (entry.family == host_family) {
    const auto [place, is_new] = hosts_.try_emplace(entry.name);
    if (!is_new) return;
    host_names_.push_back(entry.name);
    read_host(reader, place->second);
  } else {
    found.add(entry.family_where,
              fmt::format("family '{}': expected \"{}\" or \"{}\"", entry.family, kernel_family, host_family));
  }
  for (const Problem& problem : found.problems()) problems.add(problem.where, problem.message);
}

void set_problem(const Kernel& kernel, std::string_view problem) {
  for (std::size_t i = 0; i < kernel.sizes.size(); ++i) kernel.variables.sizes[i] = kernel.sizes[i].second;
  const auto input = kernel.inputs.find(problem);
  for (const Size& size : read_sizes(input == kernel.inputs.end() ? problem : input->second)) {
    const auto found = std::ranges::find_if(kernel.sizes, [&](const auto& known) { return known.first == size.name; });
    if (found == kernel.sizes.end()) {
      std::vector<std::string> names;
      for (const auto& [name, value] : kernel.sizes) names.push_back(name);
      throw PointError(fmt::format("problem: unknown size '{}'{}; sizes of this benchmark: {}", size.name,
                                   suggestion(size.name, names), fmt::join(names, ", ")));
    }
    kernel.variables.sizes[static_cast<std::size_t>(found - kernel.sizes.begin())] = size.value;
  }
}

}  // namespace pimsweep::systems::upmem
