#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/config_folders.h"
#include "base/hash.h"
#include "systems/upmem/formula.h"
#include "systems/upmem/machine.h"
#include "workload/definition_index.h"

namespace pimsweep::systems::upmem {

/// Variables of the formulas of a kernel, at fixed places.
struct KernelVariables {
  double dpus = 1;
  double tasklets = 1;
  double block_bytes = 8;
  double type_bytes = 4;
  /// Elements of the fullest DPU.
  double elements = 0;
  /// Sizes of the problem by name ("n", "m"); a deque, so that their places never move.
  std::deque<double> sizes;
};

/// A kernel as a definition file describes it (docs/upmem.md). All counts are of the fullest DPU.
struct Kernel {
  Hash128 content;
  /// Basis of the cycles: counted from source code, calibrated or assumed.
  std::string basis;
  DataType type = DataType::int32;
  std::int64_t block_bytes = 1024;
  /// Names of the sizes, with their defaults.
  std::vector<std::pair<std::string, double>> sizes;
  /// Sizes of named inputs ("bcsstk30").
  std::map<std::string, std::string, std::less<>> inputs;

  /// Cycles of an element at the full issue rate, register conflicts included; or its instructions without additions
  /// and multiplications, if the cycles were not measured.
  std::optional<double> cycles;
  double instructions = 0;
  std::optional<double> conflicts;
  double adds = 0;
  double multiplies = 0;
  double operand_bits = 0;
  /// Range of the cycles, as factors.
  double low = 1;
  double high = 1;
  /// Bytes of an element that pass the DMA engine in whole blocks, and further DMAs of one step.
  double read_bytes = 0;
  double write_bytes = 0;
  double single_dmas = 0;
  /// Cycles of an element under a mutex that all tasklets share.
  double serial_cycles = 0;
  TransferMode to_mode = TransferMode::parallel;
  TransferMode from_mode = TransferMode::parallel;

  mutable KernelVariables variables;
  std::map<std::string, Formula, std::less<>> formulas;
  std::string invalid;

  double value(std::string_view formula) const { return formulas.find(formula)->second.value(); }
};

/// A host with measured transfers: bandwidth by number of DPUs.
struct Host {
  Hash128 content;
  std::vector<double> dpus;
  std::vector<double> to;
  std::vector<double> from;
};

/// The kernels and hosts in the folder `upmem-kernels` of each folder of hardware. The files have the form of model
/// files, of the families "upmem-kernel" and "upmem-host". One with errors is named like the others; its errors are
/// thrown, as InputError, where it is used.
class KernelLibrary {
 public:
  explicit KernelLibrary(const ConfigFolders& configs);

  const std::vector<std::string>& kernel_names() const { return kernel_names_; }
  const std::vector<std::string>& host_names() const { return host_names_; }
  const Kernel& kernel(std::string_view name) const;
  const Host& host(std::string_view name) const;

 private:
  void define(const workload::ModelEntry& entry, ProblemList& problems);

  workload::DefinitionIndex index_;
  std::vector<std::string> kernel_names_;
  std::vector<std::string> host_names_;
  std::map<std::string, Kernel, std::less<>> kernels_;
  std::map<std::string, Host, std::less<>> hosts_;
};

/// Sets the sizes among a kernel's variables to those of a problem ("m=8192 n=1024"), or to their defaults, or to those
/// of a named input of the kernel. Throws PointError for a word that is neither.
void set_problem(const Kernel& kernel, std::string_view problem);

}  // namespace pimsweep::systems::upmem
